#include "program/recorded_kernels.h"

#include <gtest/gtest.h>

#include "../../07_complete_unroll/steps.h"
#include "program/estimates.h"
#include "simt/run/executor.h"

static void launchStep(const std::string& name) {
  estimatedTaskOf(findStep(ladderTo07(), name), recordedLength, recordedBlock).launch();
}

TEST(RecordedKernels, CountWhatTheyCountedThen) {
#ifdef __clang__
  GTEST_SKIP() << "the counts that are recorded are those of g++";
#endif
  for (const Step& step : ladderTo07()) EXPECT_TRUE(countsAsRecorded(step)) << step.name;
}

TEST(RecordedKernels, AreNotThoseThatCountAnythingElse) {
  EXPECT_FALSE(countsAsRecorded("neighbored less, shared", [] { launchStep("neighbored less"); }));
  EXPECT_FALSE(countsAsRecorded("no such step", [] { launchStep("neighbored less"); }));
}

TEST(RecordedKernels, LeaveTheCountsOfOthersAlone) {
  simt::takeCounters();
  const simt::Counters before{.load_requests = 7, .barriers = 3};
  simt::addCounters(before);
  countsAsRecorded(findStep(ladderTo07(), "neighbored less"));
  EXPECT_EQ(simt::takeCounters(), before);
}

TEST(RecordedKernels, LeaveTheCountsOfOthersAloneWhenTheLaunchHasAFault) {
  simt::takeCounters();
  const simt::Counters before{.load_requests = 7, .barriers = 3};
  simt::addCounters(before);
  const auto faulty = [] {
    launchStep("neighbored less");
    throw simt::Fault(simt::Fault::Kind::outOfBounds, "outside of every array");
  };
  EXPECT_FALSE(countsAsRecorded("neighbored less", faulty));
  EXPECT_EQ(simt::takeCounters(), before);
}
