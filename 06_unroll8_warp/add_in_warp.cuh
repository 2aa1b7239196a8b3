// Lesson 06: a step of the tree within a warp. Lesson 07 takes it, too.
#pragma once

#include "cuda/kernel.h"

// One step of the tree within a warp. Every lane adds, also those whose sum nobody needs any more:
// it costs nothing, and no lane branches away. But lane 16 then overwrites what lane 0 reads. The
// first __syncwarp() makes sure that it is read before, the second that the next step sees the
// sums. Code that trusts a warp to run in lock-step leaves both out: a race since Volta.
__device__ inline void addInWarp(int* mine, unsigned stride, unsigned remaining) {
  const int other = stride < remaining ? mine[stride] : 0;
  __syncwarp();
  if (stride < remaining) mine[0] += other;
  __syncwarp();
}

// The same, but a lane keeps its own sum in a register: one load for each step instead of two, and
// none that waits for the store before it.
__device__ inline void addInRegister(int& sum, int* mine, unsigned stride, unsigned remaining) {
  if (stride < remaining) sum += mine[stride];
  __syncwarp();
  if (stride < remaining) mine[0] = sum;
  __syncwarp();
}
