// An estimate as the page of --explore shows it.
#pragma once

#include <string>

#include "estimate/timeline.h"
#include "explore/estimated.h"

namespace estimate {

// A page's timeline ends here at the latest.
constexpr double exploredCycles = 20'000;

// shares and sources: of the whole, which may be several launches; timeline: of one of them, and
// not beyond those cycles. task: such as "2^28 elements, blocks of 512 threads".
PageEstimate explored(const std::string& task, const WaitTimes& shares,
                      const std::vector<SourceShare>& sources, const Timeline& timeline);

}  // namespace estimate
