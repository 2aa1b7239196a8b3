// The grader, tried with kernels that are wrong in one way each.
#include "exercise/grader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "base/errors.h"
#include "cuda/launch.h"
#include "test_support/block_sums.h"
#include "test_support/host_testing.h"

namespace {

// ---- Kernels that should leave the sum of every block

__global__ void right(int* data, int* sums, size_t n) { addUpByOneThread(data, sums, n, 0); }
__global__ void forgetsTheFirst(int* data, int* sums, size_t n) {
  addUpByOneThread(data, sums, n, 1);
}
__global__ void oneTooMany(int* data, int* sums, size_t n) {
  addUpByOneThread(data, sums, n, 0);
  if (threadIdx.x == 0) ++sums[blockIdx.x];
}
__global__ void indexOf32Bits(int* data, int* sums, size_t n) {
  const unsigned first = blockIdx.x * blockDim.x;
  int sum = 0;
  for (size_t i = first; i < min(n, size_t(first) + blockDim.x); ++i) sum += data[i];
  sums[blockIdx.x] = sum;
}
__global__ void behindTheEnd(int* data, int* sums, size_t n) {
  addUpByOneThread(data, sums, n, 0);
  if (threadIdx.x == 0) sums[blockIdx.x] += data[n];
}

// Every other block works for two.
__global__ void everyOtherBlock(int* data, int* sums, size_t n) {
  if (blockIdx.x % 2 > 0 || threadIdx.x > 0) return;
  for (unsigned b = blockIdx.x; b < min(gridDim.x, blockIdx.x + 2); ++b) {
    int sum = 0;
    for (size_t i = size_t(b) * blockDim.x; i < min(n, size_t(b + 1) * blockDim.x); ++i)
      sum += data[i];
    sums[b] = sum;
  }
}

// Right for data of one sign.
__global__ void addsMagnitudes(int* data, int* sums, size_t n) {
  addUpByOneThread(data, sums, n, 0);
  if (threadIdx.x == 0) sums[blockIdx.x] = abs(sums[blockIdx.x]);
}

// Right where thread 0 comes first, which no schedule promises.
__global__ void trustsTheOrder(int* data, int* sums, size_t n) {
  __shared__ int arrived;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  if (atomicAdd(&arrived, 1) > 0) return;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  int sum = int(threadIdx.x);
  for (size_t i = first; i < min(n, first + blockDim.x); ++i) sum += data[i];
  sums[blockIdx.x] = sum;
}

__global__ void writesNothing(int*, int*, size_t) {}

// ---- And those that should leave every element times two

__global__ void doubles(const double* data, double* results, size_t n, double factor) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) results[i] = factor * data[i];
}

int sumOf(std::span<const int> block) {
  int sum = 0;
  for (const int element : block) sum += element;
  return sum;
}

Exercise<int> blockSums(BlockSumKernel kernel) {
  return {.program = "test",
          .task = "the sum of every block",
          .call = callOf(kernel),
          .reference = [](const std::vector<int>& data,
                          Extent s) { return forEachPart(data, s.block, sumOf); },
          .goals = {perBlock("load requests", &Counters::load_requests, atMost(512)),
                    perBlock("load requests", &Counters::load_requests, atMost(511)),
                    perThousand(
                        "stores", [](const Counters& c) { return double(c.store_requests); },
                        atMost(2))},
          .counted = {{4096}},
          .chanceBlocks = {}};
}

Exercise<double> doubling(double factor) {
  const auto call = [factor](double* data, double* results, Extent s) {
    if (s.n > 0)
      launch(dim3(unsigned(blocksFor(s.n, s.block))), dim3(s.block), doubles,
             static_cast<const double*>(data), results, s.n, factor);
  };
  const auto reference = [](std::vector<double> data, Extent) {
    for (double& value : data) value *= 2;
    return data;
  };
  return {.program = "test",
          .task = "twice",
          .call = call,
          .reference = reference,
          .goals = {},
          .large = {}};
}

template <typename T>
std::string mistakeOf(const Exercise<T>& exercise) {
  return firstMistake(exercise, {{0, 64}, {100, 64}, {33, 64}}, {.seed = 7});
}

std::string printedBy(const std::function<void()>& body) {
  const Captured out(std::cout);
  body();
  return out.text();
}

}  // namespace

TEST(Grader, AcceptsARightKernel) {
  EXPECT_EQ(mistakeOf(blockSums(right)), "");
  EXPECT_EQ(mistakeOf(doubling(2)), "");
}

TEST(Grader, NamesTheFirstWrongResult) {
  const std::string mistake = mistakeOf(blockSums(forgetsTheFirst));
  EXPECT_TRUE(contains(mistake, "n = 100, block 64: result 0 of 2 is "));
  EXPECT_TRUE(contains(mistake, " instead of "));
}

TEST(Grader, TakesRoundingAndNoMore) {
  EXPECT_EQ(mistakeOf(doubling(2 * (1 + 1e-14))), "");
  EXPECT_NE(mistakeOf(doubling(2 * (1 + 1e-9))), "");
}

TEST(Grader, TakesNoNumberThatIsNone) { EXPECT_NE(mistakeOf(doubling(std::nan(""))), ""); }

TEST(Grader, TakesNoResultThatNobodyWrote) {
  Exercise<int> exercise = blockSums(writesNothing);
  exercise.reference = [](const std::vector<int>&, Extent) { return std::vector<int>(2, 0); };
  EXPECT_NE(mistakeOf(exercise), "");
}

TEST(Grader, ReportsAFault) {
  EXPECT_TRUE(contains(mistakeOf(blockSums(behindTheEnd)), "behindTheEnd"));
}

TEST(Grader, TriesOtherOrdersOfTheThreads) {
  EXPECT_TRUE(contains(mistakeOf(blockSums(trustsTheOrder)), ", --schedule reverse"));
}

TEST(Grader, TriesDataOfBothSigns) {
  const std::string mistake = mistakeOf(blockSums(addsMagnitudes));
  EXPECT_TRUE(contains(mistake, "n = 100"));
  EXPECT_FALSE(contains(mistake, "--schedule")) << "the order of the threads does not matter";
}

TEST(Grader, TriesIndicesThatNeedMoreThan32Bits) {
  const std::string mistake = mistakeOf(blockSums(indexOf32Bits));
  EXPECT_TRUE(contains(mistake, "n = 4295967299")) << mistake;
  EXPECT_TRUE(contains(mistake, "does not fit in 32 bits")) << mistake;
}

TEST(Grader, TriesNumbersThatNoFloatHolds) {
  Exercise<double> exercise = doubling(2);
  exercise.reference = [](std::vector<double> data, Extent) {
    for (double& value : data) value = 2 * float(value);
    return data;
  };
  EXPECT_NE(mistakeOf(exercise), "");
}

TEST(Grader, TakesItsDataFromTheSeed) {
  std::vector<std::vector<int>> seen;
  Exercise<int> exercise = blockSums(right);
  exercise.large = {};
  exercise.reference = [&](const std::vector<int>& data, Extent s) {
    seen.push_back(data);
    return forEachPart(data, s.block, sumOf);
  };
  for (const uint64_t seed : {1, 2, 3}) firstMistake(exercise, {{100, 64}}, {.seed = seed});
  ASSERT_EQ(seen.size(), 3 * 5u);
  EXPECT_EQ(seen[0], seen[2]);  // the kinds of data take turns
  EXPECT_NE(seen[0], seen[5]);
  EXPECT_NE(seen[5], seen[10]);
}

TEST(Grader, ChecksTheLengthAndTheBlockThatWereAskedFor) {
  const Exercise<int> exercise = blockSums(right);
  const auto texts = [&](std::optional<uint64_t> n, std::optional<unsigned> block) {
    std::string all;
    for (const Extent& extent : extentsOf(exercise, n, block)) all += extent.text() + "; ";
    return all;
  };
  EXPECT_EQ(texts(77, 128), "n = 77, block 128; ");
  EXPECT_TRUE(contains(texts({}, {}), "n = 0, block 32; "));
  EXPECT_TRUE(contains(texts({}, {}), "n = 2^13 + 7, block 1024; "));
  EXPECT_FALSE(contains(texts({}, 128), "block 32;"));
  EXPECT_FALSE(contains(texts(77, {}), "n = 33"));
}

TEST(Grader, CountsEachGoalForItself) {
  EXPECT_EQ(mistakeOf(blockSums(right)), "");  // which leaves counts behind
  size_t met = 0;
  const std::string out = printedBy([&] { met = gradeGoals(blockSums(right)); });
  EXPECT_EQ(met, 2u);
  EXPECT_EQ(out,
            "load requests per block, blocks of 512: 512, goal at most 512: met\n"
            "load requests per block, blocks of 512: 512, goal at most 511: not yet "
            "(1.0 × too many)\n"
            "stores per 1,000 elements, blocks of 512: 2.0, goal at most 2: met\n");
}

TEST(Grader, NamesTheBlockSizeAtWhichAGoalIsMissed) {
  Exercise<int> exercise = blockSums(right);
  exercise.counted = {{4096, 512}, {4096, 1024}};
  const std::string out = printedBy([&] { EXPECT_EQ(gradeGoals(exercise), 1u); });
  EXPECT_TRUE(
      contains(out, "load requests per block, blocks of 1024: 1024, goal at most 512: not"));
}

TEST(Grader, CountsNothingThatIsWrong) {
  try {
    gradeGoals(blockSums(oneTooMany));  // all is loaded and stored, and yet
    ADD_FAILURE() << "counted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, exitWrong);
    EXPECT_TRUE(contains(error.what(), " instead of ")) << error.what();
  }
}

TEST(Grader, NamesAFaultAndWhereItIs) {
  EXPECT_TRUE(contains(mistakeOf(blockSums(behindTheEnd)), "data[100]"));
}

TEST(Grader, CountsWhoWorks) {
  Exercise<int> exercise = blockSums(right);
  exercise.goals = {eachWarpWorks(15), eachWarpWorks(16),
                    lanesWork(1),      lanesWork(1.5),
                    blocksWork(1),     perBlock("barriers", &Counters::barriers, atMost(0))};
  const std::string out = printedBy([&] { EXPECT_EQ(gradeGoals(exercise), 4u); });
  EXPECT_EQ(
      out,
      "elements that the busiest warp loads, × an even share, blocks of 512: 16, goal at most "
      "15: not yet (1.1 × too many; the other warps wait for it)\n"
      "elements that the busiest warp loads, × an even share, blocks of 512: 16, goal at most "
      "16: met\n"
      "active lanes per memory request, blocks of 512: 1, goal at least 1: met\n"
      "active lanes per memory request, blocks of 512: 1, goal at least 1.5: not yet "
      "(too few; the other lanes of the warp watch)\n"
      "blocks that load elements, blocks of 512: 8, goal at least 8: met\n"
      "barriers per block, blocks of 512: 0, goal 0: met\n");
}

TEST(Grader, CountsTheBlocksThatWork) {
  Exercise<int> exercise = blockSums(everyOtherBlock);
  exercise.goals = {blocksWork(1)};
  EXPECT_EQ(printedBy([&] { gradeGoals(exercise); }),
            "blocks that load elements, blocks of 512: 4, goal at least 8: not yet (too few; "
            "multiprocessors without a block stand idle)\n");
}

TEST(Grader, SaysWhatItDoesNotSee) {
  Count count;
  count.extent = {100};
  count.loaded = 100;
  count.stored = 10;
  count.keptInShared = 8;
  EXPECT_EQ(hiddenFrom(count, 10), "");
  count.neverLoaded = 5;
  EXPECT_TRUE(contains(hiddenFrom(count, 10), "loads from only 3 of them"));
  count.stored = 9;
  EXPECT_TRUE(contains(hiddenFrom(count, 10), "stores of 9 of the 10 results"));
  count.loaded = 99;
  EXPECT_TRUE(contains(hiddenFrom(count, 10), "loads of 99 of the 100 elements"));
}

TEST(Grader, EndsTheProgramWithExitCode1WhereAResultIsWrong) {
  for (const auto kernel : {forgetsTheFirst, behindTheEnd}) {
    const Captured out(std::cout);
    const Exercise<int> exercise = blockSums(kernel);
    try {
      exerciseMode(exercise, "lesson's", exercise.call).run({});
      ADD_FAILURE() << "a wrong exercise was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code, exitWrong);
    }
    EXPECT_TRUE(contains(out.text(), "wrong; the goals wait"));
  }
}

TEST(Grader, GoesOnToTheGoalsWhereAllIsRight) {
  const Exercise<int> exercise = blockSums(right);
  const std::string out = printedBy(
      [&] { EXPECT_EQ(exerciseMode(exercise, "lesson's", exercise.call).run({}), exitWrong); });
  EXPECT_TRUE(contains(out, "results: right, from n = 0, block 32 to n = 2^13 + 7, block 1024"));
  EXPECT_TRUE(contains(out, "2 of 3 goals met\n"));
}
