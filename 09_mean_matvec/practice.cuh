// The small exercises of lesson 09, in the order of its page; 4 and 5 belong to reductions/. After
// each change:
//     cmake --build build --target 09_mean_matvec && build/cpu/09_mean_matvec --exercise 1
#pragma once

#include <climits>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "cuda/kernel.h"

// 1. The sums of rows of 64 elements, of which the last may be shorter: a warp for each. A lane
// adds up two neighbours, so a request moves twice as many sectors as its loads fill. Hand the
// elements out otherwise.
__global__ void exercise1(int* data, int* results, size_t n) {
  const unsigned lane = threadIdx.x % 32;
  const size_t row = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const size_t i = 64 * row + 2 * lane;
  int sum = 0;
  if (i < n) sum += data[i];
  if (i + 1 < n) sum += data[i + 1];
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffff, sum, delta);
  if (lane == 0 && 64 * row < n) results[row] = sum;
}

// 2. How many barriers does version 3 take for L = 33 rows and one entry?
constexpr int exercise2 = 0;

// 3. The place of the smallest of each warp's 32 elements, and of equal ones the first. It often
// finds another of the equal ones.
__global__ void exercise3(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int smallest = i < n ? data[i] : INT_MAX, place = int(i);
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    const int other = __shfl_down_sync(0xffffffff, smallest, delta);
    const int otherPlace = __shfl_down_sync(0xffffffff, place, delta);
    if (other <= smallest) {
      smallest = other;
      place = otherPlace;
    }
  }
  if (threadIdx.x % 32 == 0 && i < n) results[i / 32] = place;
}

// 4. How far each warp's 32 elements lie from their mean: the squared differences, added up, and
// times how many they are, which makes a whole number. A lane begins with one element. Two parts
// are joined five times, and each time it is forgotten that their two means lie apart.
__global__ void exercise4(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  float count = i < n ? 1 : 0, mean = i < n ? float(data[i]) : 0, squares = 0;
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    const float otherCount = __shfl_down_sync(0xffffffff, count, delta);
    const float otherMean = __shfl_down_sync(0xffffffff, mean, delta);
    const float otherSquares = __shfl_down_sync(0xffffffff, squares, delta);
    const float apart = otherMean - mean;
    const float share = otherCount / fmaxf(count + otherCount, 1);  // two parts may be empty
    squares += otherSquares;
    mean += apart * share;
    count += otherCount;
  }
  if (threadIdx.x % 32 == 0 && i < n) results[i / 32] = int(rintf(count * squares));
}

// 5. The sum of each block, by a tree with a barrier in each step. Cooperative groups know tiles of
// 32 lanes, cg::tiled_partition<32>(block), and how to join what these hold, cg::reduce(tile,
// value, cg::plus<int>()). Let them do it: one barrier is enough.
__global__ void exercise5(int* data, int* results, size_t n) {
  namespace cg = cooperative_groups;
  __shared__ int partial[1024];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned t = block.thread_rank();
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  partial[t] = i < n ? data[i] : 0;
  block.sync();
  for (unsigned stride = block.size() / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    block.sync();
  }
  if (t == 0) results[blockIdx.x] = partial[0];
}
