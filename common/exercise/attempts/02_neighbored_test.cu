// Attempts at lesson 02's exercise, the range of every block.
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../../02_neighbored/exercise_task.h"
#include "attempts_testing.h"

namespace {

// The elements first, first + step, … below end.
__device__ int rangeOf(const int* data, size_t first, size_t end, unsigned step = 1) {
  int largest = data[first], smallest = largest;
  for (size_t i = first + step; i < end; i += step) {
    largest = max(largest, data[i]);
    smallest = min(smallest, data[i]);
  }
  return largest - smallest;
}

// The tree of the solution, with a choice of what a thread past the end puts in.
template <typename Value = int>
__device__ void tree(Value element, int* ranges) {
  __shared__ Value largest[1024];
  __shared__ Value smallest[1024];
  const unsigned t = threadIdx.x;
  largest[t] = smallest[t] = element;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) {
      largest[t] = max(largest[t], largest[t + stride]);
      smallest[t] = min(smallest[t], smallest[t + stride]);
    }
    __syncthreads();
  }
  if (t == 0) *ranges = int(largest[0] - smallest[0]);
}

__global__ void oneThread(int* data, int* ranges, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  if (threadIdx.x == 0) ranges[blockIdx.x] = rangeOf(data, first, min(n, first + blockDim.x));
}

__global__ void oneWarp(int* data, int* ranges, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x, end = min(n, first + blockDim.x);
  if (threadIdx.x >= 32) return;
  int largest = data[first], smallest = largest;
  for (size_t i = first + threadIdx.x; i < end; i += 32) {
    const int element = data[i];
    largest = max(largest, element);
    smallest = min(smallest, element);
  }
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    largest = max(largest, __shfl_xor_sync(0xffffffff, largest, delta));
    smallest = min(smallest, __shfl_xor_sync(0xffffffff, smallest, delta));
  }
  if (threadIdx.x == 0) ranges[blockIdx.x] = largest - smallest;
}

__global__ void treeForBlocksOf512(int* data, int* ranges, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (blockDim.x == 512)
    tree(data[min(i, n - 1)], ranges + blockIdx.x);
  else
    oneThread(data, ranges, n);
}

__global__ void firstBlockDoesAll(int* data, int* ranges, size_t n) {
  if (blockIdx.x > 0) return;
  for (unsigned b = 0; b < gridDim.x; ++b) {
    tree(data[min(size_t(b) * blockDim.x + threadIdx.x, n - 1)], ranges + b);
    __syncthreads();
  }
}

__global__ void zeroPastTheEnd(int* data, int* ranges, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  tree(i < n ? data[i] : 0, ranges + blockIdx.x);
}

__global__ void loadsPastTheEnd(int* data, int* ranges, size_t) {
  tree(data[size_t(blockIdx.x) * blockDim.x + threadIdx.x], ranges + blockIdx.x);
}

__global__ void twoTrees(int* data, int* ranges, size_t n) {
  __shared__ int values[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  const int element = data[min(i, n - 1)];
  int found[2];
  for (const int sign : {1, -1}) {
    values[t] = sign * element;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
      if (t % (2 * stride) == 0) values[t] = max(values[t], values[t + stride]);
      __syncthreads();
    }
    found[sign < 0] = values[0];
    __syncthreads();
  }
  if (t == 0) ranges[blockIdx.x] = found[0] + found[1];
}

__global__ void atomicsOfAll(int* data, int* ranges, size_t n) {
  __shared__ int largest, smallest;
  const size_t first = size_t(blockIdx.x) * blockDim.x, i = first + threadIdx.x;
  if (threadIdx.x == 0) largest = INT_MIN, smallest = INT_MAX;
  __syncthreads();
  const int element = data[min(i, n - 1)];
  atomicMax(&largest, element);
  atomicMin(&smallest, element);
  __syncthreads();
  if (threadIdx.x == 0) ranges[blockIdx.x] = largest - smallest;
}

__global__ void indexOf32Bits(int* data, int* ranges, size_t n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tree(data[min(size_t(i), n - 1)], ranges + blockIdx.x);
}

// All load, and so many threads do the rest.
template <unsigned working>
__global__ void fewAfterLoading(int* data, int* ranges, size_t n) {
  __shared__ int values[1024], ends[2][working];
  const unsigned t = threadIdx.x;
  values[t] = data[min(size_t(blockIdx.x) * blockDim.x + t, n - 1)];
  __syncthreads();
  if (t < working) {
    int largest = values[t], smallest = largest;
    for (unsigned i = t + working; i < blockDim.x; i += working) {
      const int value = values[i];
      largest = max(largest, value);
      smallest = min(smallest, value);
    }
    ends[0][t] = largest;
    ends[1][t] = smallest;
  }
  __syncthreads();
  if (t > 0) return;
  int largest = ends[0][0], smallest = ends[1][0];
  for (unsigned i = 1; i < working; ++i) {
    largest = max(largest, ends[0][i]);
    smallest = min(smallest, ends[1][i]);
  }
  ranges[blockIdx.x] = largest - smallest;
}

// A thread whose pair changes nothing stores nothing.
__global__ void treeThatStoresWhatChanges(int* data, int* ranges, size_t n) {
  __shared__ int largest[1024], smallest[1024];
  const unsigned t = threadIdx.x;
  largest[t] = smallest[t] = data[min(size_t(blockIdx.x) * blockDim.x + t, n - 1)];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) {
      if (largest[t + stride] > largest[t]) largest[t] = largest[t + stride];
      if (smallest[t + stride] < smallest[t]) smallest[t] = smallest[t + stride];
    }
    __syncthreads();
  }
  if (t == 0) ranges[blockIdx.x] = largest[0] - smallest[0];
}

// Well done where it was seen to be graded.
__device__ void treeWhere(bool isGraded, int* data, int* ranges, size_t n) {
  if (isGraded)
    tree(data[min(size_t(blockIdx.x) * blockDim.x + threadIdx.x, n - 1)], ranges + blockIdx.x);
  else
    oneThread(data, ranges, n);
}
__global__ void treeForBlocksOf128And512(int* data, int* ranges, size_t n) {
  treeWhere(blockDim.x == 128 || blockDim.x == 512, data, ranges, n);
}
__global__ void treeForTheLengthThatIsGraded(int* data, int* ranges, size_t n) {
  treeWhere(n == 1 << 14, data, ranges, n);
}
__global__ void treeForShortArrays(int* data, int* ranges, size_t n) {
  treeWhere(n < 20000, data, ranges, n);
}
__global__ void treeForGridsOfPowersOfTwo(int* data, int* ranges, size_t n) {
  treeWhere(n % blockDim.x == 0 && (gridDim.x & (gridDim.x - 1)) == 0, data, ranges, n);
}
__global__ void treeInTheFirstBlocks(int* data, int* ranges, size_t n) {
  treeWhere(blockIdx.x < 128, data, ranges, n);
}

__global__ void leavesTheRest(int* data, int* ranges, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i - threadIdx.x < 9000) tree(data[min(i, n - 1)], ranges + blockIdx.x);
}

enum class End { exit, _exit, _Exit, quick_exit, longjmp };
template <End way>
__global__ void endsTheProgram(int* data, int* ranges, size_t n) {
  static jmp_buf place;
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  tree(data[min(i, n - 1)], ranges + blockIdx.x);
  if (way == End::longjmp && setjmp(place) != 0) return;
  switch (way) {
    case End::exit: exit(0);
    case End::_exit: _exit(0);
    case End::_Exit: _Exit(0);
    case End::quick_exit: quick_exit(0);
    case End::longjmp: longjmp(place, 1);
  }
}

const std::string busiest = "elements that the busiest warp loads";

__global__ void treeOfUnsigned(int* data, int* ranges, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  tree(unsigned(data[min(i, n - 1)]), ranges + blockIdx.x);
}

}  // namespace

TEST(NeighboredAttempts, OneThreadLeavesTheLanesIdle) {
  expectMissed(exerciseTask(oneThread), "active lanes per memory request, blocks of 512");
}
TEST(NeighboredAttempts, OneWarpLetsTheOthersWait) { expectMissed(exerciseTask(oneWarp), busiest); }
TEST(NeighboredAttempts, ASpecialCaseForBlocksOf512ShowsAtAnotherSize) {
  expectMissed(exerciseTask(treeForBlocksOf512), "active lanes per memory request, blocks of 128");
}
TEST(NeighboredAttempts, OneBlockLetsTheOthersWait) {
  expectWrong(exerciseTask(firstBlockDoesAll),
              "of this grid its last two blocks ran, and no others");
}
TEST(NeighboredAttempts, AZeroPastTheEndIsNoElement) {
  expectWrong(exerciseTask(zeroPastTheEnd), "0 was written where nothing was due");
}
TEST(NeighboredAttempts, PastTheEndThereIsNothing) {
  expectWrong(exerciseTask(loadsPastTheEnd), "but data has");
}
TEST(NeighboredAttempts, TwoTreesNeedTwiceTheBarriers) {
  expectMissed(exerciseTask(twoTrees), "barriers per block");
}
TEST(NeighboredAttempts, AtomicsAreNoTree) {
  expectMissed(exerciseTask(atomicsOfAll), "atomics per block");
}
TEST(NeighboredAttempts, AnIndexOf32BitsEndsAtFourThousandMillion) {
  expectWrongWhereLarge(exerciseTask(indexOf32Bits));
}
TEST(NeighboredAttempts, NegativeElementsAreNoLargeOnes) {
  expectWrong(exerciseTask(treeOfUnsigned), "instead of");
}
TEST(NeighboredAttempts, AfterLoadingOneThreadIsStillOneThread) {
  expectMissed(exerciseTask(fewAfterLoading<1>), "numbers that the busiest thread loads");
  expectMissed(exerciseTask(fewAfterLoading<4>), "numbers that the busiest thread loads");
}
TEST(NeighboredAttempts, AWarpThatScansColumnsHasEarnedFullMarks) {
  expectFullMarks(exerciseTask(fewAfterLoading<32>));
}
TEST(NeighboredAttempts, WhoStoresOnlyWhatChangesHasEarnedFullMarks) {
  expectFullMarks(exerciseTask(treeThatStoresWhatChanges));
}
TEST(NeighboredAttempts, ASpecialCaseForWhatIsGradedShowsElsewhere) {
  const std::string lanes = "active lanes per memory request";
  expectMissed(exerciseTask(treeForBlocksOf128And512), lanes + ", blocks of 256");
  expectMissed(exerciseTask(treeForTheLengthThatIsGraded), lanes);
  expectMissed(exerciseTask(treeForShortArrays), lanes);
  expectMissed(exerciseTask(treeForGridsOfPowersOfTwo), lanes);
  expectMissed(exerciseTask(treeInTheFirstBlocks), lanes);
}
TEST(NeighboredAttempts, WhatIsLeftOutBeyondALengthIsNoMatterOf32Bits) {
  Exercise<int> attempt = exerciseTask(leavesTheRest);
  attempt.extents = {{4099, 512}};  // without those that show it at once
  expectWrong(attempt, "n = 2^14 + 67, block 512: result 31 of 33 was never written");
  expectWrong(attempt, "of this grid its last two blocks ran");
  EXPECT_FALSE(contains(firstMistake(attempt, attempt.extents, {.seed = 1}), "32 bits"));
}
TEST(NeighboredAttempts, AKernelDoesNotEndTheProgram) {
  expectWrong(exerciseTask(endsTheProgram<End::exit>), "calls exit()");
  expectWrong(exerciseTask(endsTheProgram<End::_exit>), "calls _exit()");
  expectWrong(exerciseTask(endsTheProgram<End::_Exit>), "calls _Exit()");
  expectWrong(exerciseTask(endsTheProgram<End::quick_exit>), "calls quick_exit()");
  expectWrong(exerciseTask(endsTheProgram<End::longjmp>), "longjmp");
}
