#include "estimate/launch_time.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/errors.h"
#include "program_builder.h"
#include "report/result_file.h"
#include "tree_kernels.h"

namespace estimate {
namespace {

Launch smallLaunch(uint64_t blocks) {
  ProgramBuilder program;
  program.at(1).load({.memory = 4}).instructions(10).needAll().instructions(5);
  Launch launch;
  launch.kernel = "small";
  launch.blocks = blocks;
  launch.threads = 256;
  launch.sources = {"", "small.cuh:3"};
  launch.sampled.push_back(uniformBlock(program.warp(), 8, blocks / 2));
  return launch;
}

TEST(LaunchTime, ResidentBlocksAreLimitedByWhateverRunsOutFirst) {
  const Card card = findCard("h200");
  const auto resident = [&](uint32_t threads, uint32_t shared, uint32_t registers) {
    Launch launch;
    launch.threads = threads;
    launch.sharedBytes = shared;
    launch.registers = registers;
    return residentBlocks(launch, card);
  };
  EXPECT_EQ(resident(512, 0, 16), 4u);
  EXPECT_EQ(resident(1024, 0, 32), 2u);
  EXPECT_EQ(resident(32, 0, 16), 32u);
  EXPECT_EQ(resident(512, 0, 64), 2u);
  EXPECT_EQ(resident(512, 98304, 26), 2u);
  EXPECT_EQ(resident(256, 4096, 0), 8u);
  EXPECT_THROW(resident(1024, 0, 255), Error);
  EXPECT_THROW(resident(32, 1 << 20, 0), Error);
}

TEST(LaunchTime, AnEmptyLaunchTakesTheTimeOfALaunch) {
  const Card card = findCard("h200");
  EXPECT_EQ(estimateLaunch(Launch{}, card).ms, card.launchMicroseconds * 1e-3);
}

TEST(LaunchTime, SharesAddUpToOne) {
  for (const uint64_t blocks : {1, 100, 132 * 40, 1 << 20}) {
    const Estimate estimate = estimateLaunch(smallLaunch(blocks), findCard("h200"));
    EXPECT_NEAR(std::accumulate(estimate.shares.begin(), estimate.shares.end(), 0.0), 1, 1e-9);
    ASSERT_FALSE(estimate.sources.empty());
    EXPECT_EQ(estimate.sources[0].source, "small.cuh:3");
    EXPECT_LE(estimate.sources[0].total(), 1);
  }
}

TEST(LaunchTime, InTheLongRunTwiceTheBlocksTakeTwiceAsLong) {
  const Card card = findCard("h200");
  const double once = estimateLaunch(smallLaunch(1 << 20), card).ms;
  const double twice = estimateLaunch(smallLaunch(1 << 21), card).ms;
  EXPECT_NEAR(twice / once, 2, 0.02);
  EXPECT_NEAR(estimateLaunch(smallLaunch(1 << 20), card).instructions, 8 * 16.0 * (1 << 20),
              8 * 16.0 * (1 << 20) * 0.02);
}

TEST(LaunchTime, AFewBlocksAreNearlyAllStartAndLatency) {
  const Card card = findCard("h200");
  const double one = estimateLaunch(smallLaunch(1), card).ms;
  EXPECT_LT(one, card.launchMicroseconds * 1e-3 + 0.001);
  EXPECT_NEAR(estimateLaunch(smallLaunch(132), card).ms, one, 0.001);
}

// What was measured and how many instructions a block of it issues, by a profiler.
struct Recorded {
  std::string step;
  TreeKernel kernel;
  double instructions512, instructions256;  // of the whole launch of 2^28 elements
};

TEST(LaunchTime, TheTreesOfLessons02To06AreWithin15PercentOfWhatTheyTookOnTheCard) {
  using Pairs = TreeKernel::Pairs;
  const Recorded all[] = {
      {"neighbored", {Pairs::neighbors}, 2530738176, 2301624320},
      {"neighbored, shared", {Pairs::neighbors, true}, 2337800192, 2108686336},
      {"neighbored less", {Pairs::neighborsPacked}, 1084751872, 1011875840},
      {"neighbored less, shared", {Pairs::neighborsPacked, true}, 1280835584, 1169162240},
      {"interleaved", {Pairs::halves}, 940048384, 881852416},
      {"interleaved, shared", {Pairs::halves, true}, 978845696, 900726784},
      {"unroll 2", {Pairs::halves, false, 2}, 528744448, 499646464},
      {"unroll 8", {Pairs::halves, false, 8}, 154206208, 146931712}};
  const Card card = findCard("h200");
  double sum = 0;
  for (const unsigned threads : {512u, 256u}) {
    const std::string file = threads == 512 ? "h200_ladder.json" : "h200_ladder_block_256.json";
    const Report report = readResult(std::string(WORKSHOP_RESULTS) + "/" + file);
    for (Recorded recorded : all) {
      const StepResult* step = report.find(recorded.step);
      ASSERT_NE(step, nullptr) << recorded.step;
      recorded.kernel.instructions =
          (threads == 512 ? recorded.instructions512 : recorded.instructions256) /
          double(step->blocks);
      const double measured = spreadOf(step->kernelMs).median;
      const double estimated = estimateLaunch(treeLaunch(recorded.kernel, threads), card).ms;
      EXPECT_NEAR(estimated / measured, 1, 0.15) << recorded.step << ", block " << threads;
      sum += std::abs(estimated / measured - 1);
    }
  }
  EXPECT_LT(sum / 16, 0.08);
}

}  // namespace
}  // namespace estimate
