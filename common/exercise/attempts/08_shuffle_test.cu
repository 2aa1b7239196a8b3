// Attempts at lesson 08's exercise, the running totals of every block.
#include "../../../08_shuffle/exercise_task.h"
#include "attempts_testing.h"

namespace {

// As the solution's.
__device__ int scanInWarp(int sum, unsigned lane) {
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const int below = __shfl_up_sync(0xffffffff, sum, delta);
    if (lane >= delta) sum += below;
  }
  return sum;
}

__global__ void oneThread(int* data, int* totals, size_t n) {
  if (threadIdx.x > 0) return;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  int sum = 0;
  for (size_t i = first; i < min(n, first + blockDim.x); ++i) totals[i] = sum += data[i];
}

__global__ void oneWarp(int* data, int* totals, size_t n) {
  const unsigned lane = threadIdx.x;
  if (lane >= 32) return;
  int before = 0;
  for (unsigned k = 0; k < blockDim.x; k += 32) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + k + lane;
    const int sum = before + scanInWarp(i < n ? data[i] : 0, lane);
    if (i < n) totals[i] = sum;
    before = __shfl_sync(0xffffffff, sum, 31);
  }
}

// All load; the first warp scans row after row of what it finds in shared memory.
__global__ void oneWarpScans(int* data, int* totals, size_t n) {
  __shared__ int elements[1024];
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  elements[t] = first + t < n ? data[first + t] : 0;
  __syncthreads();
  if (t >= 32) return;
  int before = 0;
  for (unsigned i = t; i < blockDim.x; i += 32) {
    const int sum = before + scanInWarp(elements[i], t);
    if (first + i < n) totals[first + i] = sum;
    before = __shfl_sync(0xffffffff, sum, 31);
  }
}

// The scan of the solution, but what the lanes hold lies in shared memory meanwhile.
__global__ void keepsSumsInShared(int* data, int* totals, size_t n) {
  __shared__ int sums[1024];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  sums[t] = scanInWarp(i < n ? data[i] : 0, lane);
  __syncthreads();
  int before = 0;
  if (warp > 0) {
    before = lane < warp ? sums[32 * lane + 31] : 0;
    for (unsigned delta = 16; delta > 0; delta /= 2)
      before += __shfl_xor_sync(0xffffffff, before, delta);
  }
  if (i < n) totals[i] = before + sums[t];
}

// Each warp leaves its sum where the executor does not look.
int leftByWarps[32];
__attribute__((no_sanitize("thread"), noinline)) __device__ void leave(unsigned warp, int sum) {
  leftByWarps[warp] = sum;
}
__attribute__((no_sanitize("thread"), noinline)) __device__ int leftBefore(unsigned warp) {
  int sum = 0;
  for (unsigned k = 0; k < warp; ++k) sum += leftByWarps[k];
  return sum;
}
__global__ void passesOutOfSight(int* data, int* totals, size_t n) {
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  const int sum = scanInWarp(i < n ? data[i] : 0, lane);
  if (lane == 31) leave(warp, sum);
  __syncthreads();
  if (i < n) totals[i] = sum + leftBefore(warp);
}

// What every thread adds up by itself.
__global__ void eachFromTheStart(int* data, int* totals, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x, i = first + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (size_t k = first; k <= i; ++k) sum += data[k];
  totals[i] = sum;
}

// The solution, with what is often got wrong in it.
struct Variant {
  bool waits = true;        // for the other warps' sums
  bool waitsAgain = true;   // for what the first warp makes of them
  bool exclusive = false;   // the sum before the element
  bool ownWarpToo = false;  // warpSums[warp] for warpSums[warp - 1]
  bool onlyInside = false;  // the scan inside if (i < n)
  bool index32Bits = false;
};

template <Variant variant>
__global__ void scan(int* data, int* totals, size_t n) {
  __shared__ int warpSums[32];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const size_t i =
      variant.index32Bits ? blockIdx.x * blockDim.x + t : size_t(blockIdx.x) * blockDim.x + t;
  const int element = i < n ? data[i] : 0;
  int sum = 0;
  if (!variant.onlyInside || i < n) sum = scanInWarp(element, lane);
  if (lane == 31) warpSums[warp] = sum;
  if (variant.waits) __syncthreads();
  if (warp == 0) {
    const bool exists = lane < blockDim.x / 32;
    const int sums = scanInWarp(exists ? warpSums[lane] : 0, lane);
    if (exists) warpSums[lane] = sums;
  }
  if (variant.waitsAgain) __syncthreads();
  const int before = warp > 0 ? warpSums[variant.ownWarpToo ? warp : warp - 1] : 0;
  if (i < n) totals[i] = before + sum - (variant.exclusive ? element : 0);
}

__global__ void scanForBlocksOf512(int* data, int* totals, size_t n) {
  if (blockDim.x == 512)
    scan<Variant{}>(data, totals, n);
  else
    oneThread(data, totals, n);
}

}  // namespace

// A helper of exercise.cuh may be called as one of solution.cuh.
namespace solved {
#include "../../../08_shuffle/solution.cuh"
}

TEST(ShuffleAttempts, OneThreadLeavesTheLanesIdle) {
  expectMissed(exerciseTask(oneThread), "active lanes per memory request");
}
TEST(ShuffleAttempts, OneWarpLetsTheOthersWait) {
  expectMissed(exerciseTask(oneWarp), "elements that the busiest warp loads");
}
TEST(ShuffleAttempts, OneWarpThatScansLetsTheOthersWait) {
  expectMissed(exerciseTask(oneWarpScans), "numbers that the busiest warp loads");
  expectMissed(exerciseTask(oneWarpScans), "words of shared memory that hold something");
}
TEST(ShuffleAttempts, WhatALaneHoldsNeedsNoSharedMemory) {
  expectMissed(exerciseTask(keepsSumsInShared), "words of shared memory that hold something");
}
TEST(ShuffleAttempts, LoadingAgainWhatOthersLoadTakesRequests) {
  expectMissed(exerciseTask(eachFromTheStart), "load requests per block");
}
TEST(ShuffleAttempts, ASpecialCaseForBlocksOf512ShowsAtAnotherSize) {
  expectMissed(exerciseTask(scanForBlocksOf512), "active lanes per memory request, blocks of 128");
}
TEST(ShuffleAttempts, EachOfTheTwoBarriersIsNeeded) {
  expectWrong(exerciseTask(scan<Variant{.waits = false}>), "with no __sync");
  expectWrong(exerciseTask(scan<Variant{.waitsAgain = false}>), "with no __sync");
}
TEST(ShuffleAttempts, ATotalHasItsOwnElement) {
  expectWrong(exerciseTask(scan<Variant{.exclusive = true}>), "instead of");
}
TEST(ShuffleAttempts, AWarpNeedsTheSumOfTheWarpsBeforeIt) {
  expectWrong(exerciseTask(scan<Variant{.ownWarpToo = true}>), "instead of");
}
TEST(ShuffleAttempts, AllLanesTakePartInAShuffle) {
  expectWrong(exerciseTask(scan<Variant{.onlyInside = true}>), "lane");
}
TEST(ShuffleAttempts, AnIndexOf32BitsEndsAtFourThousandMillion) {
  expectWrongWhereLarge(exerciseTask(scan<Variant{.index32Bits = true}>));
}
TEST(ShuffleAttempts, TheSolutionIsRightWhateverItsHelpersAreCalled) {
  const Captured out(std::cout);
  const Exercise<int> right = exerciseTask(solved::solution);
  EXPECT_EQ(gradeGoals(right), right.goals.size()) << out.text();
}
TEST(ShuffleAttempts, WhatIsOutOfSightIsNotCountedAsNothing) {
  expectHidden(exerciseTask(passesOutOfSight), "does not see how element");
}
