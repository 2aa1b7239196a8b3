// Attempts at lesson 07's exercise, a checksum of every block.
#include "../../../07_complete_unroll/exercise_task.h"
#include "attempts_testing.h"

namespace {

// The solution's steps, with what is often got wrong in them.
struct Variant {
  bool skips64 = false;      // > 128 for >= 128
  bool adds = false;         // + for ^
  bool waitsInWarp = true;   // __syncwarp() in the last steps
  bool waitsForAll = false;  // __syncthreads() in the last steps
  bool index32Bits = false;
};

template <Variant variant>
__device__ void join(int* partial, unsigned t, unsigned stride) {
  if (t >= stride) return;
  partial[t] = variant.adds ? partial[t] + partial[t + stride] : partial[t] ^ partial[t + stride];
}

template <unsigned blockSize, Variant variant>
__global__ void checksum(int* data, int* checksums, size_t n) {
  __shared__ int partial[blockSize];
  const unsigned t = threadIdx.x;
  const size_t i =
      variant.index32Bits ? blockIdx.x * blockSize + t : size_t(blockIdx.x) * blockSize + t;
  partial[t] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned stride = blockSize / 2; stride >= 64; stride /= 2) {
    if (!(variant.skips64 && blockSize == 128)) join<variant>(partial, t, stride);
    __syncthreads();
  }
  for (unsigned stride = blockSize > 32 ? 32 : 16; stride > 0; stride /= 2) {
    if (t < 32) join<variant>(partial, t, stride);
    if (variant.waitsForAll)
      __syncthreads();
    else if (variant.waitsInWarp && t < 32)
      __syncwarp();
  }
  if (t == 0) checksums[blockIdx.x] = partial[0];
}

// One thread, or one warp, for a block of any size.
template <unsigned blockSize, unsigned working>
__global__ void fewThreads(int* data, int* checksums, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockSize, end = min(n, first + blockSize);
  if (threadIdx.x >= working) return;
  int sum = 0;
  for (size_t i = first + threadIdx.x; i < end; i += working) sum ^= data[i];
  if (working == 32)
    for (unsigned delta = 16; delta > 0; delta /= 2) sum ^= __shfl_xor_sync(0xffffffff, sum, delta);
  if (threadIdx.x == 0) checksums[blockIdx.x] = sum;
}

template <Variant variant>
BlockSumKernel kernelFor(unsigned block) {
  switch (block) {
    case 32: return checksum<32, variant>;
    case 64: return checksum<64, variant>;
    case 128: return checksum<128, variant>;
    case 256: return checksum<256, variant>;
    case 512: return checksum<512, variant>;
    default: return checksum<1024, variant>;
  }
}

template <unsigned working>
BlockSumKernel fewThreadsFor(unsigned block) {
  switch (block) {
    case 32: return fewThreads<32, working>;
    case 64: return fewThreads<64, working>;
    case 128: return fewThreads<128, working>;
    case 256: return fewThreads<256, working>;
    case 512: return fewThreads<512, working>;
    default: return fewThreads<1024, working>;
  }
}

__global__ void anySize(int* data, int* checksums, size_t n) {
  kernelFor<Variant{}>(blockDim.x)(data, checksums, n);
}

// Unrolled where the length is the graded one.
template <unsigned blockSize>
__global__ void unrolledForTheGradedLength(int* data, int* checksums, size_t n) {
  if (n == 1 << 14)
    checksum<blockSize, Variant{}>(data, checksums, n);
  else
    fewThreads<blockSize, 1>(data, checksums, n);
}
// Each warp by shuffles; the first one has what the others leave.
template <unsigned blockSize>
__global__ void byShuffles(int* data, int* checksums, size_t n) {
  __shared__ int ofWarps[32];
  const unsigned t = threadIdx.x, lane = t % 32;
  const size_t i = size_t(blockIdx.x) * blockSize + t;
  int sum = i < n ? data[i] : 0;
  for (unsigned delta = 16; delta > 0; delta /= 2) sum ^= __shfl_xor_sync(0xffffffff, sum, delta);
  if (lane == 0) ofWarps[t / 32] = sum;
  __syncthreads();
  if (t >= 32) return;
  sum = lane < blockSize / 32 ? ofWarps[lane] : 0;
  for (unsigned delta = 16; delta > 0; delta /= 2) sum ^= __shfl_xor_sync(0xffffffff, sum, delta);
  if (t == 0) checksums[blockIdx.x] = sum;
}
#define FOR_EACH_SIZE(kernel)            \
  [](unsigned block) -> BlockSumKernel { \
    switch (block) {                     \
      case 32: return kernel<32>;        \
      case 64: return kernel<64>;        \
      case 128: return kernel<128>;      \
      case 256: return kernel<256>;      \
      case 512: return kernel<512>;      \
      default: return kernel<1024>;      \
    }                                    \
  }

BlockSumKernel unrolledFor512(unsigned block) {
  return block == 512 ? kernelFor<Variant{}>(block) : fewThreadsFor<1>(block);
}

}  // namespace

TEST(CompleteUnrollAttempts, OneThreadLeavesTheLanesIdle) {
  expectMissed(exerciseTask(fewThreadsFor<1>), "active lanes per memory request");
}
TEST(CompleteUnrollAttempts, OneWarpLetsTheOthersWait) {
  expectMissed(exerciseTask(fewThreadsFor<32>), "elements that the busiest warp loads");
}
TEST(CompleteUnrollAttempts, ASpecialCaseForBlocksOf512ShowsAtAnotherSize) {
  expectMissed(exerciseTask(unrolledFor512), "active lanes per memory request, blocks of 1024");
}
TEST(CompleteUnrollAttempts, OneKernelForAllSizesIsNotUnrolled) {
  expectMissed(exerciseTask([](unsigned) -> BlockSumKernel { return anySize; }),
               "block sizes without a kernel of their own");
}
TEST(CompleteUnrollAttempts, OneKernelForTwoOfTheSizesIsNotUnrolledForBoth) {
  expectMissed(exerciseTask([](unsigned block) -> BlockSumKernel {
                 return block == 64 || block == 128 ? anySize : kernelFor<Variant{}>(block);
               }),
               "block sizes without a kernel of their own");
}
TEST(CompleteUnrollAttempts, GreaterForGreaterOrEqualShowsAtBlocksOf128) {
  expectWrong(exerciseTask(kernelFor<Variant{.skips64 = true}>), "block 128");
}
TEST(CompleteUnrollAttempts, ASumIsNoChecksum) {
  expectWrong(exerciseTask(kernelFor<Variant{.adds = true}>), "instead of");
}
TEST(CompleteUnrollAttempts, WithoutSyncwarpThereIsARace) {
  expectWrong(exerciseTask(kernelFor<Variant{.waitsInWarp = false}>), "with no __sync");
}
TEST(CompleteUnrollAttempts, ABarrierInEachStepIsTooMany) {
  expectMissed(exerciseTask(kernelFor<Variant{.waitsForAll = true}>), "barriers per block");
}
TEST(CompleteUnrollAttempts, AnIndexOf32BitsEndsAtFourThousandMillion) {
  expectWrongWhereLarge(exerciseTask(kernelFor<Variant{.index32Bits = true}>));
}
TEST(CompleteUnrollAttempts, TheirKernelIsRightOtherwise) {
  const Captured out(std::cout);
  const Exercise<int> right = exerciseTask(kernelFor<Variant{}>);
  EXPECT_EQ(gradeGoals(right), right.goals.size()) << out.text();
}
TEST(CompleteUnrollAttempts, ASpecialCaseForTheGradedLengthShowsAtOthers) {
  expectMissed(exerciseTask(FOR_EACH_SIZE(unrolledForTheGradedLength)),
               "active lanes per memory request");
}
TEST(CompleteUnrollAttempts, ShufflesHaveEarnedFullMarks) {
  expectFullMarks(exerciseTask(FOR_EACH_SIZE(byShuffles)));
}
