// The microbenchmarks of build/gpu/card as programs of warps: what the model says of them must be
// what they measured, for the card's values came from there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "estimate/card.h"
#include "estimate/figures.h"

namespace estimate {

struct Microbenchmark {
  std::string figure;                           // its name in the file of what was measured
  std::function<double(const Card&)> simulate;  // in the unit of that file
};
std::vector<Microbenchmark> microbenchmarks();

}  // namespace estimate
