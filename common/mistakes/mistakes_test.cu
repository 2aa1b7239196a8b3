// Every mistake of mistakes.cuh is found under every schedule, and no twin is accused.
#include "mistakes.cuh"

#include "test_support/kernel_testing.h"

namespace {

using simt::Fault;
using Kind = Fault::Kind;
using Order = simt::Schedule::Order;

// Calls test under the forward, the reverse and twenty random schedules.
template <typename Test>
void underManySchedules(const Test& test) {
  for (uint64_t seed = 0; seed <= 21; ++seed) {
    const Order order = seed == 0 ? Order::forward : seed == 21 ? Order::reverse : Order::random;
    const WithSchedule schedule(order, seed);
    SCOPED_TRACE((order == Order::forward   ? "forward "
                  : order == Order::reverse ? "reverse "
                                            : "random ") +
                 std::to_string(seed));
    test();
  }
}

std::vector<int> sumsOf(BlockSumKernel kernel, size_t n, unsigned block, unsigned grid) {
  const Input input = makeInput(n, 7);
  DeviceArray<int> data(n, "data"), blockSums(grid, "blockSums");
  data.copyFromHost(input.values.get());
  launch(dim3(grid), dim3(block), kernel, data.data(), blockSums.data(), n);
  std::vector<int> sums(grid);
  blockSums.copyToHost(sums.data(), grid);
  return sums;
}

int64_t totalOf(BlockSumKernel kernel, size_t n, unsigned block, unsigned grid) {
  const std::vector<int> sums = sumsOf(kernel, n, block, grid);
  return std::accumulate(sums.begin(), sums.end(), int64_t(0));
}

// The fault that this launch runs into; a failure of the test when there is none.
Fault faultOf(BlockSumKernel kernel, size_t n, unsigned block, unsigned elementsPerThread = 1) {
  try {
    sumsOf(kernel, n, block, unsigned(blocksFor(n, uint64_t(block) * elementsPerThread)));
  } catch (const Fault& fault) {
    return fault;
  }
  ADD_FAILURE() << "no fault";
  Fault none(Kind::assertion, "no fault");
  none.threads.resize(2);
  return none;
}

// Whether these are the threads of the fault, whichever came first.
testing::AssertionResult concerns(const Fault& fault, unsigned a, unsigned b) {
  if (fault.threads.size() >= 2) {
    const unsigned first = fault.threads[0].x, second = fault.threads[1].x;
    if ((first == a && second == b) || (first == b && second == a))
      return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << fault.what();
}

}  // namespace

// ---- 1

TEST(Mistakes, VolatileUnrollIsARaceInSharedMemory) {
  for (const unsigned block : {64u, 256u, 1024u})
    underManySchedules([&] {
      const Fault fault = faultOf(volatileUnroll, 3000, block);
      EXPECT_EQ(fault.kind, Kind::race) << fault.what();
      EXPECT_EQ(fault.kernel, "volatileUnroll");
      EXPECT_EQ(fault.array, "partial");
      ASSERT_GE(fault.threads.size(), 2u);  // two of each place
      EXPECT_LT(fault.threads[0].x, 32u);
      EXPECT_LT(fault.threads[1].x, 32u);
      EXPECT_NE(fault.threads[0].x, fault.threads[1].x);
    });
}

// Thread 0 runs first and reads mine[16], mine[8] and so on; other lanes of its warp spoil them.
TEST(Mistakes, VolatileUnrollNamesTheLanesAndTheElement) {
  const Fault fault = faultOf(volatileUnroll, 3000, 256);
  EXPECT_TRUE(concerns(fault, 0, unsigned(fault.index)));
  EXPECT_EQ(fault.block.x, 0u);
  EXPECT_GT(fault.index, 0);
  EXPECT_LT(fault.index, 32);
  ASSERT_GE(fault.sources.size(), 2u);
  for (const std::string& source : fault.sources) EXPECT_TRUE(source.starts_with("mistakes.cuh:"));
}

TEST(Mistakes, VolatileUnrollIsARaceInGlobalMemory) {
  for (const unsigned block : {64u, 256u, 1024u})
    underManySchedules([&] {
      const Fault fault = faultOf(volatileUnrollGlobal, 3000, block);
      EXPECT_EQ(fault.kind, Kind::race) << fault.what();
      EXPECT_EQ(fault.kernel, "volatileUnrollGlobal");
      EXPECT_EQ(fault.array, "data");
      ASSERT_EQ(fault.threads.size(), 2u);
      EXPECT_LT(fault.threads[0].x, 32u);
      EXPECT_LT(fault.threads[1].x, 32u);
      EXPECT_EQ(fault.index / block, fault.block.x);
    });
}

// ---- 2

TEST(Mistakes, TreeWithoutBarrierIsARace) {
  for (const unsigned block : testBlocks)
    underManySchedules([&] {
      const Fault fault = faultOf(treeWithoutBarrier, 1000, block);
      EXPECT_EQ(fault.kind, Kind::race) << fault.what();
      EXPECT_EQ(fault.kernel, "treeWithoutBarrier");
      EXPECT_EQ(fault.array, "partial");
      EXPECT_LT(fault.index, block);
    });
}

// ---- 3

TEST(Mistakes, EarlyReturnLeavesALaneOut) {
  // 232 elements are left for block 3: eight for its last warp, threads 224 to 255.
  underManySchedules([] {
    const Fault fault = faultOf(earlyReturn, 1000, 256);
    EXPECT_EQ(fault.kind, Kind::warpOperation) << fault.what();
    EXPECT_EQ(fault.kernel, "earlyReturn");
    EXPECT_EQ(fault.block.x, 3u);
    EXPECT_TRUE(concerns(fault, 224, 232));
  });
}

TEST(Mistakes, EarlyReturnOfWholeWarpsLeavesTheirSumsUnwritten) {
  // 192 elements are left for block 3: six warps of its eight.
  underManySchedules([] {
    const Fault fault = faultOf(earlyReturn, 960, 256);
    EXPECT_EQ(fault.kind, Kind::uninitialised) << fault.what();
    EXPECT_EQ(fault.kernel, "earlyReturn");
    EXPECT_EQ(fault.block.x, 3u);
    EXPECT_EQ(fault.array, "warpSums");
    EXPECT_TRUE(fault.index == 6 || fault.index == 7) << fault.what();
    ASSERT_EQ(fault.threads.size(), 1u);
    EXPECT_EQ(fault.threads[0].x, unsigned(fault.index));
  });
}

TEST(Mistakes, EarlyReturnPassesWhereNobodyReturns) {
  underManySchedules([] { EXPECT_EQ(totalOf(earlyReturn, 1024, 256, 4), makeInput(1024, 7).sum); });
}

// ---- 4

TEST(Mistakes, BarrierInBranchIsTwoBarriers) {
  for (const unsigned block : testBlocks)
    underManySchedules([&] {
      const Fault fault = faultOf(barrierInBranch, block, block);
      EXPECT_EQ(fault.kind, Kind::barrier) << fault.what();
      EXPECT_EQ(fault.kernel, "barrierInBranch");
      EXPECT_TRUE(concerns(fault, 0, block / 2));
      ASSERT_EQ(fault.sources.size(), 2u);
      EXPECT_NE(fault.sources[0], fault.sources[1]);
    });
}

TEST(Mistakes, ShuffleInBranchWaitsForTheFirstLaneThatIsNotThere) {
  for (const unsigned block : {32u, 64u, 128u, 256u, 512u})
    underManySchedules([&] {
      const Fault fault = faultOf(shuffleInBranch, block, block);
      EXPECT_EQ(fault.kind, Kind::warpOperation) << fault.what();
      EXPECT_EQ(fault.kernel, "shuffleInBranch");
      EXPECT_TRUE(concerns(fault, 0, block / 32));
    });
}

TEST(Mistakes, ShuffleInBranchPassesWhereTheWholeWarpEnters) {
  underManySchedules(
      [] { EXPECT_EQ(totalOf(shuffleInBranch, 3000, 1024, 3), makeInput(3000, 7).sum); });
}

// ---- 5

TEST(Mistakes, ReadPastEndIsOutOfBounds) {
  underManySchedules([] {
    const Fault fault = faultOf(readPastEnd, 1000, 256);
    EXPECT_EQ(fault.kind, Kind::outOfBounds) << fault.what();
    EXPECT_EQ(fault.kernel, "readPastEnd");
    EXPECT_EQ(fault.block.x, 3u);
    EXPECT_EQ(fault.array, "data");
    EXPECT_GE(fault.index, 1000);
    EXPECT_LT(fault.index, 1024);
    ASSERT_EQ(fault.threads.size(), 1u);
    EXPECT_EQ(fault.threads[0].x, unsigned(fault.index) - 3 * 256);
  });
  EXPECT_EQ(faultOf(readPastEnd, 1000, 256).index, 1000);
}

TEST(Mistakes, ReadPastEndPassesAtAMultipleOfTheBlock) {
  underManySchedules([] { EXPECT_EQ(totalOf(readPastEnd, 1024, 256, 4), makeInput(1024, 7).sum); });
}

// ---- 6

TEST(Mistakes, GridOverEightDropsTheTail) {
  underManySchedules([] {
    const unsigned grid = gridOverEight(9000, 256);
    EXPECT_EQ(grid, 4u);
    EXPECT_EQ(totalOf(sumOfEight, 9000, 256, grid), makeInput(4 * 2048, 7).sum);
  });
  EXPECT_NE(makeInput(4 * 2048, 7).sum, makeInput(9000, 7).sum);
}

TEST(Mistakes, GridOverEightPassesAtAPowerOfTwo) {
  EXPECT_EQ(totalOf(sumOfEight, 8192, 256, gridOverEight(8192, 256)), makeInput(8192, 7).sum);
}

TEST(Mistakes, GridOfEightsDropsNothing) {
  for (const size_t n : {size_t(1), size_t(2047), size_t(2048), size_t(2049), size_t(9000)})
    for (const unsigned block : testBlocks)
      underManySchedules([&] {
        EXPECT_EQ(totalOf(sumOfEight, n, block, gridOfEights(n, block)), makeInput(n, 7).sum);
      });
}

// ---- 7

TEST(Mistakes, FirstWarpOnlyDropsTheOthers) {
  const Input input = makeInput(1024, 7);
  underManySchedules([&] {
    const std::vector<int> sums = sumsOf(firstWarpOnly, input.n, 256, 4);
    for (size_t b = 0; b < sums.size(); ++b) {
      const int* const first = input.values.get() + b * 256;
      EXPECT_EQ(sums[b], std::accumulate(first, first + 32, 0));
    }
  });
}

TEST(Mistakes, FirstWarpOnlyPassesInBlocksOfOneWarp) {
  EXPECT_EQ(totalOf(firstWarpOnly, 1024, 32, 32), makeInput(1024, 7).sum);
}

// ---- 8

TEST(Mistakes, SumTwiceIsARaceBetweenWarps) {
  for (const unsigned block : {64u, 256u, 1024u})
    underManySchedules([&] {
      const Fault fault = faultOf(sumTwice, 5000, block, 2);
      EXPECT_EQ(fault.kind, Kind::race) << fault.what();
      EXPECT_EQ(fault.kernel, "sumTwice");
      EXPECT_EQ(fault.array, "warpSums");
      // Lane w of the first warp reads what lane 0 of warp w writes.
      EXPECT_TRUE(concerns(fault, unsigned(fault.index), unsigned(fault.index) * 32));
    });
}

// ---- The twins

struct Twin {
  const char* name;
  BlockSumKernel kernel;
  unsigned elementsPerThread = 1;
};
// How GoogleTest shows a twin.
void PrintTo(const Twin& twin, std::ostream* out) { *out << twin.name; }

class Mended : public testing::TestWithParam<Twin> {};

TEST_P(Mended, SumsWithoutAFaultUnderManySchedules) {
  for (const size_t n : {1, 33, 512, 1000, 2500}) {
    const Input input = makeInput(n, 7);
    for (const unsigned block : testBlocks)
      underManySchedules([&] {
        const uint64_t perBlock = uint64_t(block) * GetParam().elementsPerThread;
        try {
          EXPECT_EQ(totalOf(GetParam().kernel, n, block, unsigned(blocksFor(n, perBlock))),
                    input.sum)
              << "n " << n << ", block " << block;
        } catch (const Fault& fault) {
          ADD_FAILURE() << fault.what();
        }
      });
  }
}

INSTANTIATE_TEST_SUITE_P(Twins, Mended,
                         testing::Values(Twin{"VolatileUnroll", volatileUnrollMended},
                                         Twin{"VolatileUnrollGlobal", volatileUnrollGlobalMended},
                                         Twin{"TreeWithBarrier", treeWithBarrier},
                                         Twin{"EarlyReturn", earlyReturnMended},
                                         Twin{"BarrierInBranch", barrierInBranchMended},
                                         Twin{"ShuffleInBranch", shuffleInBranchMended},
                                         Twin{"ReadPastEnd", readPastEndMended},
                                         Twin{"SumOfEight", sumOfEight, 8},
                                         Twin{"FirstWarpOnly", firstWarpOnlyMended},
                                         Twin{"SumTwice", sumTwiceMended, 2}),
                         [](const testing::TestParamInfo<Twin>& info) {
                           return std::string(info.param.name);
                         });
