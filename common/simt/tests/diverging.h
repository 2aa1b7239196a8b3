// Runs the kernels of diverging.cuh, each on the same data everywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "diverging.cuh"

constexpr int divergingLength = 1 << 16, divergingBlock = 256;

// Four elements for each thread, below 2^16.
inline std::vector<int> divergingInput() {
  std::vector<int> values(size_t(divergingLength) * 4);
  uint32_t state = 1;
  for (int& value : values) {
    state = state * 1664525u + 1013904223u;
    value = int(state >> 16);
  }
  return values;
}

inline void launchDiverging(const DivergingKernel& entry, DeviceArray<int>& out,
                            const DeviceArray<int>& data) {
  launch(divergingLength / divergingBlock, divergingBlock, entry.kernel, out.data(), data.data(),
         divergingLength);
}
