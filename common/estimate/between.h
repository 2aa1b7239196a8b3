// What is known at some places, and between them.
#pragma once

#include <algorithm>
#include <span>
#include <utility>

namespace estimate {

// The value at this place, of places and values in order: on the line between the two around it,
// or that of the first or the last.
inline double between(std::span<const std::pair<double, double>> known, double place) {
  const auto above =
      std::ranges::find_if(known, [&](const auto& one) { return one.first >= place; });
  if (above == known.begin()) return above->second;
  if (above == known.end()) return known.back().second;
  const auto below = above - 1;
  return below->second +
         (above->second - below->second) * (place - below->first) / (above->first - below->first);
}

}  // namespace estimate
