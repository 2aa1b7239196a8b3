// What the warps of one multiprocessor do, cycle by cycle, while a launch runs.
#pragma once

#include <string>
#include <vector>

#include "estimate/launch_time.h"

namespace estimate {

struct Timeline {
  std::string kernel = {}, card = {};
  std::string about = {};  // such as the elements and the block size
  double clockGhz = 1;
  unsigned warpsPerBlock = 1, residentBlocks = 1;
  double cycles = 0;    // from the start to the end of what is shown
  bool goesOn = false;  // the multiprocessor is not done by then
  std::vector<Interval> intervals = {};
  std::vector<std::string> sources = {};  // of the intervals: "file.cuh:12"
};

// That of a launch whose estimate has one: until twice as many blocks have ended as the
// multiprocessor has room for, and not beyond most cycles. It has no name of a kernel yet.
Timeline timelineOf(const Launch& launch, Estimate&& estimated, const Card& card,
                    double most = Setup{}.timelineTo);

}  // namespace estimate
