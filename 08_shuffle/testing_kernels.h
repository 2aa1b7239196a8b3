// What the tests of this lesson launch beside its kernels, in testing_kernels.cu.
#pragma once

#include "single_pass.h"

// An operator that loses something on the way.
struct Forgetful {
  using Value = int;
  static constexpr int identity = 0;
  __device__ static int combine(int a, int b) { return a + b + 1; }
};

// Adds up segments; right but for the last one.
__global__ void losesTheLast(const int* data, int* sums, size_t n);

// Leaves which block was the last to come.
__global__ void whoIsLast(unsigned* done, unsigned* last);

// Reads another block's total before the grid's barrier.
__global__ void readsBeforeTheBarrier(long long* blockTotals, long long* total);
