// Every mistake of the gallery is found, by what was accessed and not by an unlucky order; its
// mended twin is clean.
#include "mistakes.cuh"

#include "testing.h"

using simt::Fault;

static Step stepOf(BlockSumKernel kernel) { return {.lesson = "", .name = "", .kernel = kernel}; }

// Runs the kernel under the forward, the reverse and random schedules, and checks that each time
// the fault is of this kind, in this kernel and, where it has one, on this array.
static void expectFault(BlockSumKernel kernel, size_t n, unsigned block, Fault::Kind kind,
                        const std::string& name, const std::string& array) {
  using Order = simt::Schedule::Order;
  const Input input = makeInput(n, 5);
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const WithSchedule schedule(seed == 0   ? Order::forward
                                : seed == 1 ? Order::reverse
                                            : Order::random,
                                seed);
    Workspace workspace(input, block, 0);
    workspace.prepare();
    int64_t sum = 0;
    try {
      workspace.run(stepOf(kernel), &sum);
      ADD_FAILURE() << name << ": no fault under schedule " << seed;
    } catch (const Fault& fault) {
      EXPECT_EQ(fault.kind, kind) << fault.what();
      EXPECT_EQ(fault.kernel, name) << fault.what();
      EXPECT_EQ(fault.array, array) << fault.what();
      EXPECT_FALSE(fault.threads.empty()) << fault.what();
      EXPECT_TRUE(fault.sources.at(0).starts_with("mistakes.cuh:")) << fault.what();
    }
  }
}

static void expectClean(BlockSumKernel kernel, std::vector<unsigned> blocks) {
  for (const size_t n : {size_t(1), size_t(31), size_t(64), size_t(1000), size_t(4096)}) {
    const Input input = makeInput(n, 5);
    for (const unsigned block : blocks)
      for (uint64_t seed = 0; seed < 20; ++seed) {
        const WithSchedule schedule(simt::Schedule::Order::random, seed);
        EXPECT_EQ(totalOf(stepOf(kernel), input, block), input.sum) << n << ", block " << block;
      }
  }
}

#define NEEDS_FAULTS()                                                                      \
  if (!simt::instrumented()) GTEST_SKIP() << "built with sanitizers: the executor sees no " \
                                             "accesses"

TEST(Mistakes, VolatileWarpIsARace) {
  NEEDS_FAULTS();
  expectFault(volatileWarp, 4096, 128, Fault::Kind::race, "volatileWarp", "block");
  expectFault(volatileWarpGlobal, 4096, 128, Fault::Kind::race, "volatileWarpGlobal", "data");
  expectClean(volatileWarpMended, {32, 64, 512});
  expectClean(volatileWarpGlobalMended, {32, 64, 512});
}

TEST(Mistakes, MissingBarrierIsARace) {
  NEEDS_FAULTS();
  for (const unsigned block : {32u, 64u, 1024u})
    expectFault(missingBarrier, 4096, block, Fault::Kind::race, "missingBarrier", "block");
  expectClean(missingBarrierMended, {32, 64, 512});
}

TEST(Mistakes, EarlyReturnLeavesTheShuffleWaiting) {
  expectClean(earlyReturnMended, {32});
  NEEDS_FAULTS();
  expectFault(earlyReturn, 33, 32, Fault::Kind::warpOperation, "earlyReturn", "");
}

TEST(Mistakes, DivergentBarrierIsTwoBarriers) {
  NEEDS_FAULTS();
  for (const unsigned block : {32u, 512u})
    expectFault(divergentBarrier, 4096, block, Fault::Kind::barrier, "divergentBarrier", "");
}

TEST(Mistakes, ReadPastEndIsOutOfBounds) {
  NEEDS_FAULTS();
  expectFault(readPastEnd, 1000, 512, Fault::Kind::outOfBounds, "readPastEnd", "data");
  expectClean(readPastEndMended, {32, 64, 512});
}

TEST(Mistakes, ReadPastEndNamesTheElement) {
  NEEDS_FAULTS();
  const Input input = makeInput(1000, 5);
  Workspace workspace(input, 512, 0);
  workspace.prepare();
  int64_t sum = 0;
  try {
    workspace.run(stepOf(readPastEnd), &sum);
    ADD_FAILURE() << "no fault";
  } catch (const Fault& fault) {  // block 1: thread 232 is the first whose partner is missing
    EXPECT_EQ(fault.index, 1000);
    EXPECT_EQ(fault.block.x, 1u);
    EXPECT_EQ(fault.threads.at(0).x, 1000u - 512 - 256);
  }
}

static int64_t totalWithGrid(unsigned grid, const Input& input, unsigned block) {
  if (grid == 0) return 0;
  DeviceArray<int> data(input.n, "data"), blockSums(grid, "blockSums");
  data.copyFromHost(input.values.get());
  launch(dim3(grid), dim3(block), unroll8, data.data(), blockSums.data(), input.n);
  std::vector<int> sums(grid);
  blockSums.copyToHost(sums.data(), grid);
  return std::accumulate(sums.begin(), sums.end(), int64_t(0));
}

TEST(Mistakes, DroppedTailIsAWrongSumAndNoFault) {
  for (const size_t n : {size_t(1), size_t(8 * 512 - 1), size_t(8 * 512 + 1), size_t(1000003)}) {
    const Input input = makeInput(n, 5);
    EXPECT_NE(totalWithGrid(gridDroppingTail(n, 512), input, 512), input.sum) << "n " << n;
    EXPECT_EQ(totalWithGrid(gridDroppingTailMended(n, 512), input, 512), input.sum) << "n " << n;
  }
}

TEST(Mistakes, FirstWarpOnlyIsAWrongSumAndNoFault) {
  const Input input = makeInput(1000, 5);
  EXPECT_EQ(totalOf(stepOf(firstWarpOnly), input, 32), input.sum);
  EXPECT_NE(totalOf(stepOf(firstWarpOnly), input, 64), input.sum);
  expectClean(firstWarpOnlyMended, {32, 64, 512, 1024});
}

TEST(Mistakes, ReusedSharedMemoryIsARace) {
  NEEDS_FAULTS();
  expectFault(reusedShared, 4096, 256, Fault::Kind::race, "reusedShared", "block");
  expectClean(reusedSharedMended, {32, 64, 512});
}

// What a fault cut short must not appear in the counts of the next launch.
TEST(Mistakes, LeaveNoCountsBehind) {
  NEEDS_FAULTS();
  const Step step = stepOf(missingBarrierMended);
  const Counters before = countersPerBlock(step, 512);
  expectFault(readPastEnd, 1000, 512, Fault::Kind::outOfBounds, "readPastEnd", "data");
  EXPECT_EQ(countersPerBlock(step, 512), before);
}
