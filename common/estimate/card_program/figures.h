// What the microbenchmarks measured, one number each.
#pragma once

#include <string>
#include <vector>

struct Figure {
  std::string name;  // such as "loads, 4 bytes, stride 32"
  double value = 0;
  std::string unit;
};
using Figures = std::vector<Figure>;

// Microbenchmarks of one multiprocessor, in cycles of its clock, and of the whole card. Both leave
// the card as they found it and throw Error when a CUDA call fails.
Figures measureOneMultiprocessor();
Figures measureWholeCard();
