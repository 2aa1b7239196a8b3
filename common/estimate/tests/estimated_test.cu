// The record of estimates, which the pages show, is what the model says now. Host compilers differ
// a little.
#include <cmath>
#include <map>

#include "estimate/launch_time.h"
#include "estimate/sampled.h"
#include "kernels/judged.h"
#include "table/record.h"
#include "test_support/kernel_testing.h"

TEST(Estimated, TheLadderIsAsItIsRecorded) {
  NEEDS_COUNTERS();
#ifdef __clang__
  GTEST_SKIP() << "recorded with g++";
#else
  const estimate::Card card = estimate::findCard("h200");
  estimate::Sampler sampler{unsigned(card.multiprocessors)};
  const std::vector<Judged> all = judgedLadder("h200", 20, {256});
  for (const Judged& j : all) sampler.run(j.launch);
  const estimate::SampledLaunches taken = sampler.take();
  ASSERT_EQ(taken.launches.size(), all.size());
  std::map<std::string, double> recorded;
  for (const estimate::RecordedEstimate& e : estimate::readEstimates(ESTIMATES))
    if (e.group == all[0].group && e.where == all[0].where) recorded[e.step] = e.ms;
  for (size_t i = 0; i < all.size(); ++i) {
    const double ms = estimateLaunch(taken.launches[i], card).ms;
    EXPECT_NEAR(ms, recorded[all[i].step], 0.05 * ms)
        << all[i].step << ": make common/results/h200_estimated.csv anew (estimated_kernels)";
  }
#endif
}
