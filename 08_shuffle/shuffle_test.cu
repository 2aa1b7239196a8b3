#include "exercise_task.h"
#include "modes/demo.h"
#include "modes/segments.h"
#include "steps.h"
#include "test_support/exercise_testing.h"
#include "test_support/step_tests.h"
#include "testing_kernels.h"

// In exercise.cuh and solution.cuh, which are compiled by themselves.
__global__ void exercise(int* data, int* totals, size_t n);
extern const BlockSumKernel solvedExercise;

TEST_STEPS(Shuffle, shuffleSteps());
TEST_EXERCISE(Shuffle, exerciseTask(exercise), exerciseTask(solvedExercise))

// ---- The four shuffles

// Which lane's number a lane receives, by the rules of the CUDA programming guide.
static int sourceOf(ShuffleKind kind, int lane, int argument, int width) {
  const int first = lane / width * width, last = first + width - 1;
  switch (kind) {
    case ShuffleKind::index: return first + argument % width;
    case ShuffleKind::up: return lane - argument >= first ? lane - argument : lane;
    case ShuffleKind::down: return lane + argument <= last ? lane + argument : lane;
    default: return (lane ^ argument) <= last ? lane ^ argument : lane;
  }
}

static void expectEveryWidth(ShuffleKind kind) {
  for (int width = 1; width <= 32; width *= 2) {
    for (int argument = 0; argument < 32; ++argument) {
      const std::vector<int> received = receivedBy(kind, argument, width);
      for (int lane = 0; lane < 32; ++lane)
        EXPECT_EQ(received[size_t(lane)], sourceOf(kind, lane, argument, width))
            << "lane " << lane << ", argument " << argument << ", width " << width;
    }
  }
}

TEST(Shuffles, IndexReadsALaneOfTheGroup) {
  NEEDS_DEVICE();
  expectEveryWidth(ShuffleKind::index);
}

TEST(Shuffles, UpReadsALowerLaneOrKeeps) {
  NEEDS_DEVICE();
  expectEveryWidth(ShuffleKind::up);
}

TEST(Shuffles, DownReadsAHigherLaneOrKeeps) {
  NEEDS_DEVICE();
  expectEveryWidth(ShuffleKind::down);
}

TEST(Shuffles, XorExchanges) {
  NEEDS_DEVICE();
  expectEveryWidth(ShuffleKind::exclusiveOr);
}

TEST(Shuffles, FiveStepsUpMakeAnInclusiveScan) {
  NEEDS_DEVICE();
  const Input input = makeInput(32, 7);
  const std::vector<int> values(input.values.get(), input.values.get() + 32);
  std::vector<int> expected(32);
  std::partial_sum(values.begin(), values.end(), expected.begin());
  EXPECT_EQ(scanOf(values), expected);
}

// ---- Segments of 32

static void expectSegments(size_t n) {
  DeviceStopwatch stopwatch = testStopwatch();
  for (const StepResult& step : runSegments(stopwatch, {.samples = 1}, segmentSteps(), n, 1))
    EXPECT_TRUE(step.ok) << step.name << ", n " << n << ": " << step.fault;
}

TEST(Segments, AreRightForAnyLength) {
  NEEDS_DEVICE();
  for (const size_t n : testLengths) expectSegments(n);
}

TEST(Segments, AreComparedOneByOne) {
  NEEDS_DEVICE();
  DeviceStopwatch stopwatch = testStopwatch();
  const auto steps =
      runSegments(stopwatch, {.samples = 1}, {{"wrong", "", losesTheLast, 32}}, 100, 1);
  EXPECT_FALSE(steps.at(0).ok);
  EXPECT_TRUE(contains(steps.at(0).fault, "wrong: the sum of segment 3 is "));
}

#ifndef GPU_BACKEND
TEST(Segments, AreRightUnderAnySchedule) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const WithSchedule schedule(simt::Schedule::Order::random, seed);
    for (const size_t n : {0, 1, 31, 33, 511, 513, 2500}) expectSegments(n);
  }
}
#endif

// ---- The steps from lesson 07 to the total on the device

#ifndef GPU_BACKEND

// Of a block of 512: 16 warps × 8 loads of 4 sectors; one store. The tree is five shuffles in each
// of 16 warps and in the first again.
TEST(ShuffleCounters, ABlockStoresOnce) {
  const Counters c = countersPerBlock(shuffleSteps(), "unroll 8 + shuffle", 512);
  EXPECT_EQ(c.load_requests, 128u);
  EXPECT_EQ(c.load_sectors, 512u);
  EXPECT_EQ(c.store_requests, 1u);
  EXPECT_EQ(c.store_sectors, 1u);
  EXPECT_EQ(c.shuffles, 85u);
  EXPECT_EQ(c.barriers, 1u);
  EXPECT_EQ(c.shared_load_conflicts + c.shared_store_conflicts, 0u);
}

// Of a block of 512: 16 warps × 2 loads of 16 sectors, as many sectors as 8 loads of 4.
TEST(ShuffleCounters, TwoInt4LoadsAreAQuarterOfTheRequests) {
  const Counters c = countersPerBlock(shuffleSteps(), "two int4 loads", 512);
  EXPECT_EQ(c.load_requests, 32u);
  EXPECT_EQ(c.load_sectors, 512u);
}

// As many requests as with loads of 4 bytes, for four times as many elements: a request for 16
// bytes per lane touches 16 sectors.
TEST(ShuffleCounters, WideLoadsAreAQuarterOfTheRequests) {
  const Counters c = countersPerBlock(shuffleSteps(), "16-byte loads", 512);
  EXPECT_EQ(c.load_requests, 128u);
  EXPECT_EQ(c.load_sectors, 2048u);
}

// 2^20 elements: 256 blocks of 256 threads, each with one atomic and the first with one store.
TEST(ShuffleCounters, OneAtomicPerBlock) {
  const Input input = makeInput(1 << 20, 7);
  Workspace workspace(input, 512);
  simt::takeCounters();
  const int64_t sum = workspace.totalOf(findStep(shuffleSteps(), "one atomic per block"));
  const Counters c = simt::takeCounters();
  EXPECT_EQ(sum, input.sum);
  EXPECT_EQ(c.atomics, 256u);
  EXPECT_EQ(c.store_requests, 1u);
  EXPECT_EQ(c.load_requests, (1u << 20) / 4 / 32);
}

#endif

// An int4 cannot be read where the array does not begin or end at one.
TEST(Int4Loads, AreRightForAnyLengthAndAlignment) {
  NEEDS_DEVICE();
  for (const size_t n : {1, 2, 3, 4, 5, 255, 256, 257, 1023, 20011}) {
    const Input input = makeInput(n, 7);
    for (size_t offset = 0; offset < 4; ++offset) {
      std::vector<int> padded(offset, 77);  // must not get into any result
      padded.insert(padded.end(), input.values.get(), input.values.get() + n);
      DeviceArray<int> data(padded.size(), "data"), blockSums(blocksFor(n, 256), "blockSums");
      data.copyFromHost(padded.data());
      blockSums.poison();
      launch(dim3(unsigned(blockSums.size())), dim3(32), int4Loads, data.data() + offset,
             blockSums.data(), n);
      std::vector<int> sums(blockSums.size());
      blockSums.copyToHost(sums.data(), sums.size());
      EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), int64_t(0)), input.sum)
          << "n " << n << ", offset " << offset;
    }
  }
}

// Fewer blocks than the input has tiles: each goes around several times, the last one not whole.
TEST(GridStride, TakesAsManyRoundsAsTheInputNeeds) {
  NEEDS_DEVICE();
  for (const size_t n : {size_t(16 * 32) - 1, size_t(5 * 16 * 32) + 3, size_t(1) << 14}) {
    const Input input = makeInput(n, 7);
    DeviceArray<int> data(n, "data"), blockSums(3, "blockSums");
    data.copyFromHost(input.values.get());
    for (const unsigned blocks : {1u, 2u, 3u}) {
      blockSums.poison();
      launch(dim3(blocks), dim3(32), gridStride, data.data(), blockSums.data(), n);
      std::vector<int> sums(3);
      blockSums.copyToHost(sums.data(), sums.size());
      EXPECT_EQ(std::accumulate(sums.begin(), sums.begin() + blocks, int64_t(0)), input.sum)
          << n << " elements, " << blocks << " blocks";
    }
  }
}

// ---- The ladder

TEST(Ladder, BasesEveryStepOnOneBeforeIt) {
  const std::vector<Step> ladder = ladderTo08();
  std::vector<std::string> before = {""};
  for (const Step& step : ladder) {
    EXPECT_NE(std::ranges::find(before, step.basedOn), before.end())
        << step.name << " is based on " << step.basedOn;
    EXPECT_EQ(std::ranges::find(before, step.name), before.end()) << step.name << " twice";
    EXPECT_EQ(step.basedOn.empty(), step.name == "neighbored");
    before.push_back(step.name);
  }
}
