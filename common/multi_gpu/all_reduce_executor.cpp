// What stands in for NCCL where the GPUs are imagined: the last card to come combines for all.
#include <algorithm>
#include <cstring>
#include <vector>

#include "multi_gpu/all_reduce.h"
#include "simt/run/executor.h"

struct AllReduce::Communicators {
  explicit Communicators(Cards& cards_) : cards(cards_) {}
  Cards& cards;
  std::vector<Exchange> waiting;
};

AllReduce::AllReduce(Cards& cards, unsigned count)
    : count_(count), communicators_(std::make_unique<Communicators>(cards)) {}

AllReduce::~AllReduce() = default;

std::string AllReduce::name() const { return "NCCL, stood in for"; }

namespace {

template <typename T>
T combine(T a, T b, Combination how) {
  return how == Combination::sum       ? a + b
         : how == Combination::minimum ? std::min(a, b)
                                       : std::max(a, b);
}

// all: what each card has, one behind the other. combined: where each wants it.
template <typename T>
void combineAll(const std::vector<const void*>& all, const std::vector<void*>& combined,
                size_t count, Combination how) {
  std::vector<T> total(count), next(count);
  std::memcpy(total.data(), all[0], count * sizeof(T));
  for (size_t card = 1; card < all.size(); ++card) {
    std::memcpy(next.data(), all[card], count * sizeof(T));
    for (size_t i = 0; i < count; ++i) total[i] = combine(total[i], next[i], how);
  }
  for (void* const values : combined) {
    std::memcpy(values, total.data(), count * sizeof(T));
    simt::markWritten(values, count * sizeof(T));
  }
}

size_t bytesOf(NumberType type) {
  return type == NumberType::int32 || type == NumberType::float32 ? 4 : 8;
}

}  // namespace

void AllReduce::join(unsigned, const Exchange& exchange) {
  std::vector<Exchange>& waiting = communicators_->waiting;
  Ranks& ranks = communicators_->cards.ranks();
  waiting.push_back(exchange);
  std::vector<std::string> texts;  // with several processes each has one card
  std::vector<const void*> all;
  std::vector<void*> combined;
  if (ranks.several()) {
    const size_t bytes = exchange.count * bytesOf(exchange.type);
    texts = ranks.exchangeTexts({static_cast<const char*>(exchange.values), bytes}, count_,
                                "the all-reduce", std::chrono::minutes(10));
    for (const std::string& text : texts) all.push_back(text.data());
  } else {
    if (waiting.size() < count_) return;
    for (const Exchange& one : waiting) all.push_back(one.values);
  }
  // Cards have their turns in their order.
  if (exchange.onAll)
    for (const Exchange& one : waiting) combined.push_back(one.combined);
  else if (ranks.rank() == 0)
    combined.push_back(waiting[0].combined);
  waiting.clear();
  switch (exchange.type) {
    case NumberType::int32: return combineAll<int>(all, combined, exchange.count, exchange.how);
    case NumberType::int64:
      return combineAll<long long>(all, combined, exchange.count, exchange.how);
    case NumberType::float32: return combineAll<float>(all, combined, exchange.count, exchange.how);
    case NumberType::float64:
      return combineAll<double>(all, combined, exchange.count, exchange.how);
  }
}
