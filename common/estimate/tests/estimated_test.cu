// The record of estimates, which the pages show, is what the model says now. Host compilers differ
// a little.
#include <cmath>
#include <map>

#include "estimate/launch_time.h"
#include "estimate/sampled.h"
#include "kernels/costs.h"
#include "table/record.h"
#include "test_support/kernel_testing.h"

TEST(Estimated, TheLadderIsAsItIsRecorded) {
  NEEDS_GPU_CODE();
#ifdef __clang__
  GTEST_SKIP() << "recorded with g++";
#else
  const estimate::Card card = estimate::findCard("h200");
  estimate::Sampler sampler{unsigned(card.multiprocessors)};
  const std::vector<Judged> all = judgedLadder("h200", 20, {256});
  for (const Judged& j : all) sampler.run(j.launch);
  const std::vector<estimate::Launch> launches = sampler.take();
  ASSERT_EQ(launches.size(), all.size());
  std::map<std::string, double> recorded;
  for (const RecordedEstimate& e : readEstimates(ESTIMATES))
    if (e.group == all[0].group && e.where == all[0].where) recorded[e.step] = e.ms;
  for (size_t i = 0; i < all.size(); ++i) {
    const double ms = estimateLaunch(launches[i], card).ms;
    EXPECT_NEAR(ms, recorded[all[i].step], 0.05 * ms)
        << all[i].step << ": make common/results/h200_estimated.csv anew (estimated_kernels)";
  }
#endif
}

// What a launch would take without a cost, over what it takes.
static double without(const std::string& cost, const Judged& judged) {
  estimate::Card card = estimate::findCard("h200");
  estimate::Sampler sampler{unsigned(card.multiprocessors)};
  sampler.run(judged.launch);
  const std::vector<estimate::Launch> launches = sampler.take();
  const Cost left = costOf(cost);
  return estimateLaunch(left.appliedTo(launches.at(0)), left.appliedTo(card), left.whatIf).ms /
         estimateLaunch(launches.at(0), card).ms;
}

TEST(Costs, AreLeftOutOneAtATime) {
  NEEDS_GPU_CODE();
  const std::vector<Judged> rounds = judgedRounds(4096, 4096, "");
  const auto round = [&](const std::string& step) { return named(rounds, {step}).at(0); };
  EXPECT_EQ(without("as it is", round("inner, round 1")), 1);
  EXPECT_LT(without("free barriers", round("inner, round 1")), 1);
  EXPECT_EQ(without("free barriers", round("outer, round 1")), 1);
  EXPECT_GT(without("nothing in L1", round("outer, round 1")), 1.1);
  const std::vector<Judged> ladder = judgedLadder("h200", 28, {512});
  const Judged unrolled = named(ladder, {"unroll 8"}).at(0);
  EXPECT_LT(without("writes stay in L2", unrolled), 0.985);
  EXPECT_LT(without("writes as cheap as reads", unrolled), 0.985);
  EXPECT_GT(without("one block at a time", named(ladder, {"complete unroll"}).at(0)), 1.5);
  EXPECT_LT(without("blocks start at once", judgedSegments("h200").at(0)), 0.9);
  EXPECT_THROW(costOf("gravity"), Error);
}
