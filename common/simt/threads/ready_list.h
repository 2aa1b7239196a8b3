// In which order threads and blocks that could run are run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "simt/threads/schedule.h"
#include "simt/threads/thread.h"

namespace simt {

// The threads that can run, in the order in which they will.
class ReadyList {
 public:
  void start(const Schedule& schedule);
  void clear();
  void add(const std::vector<Thread*>& group);
  Thread* take() {  // null when none can run
    if (next_ == list_.size() || order_ == Schedule::Order::random) return takeAny();
    return list_[next_++];
  }
  // The one that is taken next but for so many, or null: a guess where the order is random.
  Thread* ahead(size_t count) const {
    return next_ + count < list_.size() ? list_[next_ + count] : nullptr;
  }

  void skip() { ++next_; }  // the one that ahead(0) gives
  bool isRandom() const { return order_ == Schedule::Order::random; }
  bool isForward() const { return order_ == Schedule::Order::forward; }

 private:
  Thread* takeAny();

  std::vector<Thread*> list_;
  size_t next_ = 0;
  Schedule::Order order_ = Schedule::Order::forward;
  std::mt19937_64 random_;
};

// The numbers of all blocks of a grid, in the order in which they run.
std::vector<uint64_t> blockOrder(uint64_t blocks, const Schedule& schedule);

}  // namespace simt
