// Attempts at lesson 05's exercise, the sum of the squares of every block's elements.
#include "../../../05_unroll2/exercise_task.h"
#include "attempts_testing.h"

namespace {

__device__ int square(int x) { return x * x; }

// Leaves the sum of what the threads bring.
__device__ void treeOfBlock(int value, int* sum) {
  __shared__ int partial[1024];
  const unsigned t = threadIdx.x;
  partial[t] = value;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) *sum = partial[0];
}

// The blocks' elements as the solution shares them out, each thread so many.
template <unsigned each, typename Index = size_t>
__global__ void strided(int* data, int* sums, size_t n) {
  const Index first = Index(blockIdx.x) * blockDim.x * each;
  int sum = 0;
  for (unsigned k = 0; k < each; ++k) {
    const Index i = first + k * blockDim.x + threadIdx.x;
    if (i < n) sum += square(data[i]);
  }
  treeOfBlock(sum, sums + blockIdx.x);
}

__global__ void consecutive(int* data, int* sums, size_t n) {
  const size_t first = 4 * (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
  int sum = 0;
  for (size_t i = first; i < min(n, first + 4); ++i) sum += square(data[i]);
  treeOfBlock(sum, sums + blockIdx.x);
}

// The first so many threads do it all.
template <unsigned working>
__global__ void fewThreads(int* data, int* sums, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * 4, end = min(n, first + 4 * blockDim.x);
  if (threadIdx.x >= working) return;
  int sum = 0;
  for (size_t i = first + threadIdx.x; i < end; i += working) sum += square(data[i]);
  if (working == 32)
    for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_xor_sync(0xffffffff, sum, delta);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void fullBlocksOnly(int* data, int* sums, size_t) {
  const size_t i = size_t(blockIdx.x) * blockDim.x * 4 + threadIdx.x;
  int sum = 0;
  for (unsigned k = 0; k < 4; ++k) sum += square(data[i + k * blockDim.x]);
  treeOfBlock(sum, sums + blockIdx.x);
}

__global__ void squareOfTheSum(int* data, int* sums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x * 4 + threadIdx.x;
  int sum = 0;
  for (unsigned k = 0; k < 4; ++k) sum += i + k * blockDim.x < n ? data[i + k * blockDim.x] : 0;
  treeOfBlock(square(sum), sums + blockIdx.x);
}

__global__ void stridedForBlocksOf512(int* data, int* sums, size_t n) {
  if (blockDim.x == 512)
    strided<4>(data, sums, n);
  else
    fewThreads<1>(data, sums, n);
}

// The squares in another way, and added up as another type.
template <typename Sum, Sum (*term)(int)>
__global__ void byAnother(int* data, int* sums, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * 4 + threadIdx.x;
  Sum sum = 0;
  for (unsigned k = 0; k < 4; ++k)
    if (first + k * blockDim.x < n) sum += term(data[first + k * blockDim.x]);
  treeOfBlock(int(sum), sums + blockIdx.x);
}
__device__ int withSign(int x) { return x * abs(x); }
__device__ short asShort(int x) { return short(x * x); }

// The elements' blocks lie apart by the whole grid, or by the one block size that was tried.
template <bool wholeGrid>
__global__ void apart(int* data, int* sums, size_t n) {
  const size_t stride = wholeGrid ? size_t(gridDim.x) * blockDim.x : 512;
  const size_t first = size_t(blockIdx.x) * blockDim.x * (wholeGrid ? 1 : 4) + threadIdx.x;
  int sum = 0;
  for (unsigned k = 0; k < 4; ++k)
    if (first + k * stride < n) sum += square(data[first + k * stride]);
  treeOfBlock(sum, sums + blockIdx.x);
}

// Four elements, one after the other. Where the next one is, or whether there is one, depends on
// the one before, though never otherwise for the elements that there are; or something that needs
// it stands between.
enum class Between { nothing, address, condition, shuffle, store, warpBarrier };
template <Between between>
__global__ void oneByOne(int* data, int* sums, size_t n) {
  __shared__ int known[1024];
  const size_t first = size_t(blockIdx.x) * blockDim.x * 4 + threadIdx.x;
  size_t i = first;
  int sum = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const int x = i < n ? data[i] : 0;
    if (between == Between::shuffle)
      sum += __shfl_xor_sync(0xffffffff, square(x), 1);
    else
      sum += square(x);
    if (between == Between::store) known[threadIdx.x] = sum;
    if (between == Between::warpBarrier) __syncwarp();
    i += blockDim.x;
    if (between == Between::address) i += size_t(abs(x) / 256);
    if (between == Between::condition && abs(x) > 255) break;
  }
  if (between == Between::store) sum = known[threadIdx.x];
  treeOfBlock(sum, sums + blockIdx.x);
}

// Four elements by one request of each warp.
__global__ void fourAtOnce(int* data, int* sums, size_t n) {
  const size_t i = 4 * (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
  int4 x{0, 0, 0, 0};
  if (i + 4 <= n)
    x = *reinterpret_cast<const int4*>(data + i);
  else if (i < n)
    x = {data[i], i + 1 < n ? data[i + 1] : 0, i + 2 < n ? data[i + 2] : 0, 0};
  treeOfBlock(square(x.x) + square(x.y) + square(x.z) + square(x.w), sums + blockIdx.x);
}

// Adds the squares up in the input, as the lesson's kernel does with the elements.
__global__ void inPlace(int* data, int* sums, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * 4;
  const unsigned t = threadIdx.x;
  int sum = 0;
  for (unsigned k = 0; k < 4; ++k)
    if (first + k * blockDim.x + t < n) sum += square(data[first + k * blockDim.x + t]);
  if (first + t < n) data[first + t] = sum;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride && first + t + stride < n) data[first + t] += data[first + t + stride];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = data[first];
}

// A first look at all elements before they are squared.
__global__ void twice(int* data, int* sums, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * 4 + threadIdx.x;
  int sum = 0;
  volatile int* const again = data;
  for (unsigned k = 0; k < 4; ++k)
    if (first + k * blockDim.x < n && again[first + k * blockDim.x] != 0)
      sum += square(again[first + k * blockDim.x]);
  treeOfBlock(sum, sums + blockIdx.x);
}

}  // namespace

TEST(Unroll2Attempts, OneThreadLeavesTheLanesIdle) {
  expectMissed(exerciseTask(fewThreads<1>, 4), "active lanes per memory request");
}
TEST(Unroll2Attempts, OneWarpLetsTheOthersWait) {
  expectMissed(exerciseTask(fewThreads<32>, 4), "elements that the busiest warp loads");
}
TEST(Unroll2Attempts, OneBlockForEverythingLeavesMultiprocessorsIdle) {
  expectMissed(exerciseTask(strided<128>, 128), "blocks that load elements, blocks of 512");
}
TEST(Unroll2Attempts, ASpecialCaseForBlocksOf512ShowsAtAnotherSize) {
  expectMissed(exerciseTask(stridedForBlocksOf512, 4),
               "active lanes per memory request, blocks of 128");
}
TEST(Unroll2Attempts, FourConsecutiveElementsTakeFourTimesTheSectors) {
  expectMissed(exerciseTask(consecutive, 4), "load sectors per 1,000 elements");
}
TEST(Unroll2Attempts, TwoElementsAreTooFew) {
  expectMissed(exerciseTask(strided<2>, 2), "barriers per 1,000 elements");
}
TEST(Unroll2Attempts, PastTheEndThereIsNothing) {
  expectWrong(exerciseTask(fullBlocksOnly, 4), "but data has");
}
TEST(Unroll2Attempts, TheSquareOfTheSumIsAnotherNumber) {
  expectWrong(exerciseTask(squareOfTheSum, 4), "instead of");
}
TEST(Unroll2Attempts, TheGridMustKnowHowManyElementsAThreadTakes) {
  expectWrong(exerciseTask(strided<4>, 2), "instead of");
}
TEST(Unroll2Attempts, AnIndexOf32BitsEndsAtFourThousandMillion) {
  expectWrongWhereLarge(exerciseTask(strided<4, unsigned>, 4));
}
TEST(Unroll2Attempts, SquaresHaveNoSign) {
  expectWrong(exerciseTask(byAnother<int, withSign>, 4), "instead of");
}
TEST(Unroll2Attempts, AShortHasNoRoomForTheSum) {
  expectWrong(exerciseTask(byAnother<short, asShort>, 4), "instead of");
}
TEST(Unroll2Attempts, TheNextElementsAreABlockApart) {
  expectWrong(exerciseTask(apart<true>, 4), "instead of");
  expectWrong(exerciseTask(apart<false>, 4), "instead of");
}
TEST(Unroll2Attempts, TheTreeInTheInputLoadsTooMuch) {
  expectMissed(exerciseTask(inPlace, 4), "load requests");
}
TEST(Unroll2Attempts, EveryElementIsReadOnce) {
  expectMissed(exerciseTask(twice, 4), "load requests");
}
TEST(Unroll2Attempts, LoadsThatWaitForEachOtherAreNotUnderWayTogether) {
  const std::string underWay = "loads of a thread under way at a time";
  expectMissed(exerciseTask(oneByOne<Between::address>, 4), underWay);
  expectMissed(exerciseTask(oneByOne<Between::condition>, 4), underWay);
  expectMissed(exerciseTask(oneByOne<Between::shuffle>, 4), underWay);
  expectMissed(exerciseTask(oneByOne<Between::store>, 4), underWay);
  expectMissed(exerciseTask(oneByOne<Between::warpBarrier>, 4), underWay);
}
TEST(Unroll2Attempts, FourLoadsThatWaitForNothingHaveEarnedFullMarks) {
  expectFullMarks(exerciseTask(oneByOne<Between::nothing>, 4));
  expectFullMarks(exerciseTask(fourAtOnce, 4));
}
