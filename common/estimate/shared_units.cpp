#include "estimate/shared_units.h"

#include <iterator>

namespace estimate {

double SharedUnit::take(double from, double cycles, double now) {
  while (!busy_.empty() && busy_.front().to < now) busy_.pop_front();
  auto at = busy_.begin();
  for (; at != busy_.end(); ++at) {
    if (from + cycles <= at->from) break;
    from = std::max(from, at->to);
  }
  const Interval taken{from, from + cycles};
  const bool joinsNext = at != busy_.end() && at->from <= taken.to;
  const bool joinsLast = at != busy_.begin() && std::prev(at)->to >= taken.from;
  if (joinsLast && joinsNext) {
    std::prev(at)->to = at->to;
    busy_.erase(at);
  } else if (joinsLast) {
    std::prev(at)->to = taken.to;
  } else if (joinsNext) {
    at->from = taken.from;
  } else {
    busy_.insert(at, taken);
  }
  return from;
}

void IssueQueues::add(size_t scheduler, double start, double issuesFrom) {
  Queue& queue = queues_[scheduler];
  queue.starts.pop_front();
  queue.starts.push_back(start);
  queue.issuesFrom = issuesFrom;
}

}  // namespace estimate
