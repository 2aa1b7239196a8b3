// Attempts at the small exercises of lessons 05 to 08: the pages show the right ones, and each of
// the others is a wrong idea: long, as lists are.
#include "../../../05_unroll2/practice_task.h"
#include "../../../06_unroll8_warp/practice_task.h"
#include "../../../07_complete_unroll/practice_task.h"
#include "../../../08_shuffle/practice_task.h"
#include "practice_testing.h"

// ---- 05

namespace lesson05 {

__global__ void twoDataBlocks(int* data, int* results, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * 2 * blockDim.x + t;
  if (i < n) {
    int sum = data[i];
    if (i + blockDim.x < n) sum += data[i + blockDim.x];
    results[blockIdx.x * size_t(blockDim.x) + t] = sum;
  }
}
enum class Idea { ownBlock, withoutAnEnd, next };
template <Idea idea>
__global__ void otherElements(int* data, int* results, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * (idea == Idea::ownBlock ? 1 : 2) * blockDim.x + t;
  if (i < n) {
    int sum = data[i];
    const size_t second = i + (idea == Idea::next ? 1 : blockDim.x);
    if (second < n || idea == Idea::withoutAnEnd) sum += data[second];
    results[blockIdx.x * size_t(blockDim.x) + t] = sum;
  }
}

__global__ void loadsFirst(int* data, int* results, size_t) {
  const int* const mine = data + size_t(blockIdx.x) * 4 * blockDim.x + threadIdx.x;
  const int a = mine[0], b = mine[blockDim.x], c = mine[2 * blockDim.x], d = mine[3 * blockDim.x];
  results[blockIdx.x * size_t(blockDim.x) + threadIdx.x] = a + b + c + d;
}
__global__ void firstThreadLoads(int* data, int* results, size_t) {
  const int* const mine = data + size_t(blockIdx.x) * 4 * blockDim.x;
  for (unsigned t = 0; threadIdx.x == 0 && t < blockDim.x; ++t)
    results[blockIdx.x * size_t(blockDim.x) + t] =
        mine[t] + mine[t + blockDim.x] + mine[t + 2 * blockDim.x] + mine[t + 3 * blockDim.x];
}
__global__ void oneAfterTheOther(int* data, int* results, size_t) {
  const int* const mine = data + size_t(blockIdx.x) * 4 * blockDim.x + threadIdx.x;
  int* const sum = results + blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  *sum = mine[0];
  *sum += mine[blockDim.x];
  *sum += mine[2 * blockDim.x];
  *sum += mine[3 * blockDim.x];
}
__global__ void twoAndTwo(int* data, int* results, size_t) {
  const int* const mine = data + size_t(blockIdx.x) * 4 * blockDim.x + threadIdx.x;
  int* const sum = results + blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  *sum = mine[0] + mine[blockDim.x];
  *sum += mine[2 * blockDim.x] + mine[3 * blockDim.x];
}

}  // namespace lesson05

TEST(PracticeOf05, TwoDataBlocks) {
  using namespace lesson05;
  expectSolved(said(practiceOf05, 1, twoDataBlocks));
  expectNotYet(said(practiceOf05, 1, firstWarpAdds<2>), "the other threads wait for it");
  expectNotYet(said(practiceOf05, 1, otherElements<Idea::ownBlock>), "but results has 97 elements");
  expectNotYet(said(practiceOf05, 1, otherElements<Idea::withoutAnEnd>), "but data has 1 element");
  expectNotYet(said(practiceOf05, 1, otherElements<Idea::next>), "instead of");
}
TEST(PracticeOf05, FourLoadsBeforeTheFirstAddition) {
  using namespace lesson05;
  expectSolved(said(practiceOf05, 2, loadsFirst));
  expectNotYet(said(practiceOf05, 2, firstThreadLoads), "the other threads wait for it");
  expectNotYet(said(practiceOf05, 2, oneAfterTheOther), "loads of a thread under way at a time");
  expectNotYet(said(practiceOf05, 2, twoAndTwo), "loads of a thread under way at a time");
}
TEST(PracticeOf05, RequestsOfTheLessonsKernel) {
  expectSolved(said(practiceOf05, 3, 73.0));
  expectIdeasWrong(practiceOf05, 3);
}

// ---- 06

namespace lesson06 {

__global__ void asManyAsThereAre(int* data, int* results, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * 8 * blockDim.x + t;
  int sum = 0;
  if (i + 7 * blockDim.x < n) {
    for (unsigned k = 0; k < 8; ++k) sum += data[i + k * blockDim.x];
  } else {
    for (unsigned k = 0; k < 8 && i + k * blockDim.x < n; ++k) sum += data[i + k * blockDim.x];
  }
  if (i < n) results[blockIdx.x * size_t(blockDim.x) + t] = sum;
}
enum class Tail { none, withoutAnEnd, oneElement };
template <Tail tail>
__global__ void otherTails(int* data, int* results, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * 8 * blockDim.x + t;
  int sum = 0;
  if (i + 7 * blockDim.x < n || tail == Tail::withoutAnEnd) {
    for (unsigned k = 0; k < 8; ++k) sum += data[i + k * blockDim.x];
  } else if (tail == Tail::oneElement && i < n) {
    sum = data[i];
  }
  if (i < n) results[blockIdx.x * size_t(blockDim.x) + t] = sum;
}

__global__ void warpSums(int* data, int* results, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x, lane = t % 32;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    __syncwarp();
    if (lane < stride) block[t] += block[t + stride];
  }
  if (lane == 0 && i < n) results[i / 32] = block[t];
}
enum class Wait { never, notBeforeTheFirst, onlyBeforeTheFirst, asABlock, insideTheBranch };
template <Wait wait>
__global__ void otherWarpSums(int* data, int* results, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x, lane = t % 32;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  if (wait == Wait::onlyBeforeTheFirst) __syncwarp();
  if (wait == Wait::asABlock) __syncthreads();
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    if (lane < stride) {
      if (wait == Wait::insideTheBranch) __syncwarp();
      block[t] += block[t + stride];
    }
    if (wait == Wait::notBeforeTheFirst) __syncwarp();
    if (wait == Wait::asABlock) __syncthreads();
  }
  if (lane == 0 && i < n) results[i / 32] = block[t];
}

}  // namespace lesson06

TEST(PracticeOf06, BarriersOfTheLessonsKernel) {
  expectSolved(said(practiceOf06, 1, 4.0));
  expectIdeasWrong(practiceOf06, 1);
}
TEST(PracticeOf06, AsManyElementsAsThereAre) {
  using namespace lesson06;
  expectSolved(said(practiceOf06, 2, asManyAsThereAre));
  expectNotYet(said(practiceOf06, 2, firstWarpAdds<8>), "the other threads wait for it");
  expectNotYet(said(practiceOf06, 2, otherTails<Tail::none>), "instead of");
  expectNotYet(said(practiceOf06, 2, otherTails<Tail::withoutAnEnd>), "but data has 1 element");
  expectNotYet(said(practiceOf06, 2, otherTails<Tail::oneElement>), "instead of");
}
TEST(PracticeOf06, AWarpWaitsForItself) {
  using namespace lesson06;
  expectSolved(said(practiceOf06, 3, warpSums));
  // The lanes that stay away return, and nobody waits for those.
  expectSolved(said(practiceOf06, 3, otherWarpSums<Wait::insideTheBranch>));
  expectNotYet(said(practiceOf06, 3, oneThreadAdds<true>), "the other threads wait for it");
  expectNotYet(said(practiceOf06, 3, atomicAdds<true>), "one after the other");
  expectNotYet(said(practiceOf06, 3, otherWarpSums<Wait::never>), "race");
  expectNotYet(said(practiceOf06, 3, otherWarpSums<Wait::notBeforeTheFirst>), "race");
  expectNotYet(said(practiceOf06, 3, otherWarpSums<Wait::onlyBeforeTheFirst>), "race");
  expectNotYet(said(practiceOf06, 3, otherWarpSums<Wait::asABlock>), "barriers per block");
}

// ---- 07

namespace lesson07 {

__device__ void step(int* block, unsigned stride) {
  if (threadIdx.x < stride) block[threadIdx.x] += block[threadIdx.x + stride];
  __syncthreads();
}
enum class First { perSize, always, never };
template <unsigned blockSize, First first>
__global__ void writtenOut(int* data, int* results, size_t n) {
  __shared__ int block[blockSize];
  const size_t i = size_t(blockIdx.x) * blockSize + threadIdx.x;
  block[threadIdx.x] = i < n ? data[i] : 0;
  __syncthreads();
  if constexpr (first == First::always) step(block, 512);
  if constexpr (first == First::perSize && blockSize >= 1024) step(block, 512);
  if constexpr (blockSize >= 512) step(block, 256);
  if constexpr (blockSize >= 256) step(block, 128);
  if constexpr (blockSize >= 128) step(block, 64);
  for (unsigned stride = 32; stride > 0; stride /= 2) step(block, stride);
  if (threadIdx.x == 0) results[blockIdx.x] = block[0];
}
template <First first>
BlockSumKernel writtenOutFor(unsigned block) {
  return block == 128   ? writtenOut<128, first>
         : block == 512 ? writtenOut<512, first>
                        : writtenOut<1024, first>;
}

enum class Step32 { perSize, always, never, inOneWarp };
template <unsigned blockSize, Step32 step32>
__global__ void lastSteps(int* data, int* results, size_t n) {
  __shared__ int block[64];
  const size_t i = size_t(blockIdx.x) * blockSize + threadIdx.x;
  block[threadIdx.x] = i < n ? data[i] : 0;
  __syncthreads();
  if constexpr (step32 == Step32::always) step(block, 32);
  if constexpr (step32 == Step32::perSize && blockSize >= 64) step(block, 32);
  if (step32 == Step32::inOneWarp && threadIdx.x < 32) step(block, 32);
  for (unsigned stride = 16; stride > 0; stride /= 2) step(block, stride);
  if (threadIdx.x == 0) results[blockIdx.x] = block[0];
}
template <Step32 step32>
BlockSumKernel lastStepsFor(unsigned block) {
  return block == 64 ? lastSteps<64, step32> : lastSteps<32, step32>;
}

}  // namespace lesson07

TEST(PracticeOf07, RequestsOfTheLessonsKernel) {
  expectSolved(said(practiceOf07, 1, 169.0));
  expectIdeasWrong(practiceOf07, 1);
}
TEST(PracticeOf07, TheLargestBlockHasAStepMore) {
  using namespace lesson07;
  expectSolved(said(practiceOf07, 2, writtenOutFor<First::perSize>));
  expectNotYet(said(practiceOf07, 2, oneThreadAdds<false>), "the other threads wait for it");
  expectNotYet(said(practiceOf07, 2, atomicAdds<false>), "one after the other");
  expectNotYet(said(practiceOf07, 2, writtenOutFor<First::never>), "n = 997, block 1024");
  expectNotYet(said(practiceOf07, 2, writtenOutFor<First::always>), "block 128");
}
TEST(PracticeOf07, TheSmallestBlockHasAStepLess) {
  using namespace lesson07;
  expectSolved(said(practiceOf07, 3, lastStepsFor<Step32::perSize>));
  expectNotYet(said(practiceOf07, 3, oneThreadAdds<false>), "the other threads wait for it");
  expectNotYet(said(practiceOf07, 3, atomicAdds<false>), "one after the other");
  expectNotYet(said(practiceOf07, 3, lastStepsFor<Step32::always>), "block 32");
  expectNotYet(said(practiceOf07, 3, lastStepsFor<Step32::never>), "block 64");
  expectNotYet(said(practiceOf07, 3, lastStepsFor<Step32::inOneWarp>),
               "wait for different barriers");
}

// ---- 08

namespace lesson08 {

__global__ void fiveSteps(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int sum = i < n ? data[i] : 0;
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffff, sum, delta);
  if (threadIdx.x % 32 == 0 && i < n) results[i / 32] = sum;
}
__global__ void firstWarpForAll(int* data, int* results, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  for (size_t i = first + threadIdx.x; threadIdx.x < 32 && i < first + blockDim.x; i += 32) {
    int sum = i < n ? data[i] : 0;
    for (unsigned delta = 16; delta > 0; delta /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (threadIdx.x == 0 && i < n) results[i / 32] = sum;
  }
}
enum class Steps { first, each, twice };
template <Steps steps>
__global__ void otherSteps(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int mine = i < n ? data[i] : 0;
  int sum = mine;
  if (steps == Steps::first) sum += __shfl_down_sync(0xffffffff, sum, 16);
  if (steps == Steps::each)
    for (unsigned k = 1; k < 32; ++k) sum += __shfl_sync(0xffffffff, mine, threadIdx.x + k);
  if (steps == Steps::twice)
    for (unsigned delta = 32; delta > 0; delta /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, delta);
  if (threadIdx.x % 32 == 0 && i < n) results[i / 32] = sum;
}

__global__ void allLanesShuffle(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int largest = data[min(i, n - 1)];
  for (unsigned delta = 16; delta > 0; delta /= 2)
    largest = max(largest, __shfl_down_sync(0xffffffff, largest, delta));
  if (threadIdx.x % 32 == 0 && i < n) results[i / 32] = largest;
}
enum class Mask { all, ofThoseWhoShuffle, oneStepFewer };
template <Mask mask>
__global__ void someLanesShuffle(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int largest = data[min(i, n - 1)];
  for (unsigned delta = mask == Mask::oneStepFewer ? 8 : 16; delta > 0; delta /= 2)
    if (threadIdx.x % 32 < delta || mask == Mask::oneStepFewer)
      largest = max(largest, __shfl_down_sync(
                                 mask == Mask::ofThoseWhoShuffle ? (1u << delta) - 1 : 0xffffffff,
                                 largest, delta));
  if (threadIdx.x % 32 == 0 && i < n) results[i / 32] = largest;
}

}  // namespace lesson08

TEST(PracticeOf08, FiveStepsInRegisters) {
  using namespace lesson08;
  expectSolved(said(practiceOf08, 1, fiveSteps));
  expectNotYet(said(practiceOf08, 1, oneThreadAdds<true>), "the other lanes of the warp watch");
  expectNotYet(said(practiceOf08, 1, firstWarpForAll), "the other threads wait for it");
  expectNotYet(said(practiceOf08, 1, atomicAdds<true>), "one after the other");
  expectNotYet(said(practiceOf08, 1, otherSteps<Steps::first>), "instead of");
  expectNotYet(said(practiceOf08, 1, otherSteps<Steps::each>), "shuffles per block");
  expectNotYet(said(practiceOf08, 1, otherSteps<Steps::twice>), "instead of");
}
TEST(PracticeOf08, AllLanesOfTheMaskTakePart) {
  using namespace lesson08;
  expectSolved(said(practiceOf08, 2, allLanesShuffle));
  expectNotYet(said(practiceOf08, 2, someLanesShuffle<Mask::all>), "gets an undefined value");
  expectNotYet(said(practiceOf08, 2, someLanesShuffle<Mask::ofThoseWhoShuffle>), "undefined value");
  expectNotYet(said(practiceOf08, 2, someLanesShuffle<Mask::oneStepFewer>), "instead of");
}
TEST(PracticeOf08, ShufflesOfTheLessonsKernel) {
  expectSolved(said(practiceOf08, 3, 85.0));
  expectIdeasWrong(practiceOf08, 3);
}
