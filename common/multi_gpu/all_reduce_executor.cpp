// What stands in for NCCL where the GPUs are imagined: the last card to come combines for all.
#include <algorithm>
#include <cstring>
#include <vector>

#include "multi_gpu/all_reduce.h"
#include "simt/executor.h"

struct AllReduce::Communicators {
  std::vector<Exchange> waiting;
};

AllReduce::AllReduce(Cards&, unsigned count)
    : count_(count), communicators_(std::make_unique<Communicators>()) {}

AllReduce::~AllReduce() = default;

std::string AllReduce::name() const { return "NCCL, stood in for"; }

namespace {

template <typename T>
T combine(T a, T b, Combination how) {
  return how == Combination::sum       ? a + b
         : how == Combination::minimum ? std::min(a, b)
                                       : std::max(a, b);
}

template <typename T, typename Exchange>
void combineAll(const std::vector<Exchange>& exchanges) {
  const Exchange& first = exchanges.front();
  std::vector<T> combined(static_cast<const T*>(first.values),
                          static_cast<const T*>(first.values) + first.count);
  for (size_t card = 1; card < exchanges.size(); ++card)
    for (size_t i = 0; i < first.count; ++i)
      combined[i] =
          combine(combined[i], static_cast<const T*>(exchanges[card].values)[i], first.how);
  for (const Exchange& exchange : exchanges) {
    std::memcpy(exchange.combined, combined.data(), first.count * sizeof(T));
    simt::markWritten(exchange.combined, first.count * sizeof(T));
  }
}

}  // namespace

void AllReduce::join(unsigned, const Exchange& exchange) {
  std::vector<Exchange>& waiting = communicators_->waiting;
  waiting.push_back(exchange);
  if (waiting.size() < count_) return;
  switch (exchange.type) {
    case NumberType::int32: combineAll<int>(waiting); break;
    case NumberType::int64: combineAll<long long>(waiting); break;
    case NumberType::float32: combineAll<float>(waiting); break;
    case NumberType::float64: combineAll<double>(waiting); break;
  }
  waiting.clear();
}
