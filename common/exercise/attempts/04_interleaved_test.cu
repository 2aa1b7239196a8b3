// Attempts at lesson 04's exercise, the sum of each of four channels.
#include "../../../04_interleaved/exercise_task.h"
#include "attempts_testing.h"

namespace {

__global__ void oneThread(int* data, int* sums, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x, end = min(n, first + blockDim.x);
  if (threadIdx.x > 0) return;
  int channels[4] = {};
  for (size_t i = first; i < end; ++i) channels[i % 4] += data[i];
  for (unsigned c = 0; c < 4; ++c) sums[4 * blockIdx.x + c] = channels[c];
}

__global__ void oneWarp(int* data, int* sums, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x, end = min(n, first + blockDim.x);
  if (threadIdx.x >= 32) return;
  int sum = 0;
  for (size_t i = first + threadIdx.x; i < end; i += 32) sum += data[i];
  for (unsigned delta = 16; delta >= 4; delta /= 2) sum += __shfl_xor_sync(0xffffffff, sum, delta);
  if (threadIdx.x < 4) sums[4 * blockIdx.x + threadIdx.x] = sum;
}

__global__ void fourThreads(int* data, int* sums, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x, end = min(n, first + blockDim.x);
  if (threadIdx.x >= 4) return;
  int sum = 0;
  for (size_t i = first + threadIdx.x; i < end; i += 4) sum += data[i];
  sums[4 * blockIdx.x + threadIdx.x] = sum;
}

// All load, and the first warp adds up columns of 32.
__global__ void warpOfColumns(int* data, int* sums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  __syncthreads();
  if (t >= 32) return;
  int sum = 0;
  for (unsigned k = t; k < blockDim.x; k += 32) sum += block[k];
  for (unsigned delta = 16; delta >= 4; delta /= 2) sum += __shfl_xor_sync(0xffffffff, sum, delta);
  if (t < 4) sums[4 * blockIdx.x + t] = sum;
}

// A pixel for each of the first threads, by one load.
__global__ void wholePixels(int* data, int* sums, size_t n) {
  __shared__ int ofWarps[8][4];
  const unsigned t = threadIdx.x, lane = t % 32, warps = blockDim.x / 4 / 32;
  const size_t i = size_t(blockIdx.x) * blockDim.x + 4 * t;
  int c[4] = {};
  if (t < blockDim.x / 4 && i + 4 <= n) {
    const int4 pixel = *reinterpret_cast<const int4*>(data + i);
    c[0] = pixel.x, c[1] = pixel.y, c[2] = pixel.z, c[3] = pixel.w;
  } else if (t < blockDim.x / 4) {
    for (unsigned k = 0; k < 4; ++k) c[k] = i + k < n ? data[i + k] : 0;
  }
  for (int& sum : c)
    for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_xor_sync(0xffffffff, sum, delta);
  if (t / 32 < warps && lane < 4)
    ofWarps[t / 32][lane] = lane == 0 ? c[0] : lane == 1 ? c[1] : lane == 2 ? c[2] : c[3];
  if (warps == 0 && t < 4) ofWarps[0][t] = t == 0 ? c[0] : t == 1 ? c[1] : t == 2 ? c[2] : c[3];
  __syncthreads();
  if (t >= 4) return;
  int sum = 0;
  for (unsigned k = 0; k < max(warps, 1u); ++k) sum += ofWarps[k][t];
  sums[4 * blockIdx.x + t] = sum;
}

// The solution, with what is often got wrong in it.
template <typename Index, unsigned lastStride, bool barrierInside, bool ready>
__global__ void tree(int* data, int* sums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const Index i = Index(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  if (ready) __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride >= lastStride; stride /= 2) {
    if (t < stride) {
      block[t] += block[t + stride];
      if (barrierInside) __syncthreads();
    }
    if (!barrierInside) __syncthreads();
  }
  if (t < 4) sums[4 * blockIdx.x + t] = block[t];
}

__global__ void treeForBlocksOf512(int* data, int* sums, size_t n) {
  if (blockDim.x == 512)
    tree<size_t, 4, false, true>(data, sums, n);
  else
    fourThreads(data, sums, n);
}

__global__ void treeOfPixels(int* data, int* sums, size_t n) {
  __shared__ int channels[256][4];
  const unsigned t = threadIdx.x, pixels = blockDim.x / 4;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  channels[t / 4][t % 4] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned stride = pixels / 2; stride > 0; stride /= 2) {
    if (t < stride)
      for (unsigned c = 0; c < 4; ++c) channels[t][c] += channels[t + stride][c];
    __syncthreads();
  }
  if (t < 4) sums[4 * blockIdx.x + t] = channels[0][t];
}

}  // namespace

TEST(InterleavedAttempts, OneThreadLoadsOneElementAtATime) {
  expectMissed(exerciseTask(oneThread), "load requests per block");
  expectMissed(exerciseTask(oneThread), "active lanes per memory request");
}
TEST(InterleavedAttempts, OneWarpLetsTheOthersWait) {
  expectMissed(exerciseTask(oneWarp), "elements that the busiest warp loads");
}
TEST(InterleavedAttempts, AThreadForEachChannelLeavesTheLanesIdle) {
  expectMissed(exerciseTask(fourThreads), "active lanes per memory request");
}
TEST(InterleavedAttempts, ASpecialCaseForBlocksOf512ShowsAtAnotherSize) {
  expectMissed(exerciseTask(treeForBlocksOf512), "active lanes per memory request, blocks of 128");
}
TEST(InterleavedAttempts, ATreeOfPixelsHasBankConflicts) {
  expectMissed(exerciseTask(treeOfPixels), "bank conflicts in loads per block");
}
TEST(InterleavedAttempts, ABarrierInTheIfIsMissed) {
  expectWrong(exerciseTask(tree<size_t, 4, true, true>), "never reached it");
}
TEST(InterleavedAttempts, BelowStride4ChannelsMix) {
  expectWrong(exerciseTask(tree<size_t, 2, false, true>), "instead of");
}
TEST(InterleavedAttempts, WithoutTheFirstBarrierThereIsARace) {
  expectWrong(exerciseTask(tree<size_t, 4, false, false>), "with no __sync");
}
TEST(InterleavedAttempts, AnIndexOf32BitsEndsAtFourThousandMillion) {
  expectWrongWhereLarge(exerciseTask(tree<unsigned, 4, false, true>));
}
TEST(InterleavedAttempts, OtherWaysHaveEarnedFullMarks) {
  expectFullMarks(exerciseTask(warpOfColumns));
  expectFullMarks(exerciseTask(wholePixels));
}
