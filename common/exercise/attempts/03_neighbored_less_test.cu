// Attempts at lesson 03's exercise, the sum of every four neighbours.
#include "../../../03_neighbored_less/exercise_task.h"
#include "attempts_testing.h"

namespace {

// Adds up four neighbours from shared memory, where element i is at i + i / 32.
__device__ int sumOfFour(const int* block, unsigned t) {
  int sum = 0;
  for (unsigned i = 4 * t; i < 4 * t + 4; ++i) sum += block[i + i / 32];
  return sum;
}

__global__ void oneThread(int* data, int* sums, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x, end = min(n, first + blockDim.x);
  if (threadIdx.x > 0) return;
  for (size_t i = first; i < end; i += 4) {
    int sum = 0;
    for (size_t k = i; k < min(i + 4, end); ++k) sum += data[k];
    sums[i / 4] = sum;
  }
}

__global__ void oneWarp(int* data, int* sums, size_t n) {
  __shared__ int block[1024 + 32];
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  if (threadIdx.x >= 32) return;
  for (unsigned i = threadIdx.x; i < blockDim.x; i += 32)
    block[i + i / 32] = first + i < n ? data[first + i] : 0;
  __syncwarp();
  for (unsigned t = threadIdx.x; t < blockDim.x / 4 && first + 4 * t < n; t += 32)
    sums[first / 4 + t] = sumOfFour(block, t);
}

// All load, and so many warps add.
template <unsigned warps>
__global__ void fewWarpsAdd(int* data, int* sums, size_t n) {
  __shared__ int block[1024 + 32];
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  block[t + t / 32] = first + t < n ? data[first + t] : 0;
  __syncthreads();
  for (unsigned i = t; t < 32 * warps && i < blockDim.x / 4; i += 32 * warps)
    if (first + 4 * i < n) sums[first / 4 + i] = sumOfFour(block, i);
}

// The first threads load four elements at once, and add them up: no memory but the array's.
__global__ void fourAtOnce(int* data, int* sums, size_t n) {
  const size_t i = 4 * (size_t(blockIdx.x) * blockDim.x / 4 + threadIdx.x);
  if (threadIdx.x >= blockDim.x / 4 || i >= n) return;
  if (i + 4 <= n) {
    const int4 four = *reinterpret_cast<const int4*>(data + i);
    sums[i / 4] = four.x + four.y + four.z + four.w;
    return;
  }
  int sum = 0;
  for (size_t k = i; k < n; ++k) sum += data[k];
  sums[i / 4] = sum;
}

// Shared memory is where the executor does not look.
__attribute__((no_sanitize("thread"), noinline)) __device__ int sumOutOfSight(const int* block,
                                                                              unsigned t) {
  return block[4 * t] + block[4 * t + 1] + block[4 * t + 2] + block[4 * t + 3];
}
__global__ void addsOutOfSight(int* data, int* sums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  block[t] = first + t < n ? data[first + t] : 0;
  __syncthreads();
  if (t < blockDim.x / 4 && first + 4 * t < n) sums[first / 4 + t] = sumOutOfSight(block, t);
}

__attribute__((no_sanitize("thread"), noinline)) __device__ int loadOutOfSight(const int* data,
                                                                               size_t i, size_t n) {
  int sum = 0;
  for (size_t k = i; k < min(i + 4, n); ++k) sum += data[k];
  return sum;
}
__global__ void loadsOutOfSight(int* data, int* sums, size_t n) {
  const size_t i = 4 * (size_t(blockIdx.x) * blockDim.x / 4 + threadIdx.x);
  if (threadIdx.x < blockDim.x / 4 && i < n) sums[i / 4] = loadOutOfSight(data, i, n);
}

// What is loaded in sight is thrown away; another load, out of sight, is what counts.
__global__ void loadsForShow(int* data, int* sums, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x, i = first + 4 * threadIdx.x;
  const volatile int* const shown = data;
  if (first + threadIdx.x < n) (void)shown[first + threadIdx.x];
  if (threadIdx.x < blockDim.x / 4 && i < n) sums[i / 4] = loadOutOfSight(data, i, n);
}

// Threads hand each other what they have in memory of the host.
int handedOver[1024];
__attribute__((no_sanitize("thread"), noinline)) __device__ void handOver(unsigned t, int value) {
  handedOver[t] = value;
}
__global__ void passesOutOfSight(int* data, int* sums, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  handOver(t, first + t < n ? data[first + t] : 0);
  __syncthreads();
  if (t < blockDim.x / 4 && first + 4 * t < n) sums[first / 4 + t] = sumOutOfSight(handedOver, t);
}

#if defined(__x86_64__)
__device__ int loadInAssembly(const int* p) {
  int value;
  asm volatile("movl (%1), %0" : "=r"(value) : "r"(p) : "memory");
  return value;
}
__global__ void loadsInAssembly(int* data, int* sums, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x, i = first + 4 * threadIdx.x;
  const volatile int* const shown = data;
  if (first + threadIdx.x < n) (void)shown[first + threadIdx.x];
  if (threadIdx.x >= blockDim.x / 4 || i >= n) return;
  int sum = 0;
  for (size_t k = i; k < min(i + 4, n); ++k) sum += loadInAssembly(data + k);
  sums[i / 4] = sum;
}
#endif

__global__ void noGaps(int* data, int* sums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  block[t] = first + t < n ? data[first + t] : 0;
  __syncthreads();
  if (t < blockDim.x / 4 && first + 4 * t < n)
    sums[first / 4 + t] = block[4 * t] + block[4 * t + 1] + block[4 * t + 2] + block[4 * t + 3];
}

__global__ void fourLoadsInARow(int* data, int* sums, size_t n) {
  const size_t i = 4 * (size_t(blockIdx.x) * blockDim.x / 4 + threadIdx.x);
  if (threadIdx.x >= blockDim.x / 4 || i >= n) return;
  int sum = 0;
  for (size_t k = i; k < min(i + 4, n); ++k) sum += data[k];
  sums[i / 4] = sum;
}

__global__ void everyFourthStores(int* data, int* sums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int sum = i < n ? data[i] : 0;
  sum += __shfl_xor_sync(0xffffffff, sum, 1);
  sum += __shfl_xor_sync(0xffffffff, sum, 2);
  if (i % 4 == 0 && i < n) sums[i / 4] = sum;
}

template <typename Index, bool waits>
__global__ void throughShared(int* data, int* sums, size_t n) {
  __shared__ int block[1024 + 32];
  const unsigned t = threadIdx.x;
  const Index first = Index(blockIdx.x) * blockDim.x;
  block[t + t / 32] = first + t < n ? data[first + t] : 0;
  if (waits) __syncthreads();
  if (t < blockDim.x / 4 && first + 4 * t < n) sums[first / 4 + t] = sumOfFour(block, t);
}

}  // namespace

TEST(NeighboredLessAttempts, OneThreadLeavesTheLanesIdle) {
  expectMissed(exerciseTask(oneThread), "active lanes per memory request");
}
TEST(NeighboredLessAttempts, OneWarpLetsTheOthersWait) {
  expectMissed(exerciseTask(oneWarp), "elements that the busiest warp loads");
}
TEST(NeighboredLessAttempts, WhatIsOutOfSightIsNotCountedAsNothing) {
  expectHidden(exerciseTask(addsOutOfSight), "loads from only 0 of them");
  expectHidden(exerciseTask(loadsOutOfSight), "loads of 0 of the 16384 elements");
  expectHidden(exerciseTask(loadsForShow), "does not see how element");
  expectHidden(exerciseTask(passesOutOfSight), "does not see how element");
#if defined(__x86_64__)
  expectHidden(exerciseTask(loadsInAssembly), "does not see how element");
#endif
}
TEST(NeighboredLessAttempts, WithoutGapsFourThreadsMeetInABank) {
  expectMissed(exerciseTask(noGaps), "bank conflicts in loads per block");
}
TEST(NeighboredLessAttempts, FourLoadsInARowTakeFourTimesTheSectors) {
  expectMissed(exerciseTask(fourLoadsInARow), "load sectors per block");
}
TEST(NeighboredLessAttempts, EveryFourthLaneStoresFourTimesAsOften) {
  expectMissed(exerciseTask(everyFourthStores), "store requests per block");
}
TEST(NeighboredLessAttempts, WithoutABarrierThereIsARace) {
  expectWrong(exerciseTask(throughShared<size_t, false>), "with no __sync");
}
TEST(NeighboredLessAttempts, AnIndexOf32BitsEndsAtFourThousandMillion) {
  expectWrongWhereLarge(exerciseTask(throughShared<unsigned, true>));
}
TEST(NeighboredLessAttempts, OneWarpThatAddsLetsTheOthersWait) {
  expectMissed(exerciseTask(fewWarpsAdd<1>), "numbers that the busiest warp loads");
  expectMissed(exerciseTask(fewWarpsAdd<2>), "numbers that the busiest warp loads");
}
TEST(NeighboredLessAttempts, FourElementsAtOnceHaveEarnedFullMarks) {
  expectFullMarks(exerciseTask(fourAtOnce));
}
