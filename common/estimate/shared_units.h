// What stands between a multiprocessor's schedulers and the units that they share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

namespace estimate {

// A unit that does one thing at a time. What comes later can go first where the unit would stand
// still otherwise.
class SharedUnit {
 public:
  // Takes what needs so many cycles, at the earliest at from. Returns when it starts. What is over
  // by now is forgotten.
  double take(double from, double cycles, double now);

 private:
  struct Interval {
    double from = 0, to = 0;
  };
  std::deque<Interval> busy_;  // in order, none touches another
};

// Of each scheduler, what waits for the load/store pipe.
class IssueQueues {
 public:
  IssueQueues(size_t schedulers, size_t depth) : queues_(schedulers) {
    for (Queue& queue : queues_) queue.starts.assign(depth, 0);
  }
  // From when on the scheduler can issue into its queue.
  double roomAt(size_t scheduler) const {
    return std::max(queues_[scheduler].starts.front(), queues_[scheduler].issuesFrom);
  }
  // Adds what the pipe starts then; the scheduler's way into its queue is free from when on.
  void add(size_t scheduler, double start, double issuesFrom);

 private:
  struct Queue {
    std::deque<double> starts;  // of the last that were issued, as many as it has places
    double issuesFrom = 0;
  };
  std::vector<Queue> queues_;
};

}  // namespace estimate
