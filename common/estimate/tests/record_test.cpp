// What the record says of the model.
#include <gtest/gtest.h>

#include <map>

#include "table/record.h"

namespace estimate {
namespace {

TEST(Record, TheLargestReasonToWaitIsMostlyTheProfilers) {
  unsigned all = 0, same = 0;
  for (const RecordedEstimate& e : readEstimates(WORKSHOP_RESULTS "/h200_estimated.csv")) {
    if (e.group != "profile") continue;
    const Profiled theirs = profiled(e.kernel, WORKSHOP_RESULTS "/h200_stalls.csv");
    const Reasons ours = reasonsOf(e);
    ASSERT_FALSE(theirs.reasons.empty()) << e.kernel;
    ASSERT_FALSE(ours.empty()) << e.kernel;
    ++all;
    same += ours[0].first == theirs.reasons[0].first;
  }
  EXPECT_GE(all, 35u);
  EXPECT_GE(same, 0.85 * all);
}

TEST(Record, EveryEstimateHasSomethingToBeComparedWith) {
  std::map<std::string, unsigned> groups;
  for (const RecordedEstimate& e : readEstimates(WORKSHOP_RESULTS "/h200_estimated.csv")) {
    EXPECT_GT(e.ms, 0) << e.step;
    groups[e.group] += measuredMs(e, WORKSHOP_RESULTS) > 0;
  }
  for (const char* ladder : {"ladder 2^28", "ladder 2^24", "ladder 2^20"})
    EXPECT_GE(groups[ladder], 60u) << ladder;
  EXPECT_EQ(groups["segments"], 8u);
  EXPECT_EQ(groups["lesson 09"], 24u);
  EXPECT_EQ(groups["public"], 16u);
}

}  // namespace
}  // namespace estimate
