// How many of L2's units for atomics a launch keeps busy.
#pragma once

#include <algorithm>
#include <cmath>

#include "estimate/card.h"

namespace estimate {

// Of L2's units for atomics, those that a launch's are spread over: each piece of memory goes to
// one of them, by chance. Neighbours share some: 1, 2, 4, 8 and 16 pieces go as fast as 1, 2, 2,
// 3.5 and 6.2 units would on an H200, 3.8 and 7.2 on an H100; 64 as fast as 30.
inline double unitsOf(double pieces, const Card& card) {
  const double apart = std::max(std::min(pieces, 2.0), pieces / 2);
  return std::max(1.0, card.atomicUnits * (1 - std::exp(-apart / card.atomicUnits)));
}

// … where one piece has that part of all updates. What it has more than others they do not wait for
// with it: rows of 96 floats by 8,192 blocks, 1 to 20 % of them one row's (H200).
inline double unitsBeside(double mostUpdated, double pieces, const Card& card) {
  const double more = std::clamp(mostUpdated - 1 / std::max(1.0, pieces), 0.0, 1.0);
  return std::min(1 / (more + (1 - more) / unitsOf(pieces, card)),
                  1 / std::clamp(mostUpdated, 1e-6, 1.0));
}

}  // namespace estimate
