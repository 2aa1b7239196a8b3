// Attempts at the small exercises of lessons 02 to 04: the pages show the right ones, and each of
// the others is a wrong idea.
#include "../../../02_neighbored/practice_task.h"
#include "../../../03_neighbored_less/practice_task.h"
#include "../../../04_interleaved/practice_task.h"
#include "practice_testing.h"

// ---- 02

namespace lesson02 {

__global__ void doubled(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) results[i] = 2 * data[i];
}
__global__ void empty(int*, int*, size_t) {}
__global__ void everyBlockTheSame(int* data, int* results, size_t n) {
  const size_t i = threadIdx.x;
  if (i < n) results[i] = 2 * data[i];
}
__global__ void withoutAnEnd(int* data, int* results, size_t) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  results[i] = 2 * data[i];
}
__global__ void oneTooMany(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i <= n) results[i] = 2 * data[i];
}

__global__ void neighbours(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
  __syncthreads();
  if (i < n) {
    const bool isLast = threadIdx.x == blockDim.x - 1 || i == n - 1;
    results[i] = isLast ? 0 : data[i + 1];
  }
}
__global__ void everyBlockDoublesAll(int* data, int* results, size_t n) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x) results[i] = 2 * data[i];
}
__global__ void leavesTheFirstOut(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const bool isLast = threadIdx.x == blockDim.x - 1 || i + 1 >= n;
  if (i < n) results[i] = isLast ? 0 : 2 * data[i + 1];
}
enum class Barrier { none, within, before, after };
template <Barrier barrier>
__global__ void wrongNeighbours(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (barrier == Barrier::before) __syncthreads();
  if (i < n) {
    data[i] *= 2;
    if (barrier == Barrier::within) __syncthreads();
    const bool isLast = threadIdx.x == blockDim.x - 1 || i == n - 1;
    results[i] = isLast ? 0 : data[i + 1];
  }
  if (barrier == Barrier::after) __syncthreads();
}

}  // namespace lesson02

TEST(PracticeOf02, AKernelThatRuns) {
  using namespace lesson02;
  expectSolved(said(practiceOf02, 1, doubled));
  expectNotYet(said(practiceOf02, 1, everyBlockDoublesAll), "the other threads wait for it");
  expectNotYet(said(practiceOf02, 1, empty), "was never written");
  expectNotYet(said(practiceOf02, 1, everyBlockTheSame), "result 64 of 997 was never written");
  expectNotYet(said(practiceOf02, 1, withoutAnEnd), "but data has 1 element");
  expectNotYet(said(practiceOf02, 1, oneTooMany), "but data has 1 element");
}
TEST(PracticeOf02, ABarrierBetweenWritingAndReading) {
  using namespace lesson02;
  expectSolved(said(practiceOf02, 2, neighbours));
  expectNotYet(said(practiceOf02, 2, leavesTheFirstOut), "the others are left out");
  expectNotYet(said(practiceOf02, 2, wrongNeighbours<Barrier::none>), "race");
  expectNotYet(said(practiceOf02, 2, wrongNeighbours<Barrier::within>), "never reached it");
  expectNotYet(said(practiceOf02, 2, wrongNeighbours<Barrier::before>), "race");
  expectNotYet(said(practiceOf02, 2, wrongNeighbours<Barrier::after>), "race");
}
TEST(PracticeOf02, TurnsThatDiverge) {
  expectSolved(said(practiceOf02, 3, 95.0));
  expectIdeasWrong(practiceOf02, 3);
}

// ---- 03

namespace lesson03 {

__global__ void firstThreads(int* data, int* results, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  const unsigned mine = 2 * threadIdx.x;
  const bool works = mine < blockDim.x;
  const size_t i = first + mine;
  if (works && i + 1 < n) results[i / 2] = data[i] + data[i + 1];
}
enum class Idea { everySecond, noEnd, ownPlace, forBlocksOf512, firstBlocks };
template <Idea idea>
__global__ void otherThreads(int* data, int* results, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * (idea == Idea::firstBlocks ? 2 : 1);
  const unsigned t = threadIdx.x;
  const unsigned mine = idea == Idea::everySecond || idea == Idea::ownPlace ? t : 2 * t;
  const bool works = idea == Idea::everySecond      ? mine % 2 == 0
                     : idea == Idea::ownPlace       ? t < blockDim.x / 2
                     : idea == Idea::forBlocksOf512 ? mine < 512
                                                    : true;
  const size_t i = first + mine;
  if (works && i + 1 < n) results[i / 2] = data[i] + data[i + 1];
}

__device__ unsigned padded(unsigned i) { return i + i / 32; }
__device__ unsigned asItIs(unsigned i) { return i; }
__device__ unsigned shifted(unsigned i) { return i + 1; }
__device__ unsigned spread(unsigned i) { return 2 * i; }
__device__ unsigned evenFirst(unsigned i) { return i / 2 + i % 2 * blockDim.x / 2; }
template <unsigned (*place)(unsigned)>
__global__ void pairsAt(int* data, int* results, size_t n) {
  __shared__ int block[1056];
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  block[place(t)] = first + t < n ? data[first + t] : 0;
  __syncthreads();
  const unsigned mine = 2 * t;
  if (mine < blockDim.x && first + mine + 1 < n)
    results[(first + mine) / 2] = block[place(mine)] + block[place(mine + 1)];
}
// Nothing meets in a bank, as every second thread rests.
__global__ void everySecondAdds(int* data, int* results, size_t n) {
  __shared__ int block[1056];
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  block[threadIdx.x] = i < n ? data[i] : 0;
  __syncthreads();
  if (i % 2 == 0 && i + 1 < n) results[i / 2] = block[threadIdx.x] + block[threadIdx.x + 1];
}

}  // namespace lesson03

TEST(PracticeOf03, TheFirstThreadsWork) {
  using namespace lesson03;
  expectSolved(said(practiceOf03, 1, firstThreads));
  expectNotYet(said(practiceOf03, 1, otherThreads<Idea::everySecond>), "active lanes per memory");
  expectNotYet(said(practiceOf03, 1, otherThreads<Idea::noEnd>), "load requests per block");
  expectNotYet(said(practiceOf03, 1, otherThreads<Idea::ownPlace>), "race");
  expectNotYet(said(practiceOf03, 1, otherThreads<Idea::forBlocksOf512>),
               "load requests per block, blocks of 64");
  expectNotYet(said(practiceOf03, 1, otherThreads<Idea::firstBlocks>),
               "multiprocessors without a block stand idle");
}
TEST(PracticeOf03, RequestsOfTheLessonsKernel) {
  expectSolved(said(practiceOf03, 2, 41.0));
  expectIdeasWrong(practiceOf03, 2);
}
TEST(PracticeOf03, NoTwoLanesMeetInABank) {
  using namespace lesson03;
  expectSolved(said(practiceOf03, 3, pairsAt<padded>));
  expectNotYet(said(practiceOf03, 3, firstThreads), "by way of shared memory");
  expectNotYet(said(practiceOf03, 3, everySecondAdds), "the first threads of the block add");
  expectNotYet(said(practiceOf03, 3, pairsAt<asItIs>), "bank conflicts in loads per block");
  expectNotYet(said(practiceOf03, 3, pairsAt<shifted>), "bank conflicts in loads per block");
  expectNotYet(said(practiceOf03, 3, pairsAt<spread>), "bank conflicts in loads per block");
  expectNotYet(said(practiceOf03, 3, pairsAt<evenFirst>), "bank conflicts in stores per block");
}

// ---- 04

namespace lesson04 {

__global__ void halfAway(int* data, int* results, size_t n) {
  const unsigned t = threadIdx.x, half = blockDim.x / 2;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  if (t < half && i < n) {
    int sum = data[i];
    if (i + half < n) sum += data[i + half];
    results[blockIdx.x * size_t(half) + t] = sum;
  }
}
enum class Partner { withoutAnEnd, next, none };
template <Partner partner>
__global__ void otherPartner(int* data, int* results, size_t n) {
  const unsigned t = threadIdx.x, half = blockDim.x / 2;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  if (t < half && i < n) {
    int sum = data[i];
    if (partner == Partner::withoutAnEnd) sum += data[i + half];
    if (partner == Partner::next && i + 1 < n) sum += data[i + 1];
    results[blockIdx.x * size_t(half) + t] = sum;
  }
}
__global__ void firstWarpAddsHalves(int* data, int* results, size_t n) {
  const size_t half = blockDim.x / 2;
  for (size_t t = threadIdx.x; threadIdx.x < 32 && t < half; t += 32) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + t;
    if (i < n) results[blockIdx.x * half + t] = data[i] + (i + half < n ? data[i + half] : 0);
  }
}

template <bool everyThreadAdds, bool barrierForThoseWhoAdd>
__global__ void tree(int* data, int* results, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (everyThreadAdds ? t + stride < blockDim.x : t < stride) {
      if (barrierForThoseWhoAdd) __syncthreads();
      block[t] += block[t + stride];
    }
    __syncthreads();
  }
  if (t == 0) results[blockIdx.x] = block[0];
}

}  // namespace lesson04

TEST(PracticeOf04, HalfABlockFurtherOn) {
  using namespace lesson04;
  expectSolved(said(practiceOf04, 1, halfAway));
  expectNotYet(said(practiceOf04, 1, firstWarpAddsHalves), "the other threads wait for it");
  expectNotYet(said(practiceOf04, 1, otherPartner<Partner::withoutAnEnd>),
               "but data has 1 element");
  expectNotYet(said(practiceOf04, 1, otherPartner<Partner::next>), "instead of");
  expectNotYet(said(practiceOf04, 1, otherPartner<Partner::none>), "instead of");
}
TEST(PracticeOf04, SectorsOfTheLessonsKernel) {
  expectSolved(said(practiceOf04, 2, 133.0));
  expectIdeasWrong(practiceOf04, 2);
}
TEST(PracticeOf04, OnlyTheLowerHalfAdds) {
  using namespace lesson04;
  expectSolved(said(practiceOf04, 3, tree<false, false>));
  expectNotYet(said(practiceOf04, 3, oneThreadAdds<false>), "the other threads wait for it");
  expectNotYet(said(practiceOf04, 3, atomicAdds<false>), "one after the other");
  expectNotYet(said(practiceOf04, 3, tree<true, false>), "race");
  expectNotYet(said(practiceOf04, 3, tree<false, true>), "wait for different barriers");
}
