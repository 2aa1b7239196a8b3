// Attempts at lesson 06's exercise, the largest element of every block.
#include "../../../06_unroll8_warp/exercise_task.h"
#include "attempts_testing.h"

namespace {

// The largest of a warp's values, by shuffles.
__device__ int largestOfWarp(int value) {
  for (unsigned delta = 16; delta > 0; delta /= 2)
    value = max(value, __shfl_xor_sync(0xffffffff, value, delta));
  return value;
}

// Leaves the largest of what the threads bring.
__device__ void largestOfBlock(int value, int* largest) {
  __shared__ int ofWarps[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = largestOfWarp(value);
  if (lane == 0) ofWarps[warp] = value;
  __syncthreads();
  if (warp > 0) return;
  value = largestOfWarp(lane < blockDim.x / 32 ? ofWarps[lane] : INT_MIN);
  if (lane == 0) *largest = value;
}

template <unsigned each, int none = INT_MIN, typename Index = size_t>
__global__ void strided(int* data, int* maxima, size_t n) {
  const Index first = Index(blockIdx.x) * blockDim.x * each;
  int largest = none;
  for (unsigned k = 0; k < each; ++k) {
    const Index i = first + k * blockDim.x + threadIdx.x;
    if (i < n) largest = max(largest, data[i]);
  }
  largestOfBlock(largest, maxima + blockIdx.x);
}

__global__ void consecutive(int* data, int* maxima, size_t n) {
  const size_t first = 8 * (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
  int largest = INT_MIN;
  for (size_t i = first; i < min(n, first + 8); ++i) largest = max(largest, data[i]);
  largestOfBlock(largest, maxima + blockIdx.x);
}

// Eight elements by two requests of each warp.
__global__ void fourAtOnce(int* data, int* maxima, size_t n) {
  int largest = INT_MIN;
  int4 x[2];
  for (unsigned k = 0; k < 2; ++k) {
    const size_t i = 4 * ((size_t(blockIdx.x) * 2 + k) * blockDim.x + threadIdx.x);
    x[k] = {INT_MIN, INT_MIN, INT_MIN, INT_MIN};
    if (i + 4 <= n)
      x[k] = *reinterpret_cast<const int4*>(data + i);
    else if (i < n)
      x[k] = {data[i], i + 1 < n ? data[i + 1] : INT_MIN, i + 2 < n ? data[i + 2] : INT_MIN,
              INT_MIN};
  }
  for (const int4& four : x) largest = max(max(max(largest, four.x), max(four.y, four.z)), four.w);
  largestOfBlock(largest, maxima + blockIdx.x);
}

// The next element is loaded where the one before was not the largest that there can be.
__global__ void oneByOne(int* data, int* maxima, size_t n) {
  size_t i = size_t(blockIdx.x) * blockDim.x * 8 + threadIdx.x;
  int largest = INT_MIN;
  for (unsigned k = 0; k < 8 && largest < INT_MAX; ++k, i += blockDim.x)
    if (i < n) largest = max(largest, data[i]);
  largestOfBlock(largest, maxima + blockIdx.x);
}

template <unsigned working>
__global__ void fewThreads(int* data, int* maxima, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * 8, end = min(n, first + 8 * blockDim.x);
  if (threadIdx.x >= working) return;
  int largest = INT_MIN;
  for (size_t i = first + threadIdx.x; i < end; i += working) largest = max(largest, data[i]);
  if (working == 32) largest = largestOfWarp(largest);
  if (threadIdx.x == 0) maxima[blockIdx.x] = largest;
}

// The tree of one warp in shared memory, without what makes a lane wait for another.
__global__ void warpWithoutBarriers(int* data, int* maxima, size_t n) {
  __shared__ int partial[1024];
  const unsigned t = threadIdx.x, lane = t % 32;
  const size_t i = size_t(blockIdx.x) * blockDim.x * 8 + t;
  int largest = INT_MIN;
  for (unsigned k = 0; k < 8; ++k)
    if (i + k * blockDim.x < n) largest = max(largest, data[i + k * blockDim.x]);
  partial[t] = largest;
  for (unsigned stride = 16; stride > 0; stride /= 2)
    if (lane < stride) partial[t] = max(partial[t], partial[t + stride]);
  largestOfBlock(lane == 0 ? partial[t] : INT_MIN, maxima + blockIdx.x);
}

// The larger of two numbers in another way.
template <int (*larger)(int, int)>
__global__ void byAnother(int* data, int* maxima, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * 8 + threadIdx.x;
  int largest = data[min(first, n - 1)];
  for (unsigned k = 1; k < 8; ++k)
    if (first + k * blockDim.x < n) largest = larger(largest, data[first + k * blockDim.x]);
  largestOfBlock(largest, maxima + blockIdx.x);
}
__device__ int byDifference(int a, int b) {
  const int difference = int(unsigned(a) - unsigned(b));
  return difference < 0 ? b : a;
}
__device__ int asUnsigned(int a, int b) { return int(max(unsigned(a), unsigned(b))); }
__device__ int asFloat(int a, int b) { return int(fmaxf(float(a), float(b))); }

// All 32 results of warps, however many warps there are.
__global__ void everyPossibleWarp(int* data, int* maxima, size_t n) {
  __shared__ int ofWarps[32];
  const size_t first = size_t(blockIdx.x) * blockDim.x * 8 + threadIdx.x;
  int largest = INT_MIN;
  for (unsigned k = 0; k < 8; ++k)
    if (first + k * blockDim.x < n) largest = max(largest, data[first + k * blockDim.x]);
  largest = largestOfWarp(largest);
  if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32] = largest;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  largest = largestOfWarp(ofWarps[threadIdx.x]);
  if (threadIdx.x == 0) maxima[blockIdx.x] = largest;
}

// Each warp's result goes to where nobody has set a first one.
__global__ void atomicsWithoutAStart(int* data, int* maxima, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * 8 + threadIdx.x;
  int largest = INT_MIN;
  for (unsigned k = 0; k < 8; ++k)
    if (first + k * blockDim.x < n) largest = max(largest, data[first + k * blockDim.x]);
  largest = largestOfWarp(largest);
  if (threadIdx.x % 32 == 0) atomicMax(&maxima[blockIdx.x], largest);
}

}  // namespace

TEST(Unroll8Attempts, OneThreadLeavesTheLanesIdle) {
  expectMissed(exerciseTask(fewThreads<1>, 8), "active lanes per memory request");
}
TEST(Unroll8Attempts, OneWarpLetsTheOthersWait) {
  expectMissed(exerciseTask(fewThreads<32>, 8), "elements that the busiest warp loads");
}
TEST(Unroll8Attempts, OneBlockForEverythingLeavesMultiprocessorsIdle) {
  expectMissed(exerciseTask(strided<128>, 128), "blocks that load elements, blocks of 512");
}
TEST(Unroll8Attempts, EightConsecutiveElementsTakeEightTimesTheSectors) {
  expectMissed(exerciseTask(consecutive, 8), "load sectors per 1,000 elements");
}
TEST(Unroll8Attempts, ANumberThatIsMerelySmallIsLargerThanSomeElements) {
  expectWrong(exerciseTask(strided<8, -10000>, 8), "is -10000 instead of");
  expectWrong(exerciseTask(strided<8, 0>, 8), "is 0 instead of");
  Exercise<int> full = exerciseTask(strided<8, 0>, 8);
  full.extents = {{2 * 8 * 64, 64}};
  expectWrong(full, ": 0 counts, which none of its elements is");
  expectWrong(exerciseTask(strided<8, -INT_MAX>, 8), "is -2147483647 instead of -2147483648");
}
TEST(Unroll8Attempts, WithoutSyncwarpThereIsARace) {
  expectWrong(exerciseTask(warpWithoutBarriers, 8), "with no __sync");
}
TEST(Unroll8Attempts, AnIndexOf32BitsEndsAtFourThousandMillion) {
  expectWrongWhereLarge(exerciseTask(strided<8, INT_MIN, unsigned>, 8));
}
TEST(Unroll8Attempts, ShufflesMayReplaceSharedMemory) {
  const Captured out(std::cout);
  const Exercise<int> other = exerciseTask(strided<8>, 8);
  EXPECT_EQ(gradeGoals(other), other.goals.size()) << out.text();
}
TEST(Unroll8Attempts, ADifferenceDoesNotFitInAnInt) {
  expectWrong(exerciseTask(byAnother<byDifference>, 8), "instead of");
}
TEST(Unroll8Attempts, NegativeElementsAreNoLargeOnes) {
  expectWrong(exerciseTask(byAnother<asUnsigned>, 8), "instead of");
}
TEST(Unroll8Attempts, AFloatForgetsTheLastDigits) {
  expectWrong(exerciseTask(byAnother<asFloat>, 8), "instead of");
}
TEST(Unroll8Attempts, SmallBlocksHaveFewerWarps) {
  expectWrong(exerciseTask(everyPossibleWarp, 8), "ofWarps");
}
TEST(Unroll8Attempts, AResultHasToBeginSomewhere) {
  expectWrong(exerciseTask(atomicsWithoutAStart, 8), "which nobody has written");
}
TEST(Unroll8Attempts, ALoadThatWaitsForTheOneBeforeIsNotUnderWayBesideIt) {
  expectMissed(exerciseTask(oneByOne, 8), "loads of a thread under way at a time");
}
TEST(Unroll8Attempts, OtherWaysHaveEarnedFullMarks) {
  expectFullMarks(exerciseTask(strided<8>, 8));
  expectFullMarks(exerciseTask(fourAtOnce, 8));
}
