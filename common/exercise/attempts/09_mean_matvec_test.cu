// Attempts at lesson 09's exercises: the small ones, and the mean of every column. Longer than
// those of other lessons, as it has five small ones.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../../../09_mean_matvec/exercise_task.h"
#include "../../../09_mean_matvec/practice_task.h"
#include "practice_testing.h"

// ---- The small exercises: the page shows the right ones

namespace small {

__global__ void neighboursForNeighbours(int* data, int* results, size_t n) {
  const unsigned lane = threadIdx.x % 32;
  const size_t row = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const size_t i = 64 * row + lane;
  int sum = 0;
  if (i < n) sum += data[i];
  if (i + 32 < n) sum += data[i + 32];
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffff, sum, delta);
  if (lane == 0 && 64 * row < n) results[row] = sum;
}
// Each element, or each row, at a place where it should not be.
__global__ void ofOtherRows(int* data, int* results, size_t n) {
  const unsigned lane = threadIdx.x % 32;
  const size_t i = size_t(blockIdx.x) * 2 * blockDim.x + threadIdx.x;
  int sum = i < n ? data[i] : 0;
  if (i + blockDim.x < n) sum += data[i + blockDim.x];
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffff, sum, delta);
  const size_t row = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (lane == 0 && 64 * row < n) results[row] = sum;
}

enum class Tie { first, ofTheLaneItself, last };
template <Tie tie>
__device__ bool isBetter(int other, int otherPlace, int smallest, int place) {
  if (tie == Tie::first) return other < smallest || (other == smallest && otherPlace < place);
  return other < smallest || (tie == Tie::last && other == smallest && otherPlace > place);
}
template <Tie tie>
__global__ void smallestOfWarp(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int smallest = i < n ? data[i] : INT_MAX, place = int(i);
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    const int other = __shfl_down_sync(0xffffffff, smallest, delta);
    const int otherPlace = __shfl_down_sync(0xffffffff, place, delta);
    if (isBetter<tie>(other, otherPlace, smallest, place)) {
      smallest = other;
      place = otherPlace;
    }
  }
  if (threadIdx.x % 32 == 0 && i < n) results[i / 32] = place;
}

// Two parts joined as Chan does it, or not quite.
enum class Join { right, withoutApart, withoutShare, ofEqualParts, ofChangedMeans, ofEmptyParts };
template <Join join>
__global__ void spreadOfWarp(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  float count = i < n ? 1 : 0, mean = i < n ? float(data[i]) : 0, squares = 0;
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    const float otherCount = __shfl_down_sync(0xffffffff, count, delta);
    const float otherMean = __shfl_down_sync(0xffffffff, mean, delta);
    squares += __shfl_down_sync(0xffffffff, squares, delta);
    const float both = count + otherCount;
    const float share = join == Join::ofEqualParts   ? 0.5f
                        : join == Join::ofEmptyParts ? otherCount / both
                                                     : otherCount / fmaxf(both, 1);
    if (join == Join::ofChangedMeans) mean += (otherMean - mean) * share;
    const float apart = join == Join::withoutApart ? 0 : otherMean - mean;
    squares += apart * apart * (join == Join::withoutShare ? 1 : share * count);
    if (join != Join::ofChangedMeans) mean += (otherMean - mean) * share;
    count = both;
  }
  if (threadIdx.x % 32 == 0 && i < n) results[i / 32] = int(rintf(count * squares));
}
// A float has no room for the squares of numbers as large as their mean.
__global__ void sumsOfSquares(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  float count = i < n ? 1 : 0, sum = i < n ? float(data[i]) : 0, squares = sum * sum;
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    count += __shfl_down_sync(0xffffffff, count, delta);
    sum += __shfl_down_sync(0xffffffff, sum, delta);
    squares += __shfl_down_sync(0xffffffff, squares, delta);
  }
  if (threadIdx.x % 32 == 0 && i < n) results[i / 32] = int(rintf(count * squares - sum * sum));
}
// Welford's steps, one after the other: no shuffle, and 31 lanes that watch.
__global__ void byFirstLane(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 > 0 || i >= n) return;
  float count = 0, mean = 0, squares = 0;
  for (size_t k = i; k < min(i + 32, n); ++k) {
    const float apart = float(data[k]) - mean;
    count += 1;
    mean += apart / count;
    squares += apart * (float(data[k]) - mean);
  }
  results[i / 32] = int(rintf(count * squares));
}

__global__ void sumByTiles(int* data, int* results, size_t n) {
  namespace cg = cooperative_groups;
  __shared__ int partial[32];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const unsigned lane = tile.thread_rank();
  const size_t i = size_t(blockIdx.x) * blockDim.x + block.thread_rank();
  int sum = cg::reduce(tile, i < n ? data[i] : 0, cg::plus<int>());
  if (lane == 0) partial[tile.meta_group_rank()] = sum;
  block.sync();
  if (tile.meta_group_rank() > 0) return;
  sum = cg::reduce(tile, lane < tile.meta_group_size() ? partial[lane] : 0, cg::plus<int>());
  if (lane == 0) results[blockIdx.x] = sum;
}
// The first tile's lane may leave it to an atomic addition, too.
__global__ void sumByAtomics(int* data, int* results, size_t n) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) results[blockIdx.x] = 0;
  __syncthreads();
  const int sum = cg::reduce(tile, i < n ? data[i] : 0, cg::plus<int>());
  if (tile.thread_rank() == 0) atomicAdd(&results[blockIdx.x], sum);
}
enum class Tiles { withoutBarrier, firstThreadAdds, halves, pastTheLast };
template <Tiles tiles>
__global__ void wrongTiles(int* data, int* results, size_t n) {
  namespace cg = cooperative_groups;
  __shared__ int partial[64];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition < tiles == Tiles::halves ? 16 : 32 > (block);
  const unsigned lane = tile.thread_rank(), count = tile.meta_group_size();
  const size_t i = size_t(blockIdx.x) * blockDim.x + block.thread_rank();
  int sum = cg::reduce(tile, i < n ? data[i] : 0, cg::plus<int>());
  if (lane == 0) partial[tile.meta_group_rank()] = sum;
  if (tiles != Tiles::withoutBarrier) block.sync();
  if (tile.meta_group_rank() > 0) return;
  sum = tiles == Tiles::pastTheLast || lane < count ? partial[lane] : 0;
  if (tiles == Tiles::firstThreadAdds)
    for (unsigned k = 1; lane == 0 && k < count; ++k) sum += partial[k];
  else
    sum = cg::reduce(tile, sum, cg::plus<int>());
  if (lane == 0) results[blockIdx.x] = sum;
}
__global__ void sumByTree(int* data, int* results, size_t n) {
  __shared__ int partial[1024];
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) results[blockIdx.x] = partial[0];
}

}  // namespace small

TEST(PracticeOf09, SumsOfRows) {
  expectSolved(said(practiceOf09, 1, small::neighboursForNeighbours));
  expectNotYet(said(practiceOf09, 1, small::ofOtherRows), "instead of");
}

TEST(PracticeOf09, BarriersOfVersion3) {
  expectSolved(said(practiceOf09, 2, 232));
  expectIdeasWrong(practiceOf09, 2);
}

// With < alone the first one wins in each step, and not in all of them.
TEST(PracticeOf09, TheFirstOfEqualElements) {
  using namespace small;
  expectSolved(said(practiceOf09, 3, smallestOfWarp<Tie::first>));
  for (const auto wrong : {smallestOfWarp<Tie::ofTheLaneItself>, smallestOfWarp<Tie::last>}) {
    const Said attempt = said(practiceOf09, 3, wrong);
    expectNotYet(attempt, "instead of");
    EXPECT_FALSE(contains(attempt.text, "Its elements"));
  }
}

// The means of two parts lie apart; parts may be of different sizes, or empty.
TEST(PracticeOf09, PartsWhoseMeansLieApart) {
  using namespace small;
  expectSolved(said(practiceOf09, 4, spreadOfWarp<Join::right>));
  for (const auto wrong : {spreadOfWarp<Join::withoutApart>, spreadOfWarp<Join::withoutShare>,
                           spreadOfWarp<Join::ofEqualParts>, spreadOfWarp<Join::ofChangedMeans>,
                           spreadOfWarp<Join::ofEmptyParts>, sumsOfSquares})
    expectNotYet(said(practiceOf09, 4, wrong), "instead of");
  expectNotYet(said(practiceOf09, 4, byFirstLane), "the other lanes of the warp watch");
}

TEST(PracticeOf09, TilesNeedNoBarrier) {
  using namespace small;
  expectSolved(said(practiceOf09, 5, sumByTiles));
  expectSolved(said(practiceOf09, 5, sumByAtomics));
  expectNotYet(said(practiceOf09, 5, sumByTree), "10, goal at most 1: not yet");
  expectNotYet(said(practiceOf09, 5, wrongTiles<Tiles::withoutBarrier>), "race");
  expectNotYet(said(practiceOf09, 5, wrongTiles<Tiles::halves>), "instead of");
  expectNotYet(said(practiceOf09, 5, wrongTiles<Tiles::pastTheLast>), "which nobody has written");
  expectNotYet(said(practiceOf09, 5, wrongTiles<Tiles::firstThreadAdds>),
               "numbers that the busiest thread loads");
}

// ---- The mean of every column

namespace {

// The solution, with what is often got wrong in it.
template <typename Sum, typename Index, unsigned working, bool waits>
__global__ void byWarps(const double* matrix, double* means, unsigned rows, unsigned columns) {
  __shared__ Sum partial[16][32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned column = 32 * blockIdx.x + lane;
  Sum sum = 0;
  if (column < columns && warp < working)
    for (unsigned row = warp; row < rows; row += working)
      sum += matrix[Index(row) * columns + column];
  partial[warp][lane] = sum;
  if (waits) __syncthreads();
  if (warp > 0 || column >= columns) return;
  sum = 0;
  for (unsigned k = 0; k < 16; ++k) sum += partial[k][lane];
  means[column] = sum / rows;
}

__global__ void oneThread(const double* matrix, double* means, unsigned rows, unsigned columns) {
  if (threadIdx.x > 0) return;
  for (unsigned column = 32 * blockIdx.x; column < min(32 * blockIdx.x + 32, columns); ++column) {
    double sum = 0;
    for (unsigned row = 0; row < rows; ++row) sum += matrix[size_t(row) * columns + column];
    means[column] = sum / rows;
  }
}

// As version 3, and as the exercise: a warp for each column.
__global__ void aWarpForEachColumn(const double* matrix, double* means, unsigned rows,
                                   unsigned columns) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned column = 32 * blockIdx.x + warp; column < min(32 * blockIdx.x + 32, columns);
       column += 16) {
    double sum = 0;
    for (unsigned row = lane; row < rows; row += 32) sum += matrix[size_t(row) * columns + column];
    for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_xor_sync(0xffffffff, sum, delta);
    if (lane == 0) means[column] = sum / rows;
  }
}

// Well done at the sizes that were seen to be graded.
__global__ void wellForTheGradedSizes(const double* matrix, double* means, unsigned rows,
                                      unsigned columns) {
  if ((rows == 512 && columns == 256) || (rows == 160 && columns == 1024))
    byWarps<double, size_t, 16, true>(matrix, means, rows, columns);
  else
    oneThread(matrix, means, rows, columns);
}

// Warps leave their sums where the executor does not look.
double leftByWarps[16][32];
__attribute__((no_sanitize("thread"), noinline)) __device__ void leave(unsigned warp, unsigned lane,
                                                                       double sum) {
  leftByWarps[warp][lane] = sum;
}
__attribute__((no_sanitize("thread"), noinline)) __device__ double allLeft(unsigned lane) {
  double sum = 0;
  for (const double(&ofWarp)[32] : leftByWarps) sum += ofWarp[lane];
  return sum;
}
__global__ void addsOutOfSight(const double* matrix, double* means, unsigned rows,
                               unsigned columns) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned column = 32 * blockIdx.x + lane;
  double sum = 0;
  if (column < columns)
    for (unsigned row = warp; row < rows; row += 16) sum += matrix[size_t(row) * columns + column];
  leave(warp, lane, sum);
  __syncthreads();
  if (warp == 0 && column < columns) means[column] = allLeft(lane) / rows;
}

__global__ void loadsPastTheRow(const double* matrix, double* means, unsigned rows,
                                unsigned columns) {
  const unsigned lane = threadIdx.x, column = 32 * blockIdx.x + lane;
  if (lane >= 32) return;
  double sum = 0;
  for (unsigned row = 0; row < rows; ++row) sum += matrix[size_t(row) * columns + column];
  means[column] = sum / rows;
}

__global__ void dividesByColumns(const double* matrix, double* means, unsigned rows,
                                 unsigned columns) {
  byWarps<double, size_t, 16, true>(matrix, means, rows, columns);
  const unsigned column = 32 * blockIdx.x + threadIdx.x;
  if (threadIdx.x < 32 && column < columns) means[column] = means[column] * rows / columns;
}

}  // namespace

TEST(MeanMatvecAttempts, OneThreadLeavesTheLanesIdle) {
  expectMissed(exerciseTask(oneThread), "active lanes per memory request");
}
TEST(MeanMatvecAttempts, OneWarpForAllRowsLetsTheOthersWait) {
  expectMissed(exerciseTask(byWarps<double, size_t, 1, true>),
               "elements that the busiest warp loads");
}
TEST(MeanMatvecAttempts, HalfOfTheWarpsAreNotAll) {
  expectMissed(exerciseTask(byWarps<double, size_t, 8, true>),
               "elements that the busiest warp loads");
}
TEST(MeanMatvecAttempts, AlongAColumnNothingIsCoalesced) {
  expectMissed(exerciseTask(aWarpForEachColumn), "load sectors per 1,000 elements");
}
TEST(MeanMatvecAttempts, AFloatLosesWhatADoubleKeeps) {
  expectWrong(exerciseTask(byWarps<float, size_t, 16, true>), "instead of");
}
TEST(MeanMatvecAttempts, WithoutTheBarrierThereIsARace) {
  expectWrong(exerciseTask(byWarps<double, size_t, 16, false>), "with no __sync");
}
TEST(MeanMatvecAttempts, PastARowBeginsTheNext) {
  expectWrong(exerciseTask(loadsPastTheRow), "but data has");
}
TEST(MeanMatvecAttempts, AMeanIsOverTheRows) {
  expectWrong(exerciseTask(dividesByColumns), "instead of");
}
TEST(MeanMatvecAttempts, AnIndexOf32BitsEndsAtFourThousandMillion) {
  expectWrongWhereLarge(exerciseTask(byWarps<double, unsigned, 16, true>));
}
TEST(MeanMatvecAttempts, ASpecialCaseForTheGradedSizesShowsAtOthers) {
  expectMissed(exerciseTask(wellForTheGradedSizes), "active lanes per memory request");
}
TEST(MeanMatvecAttempts, WhatIsOutOfSightIsNotCountedAsNothing) {
  expectHidden(exerciseTask(addsOutOfSight), "does not see how element");
}
