// What warps wait for, in words.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/table.h"
#include "estimate/launch_time.h"

namespace estimate {

// The shares that are more than nothing, by their names, the largest first.
std::vector<std::pair<std::string, double>> namedWaits(const WaitTimes& shares);

// The largest, at most so many, of at least half a percent: "memory 60 %, barriers 15 %".
std::string largestWaits(const WaitTimes& shares, size_t most);

// The first eight source lines with their share of the time, and the largest waits of each below
// this heading.
Table sourceTable(const std::vector<SourceShare>& sources, const std::string& waits,
                  size_t mostWaits);

}  // namespace estimate
