// What all kernels of the development set use.
#pragma once

#include <cuda_fp16.h>

#include "../../frozen/words.cuh"

namespace development {

struct Table {
  float of[64];
};
constexpr Table tableOfNumbers() {
  Table made{};
  for (unsigned k = 0; k < 64; ++k) made.of[k] = float(k);
  return made;
}
CONSTANT_MEMORY Table table = tableOfNumbers();

}  // namespace development
