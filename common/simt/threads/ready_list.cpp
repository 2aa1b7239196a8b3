#include "simt/threads/ready_list.h"

#include <algorithm>
#include <numeric>

namespace simt {

// A random number from 0 to limit - 1, limit at most 2^32.
static size_t below(std::mt19937_64& random, size_t limit) {
  return (random() >> 32) * limit >> 32;
}

void ReadyList::start(const Schedule& schedule) {
  order_ = schedule.order;
  random_.seed(schedule.seed);
}

void ReadyList::clear() {
  list_.clear();
  next_ = 0;
}

void ReadyList::add(const std::vector<Thread*>& group) {
  if (next_ > 4 * maxThreads) {  // threads that wait in a loop come again and again
    list_.erase(list_.begin(), list_.begin() + std::ptrdiff_t(next_));
    next_ = 0;
  }
  list_.insert(list_.end(), group.begin(), group.end());
  if (order_ == Schedule::Order::reverse)
    std::reverse(list_.end() - std::ptrdiff_t(group.size()), list_.end());
}

Thread* ReadyList::takeAny() {
  if (next_ == list_.size()) {
    clear();
    return nullptr;
  }
  if (order_ == Schedule::Order::random)
    std::swap(list_[next_], list_[next_ + below(random_, list_.size() - next_)]);
  return list_[next_++];
}

std::vector<uint64_t> blockOrder(uint64_t blocks, const Schedule& schedule) {
  std::vector<uint64_t> order(blocks);
  std::iota(order.begin(), order.end(), uint64_t(0));
  if (schedule.order == Schedule::Order::reverse) std::ranges::reverse(order);
  if (schedule.order == Schedule::Order::random) {
    std::mt19937_64 random(schedule.seed);
    for (uint64_t i = blocks; i > 1; --i) std::swap(order[i - 1], order[below(random, i)]);
  }
  return order;
}

}  // namespace simt
