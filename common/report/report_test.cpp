#include "report/report.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/text.h"
#include "base/unicode.h"
#include "report/report_testing.h"
#include "report/tables.h"

TEST(Spread, HasTheMiddleOfAnOddNumberOfSamples) {
  const Spread spread = spreadOf({5, 1, 3});
  EXPECT_EQ(spread.median, 3);
  EXPECT_EQ(spread.min, 1);
  EXPECT_EQ(spread.max, 5);
}

TEST(Spread, HasTheMeanOfTheTwoMiddleOnesOfAnEvenNumber) {
  const Spread spread = spreadOf({8, 1, 4, 3});
  EXPECT_EQ(spread.median, 3.5);
  EXPECT_EQ(spread.min, 1);
  EXPECT_EQ(spread.max, 8);
}

TEST(Spread, OfOneSampleIsThatSample) {
  const Spread spread = spreadOf({2.5});
  EXPECT_EQ(spread.median, 2.5);
  EXPECT_EQ(spread.min, 2.5);
  EXPECT_EQ(spread.max, 2.5);
}

TEST(Report, IsRightWhenEveryStepIs) {
  Report report = cpuReport();
  EXPECT_TRUE(report.allRight());
  report.steps.push_back(report.steps[0]);
  report.steps[1].ok = false;
  EXPECT_FALSE(report.allRight());
}

TEST(Report, HasARightStepWhereTheSumIsAndNoFaultWasFound) {
  StepResult step = cpuReport().steps[0];
  EXPECT_TRUE(step.isRight());
  step.fault = "a race";
  EXPECT_FALSE(step.isRight());
  step.fault = "";
  step.ok = false;
  EXPECT_FALSE(step.isRight());
}

TEST(Report, ShowsCountsPerBlock) {
  const std::string text = printed([] { printCounters(cpuReport()); });
  EXPECT_TRUE(contains(text, " 191.5 "));
  EXPECT_TRUE(contains(text, " 511 "));
}

TEST(Report, ShowsEveryCounterOnlyWhenAsked) {
  EXPECT_FALSE(contains(printed([] { printCounters(cpuReport()); }), "shuffles"));
  EXPECT_TRUE(contains(printed([] { printCounters(cpuReport(), {.all = true}); }), "shuffles"));
}

// What goes to a file or a page has 100 columns.
TEST(Report, ShowsCountsIn100Columns) {
  Report report = cpuReport();
  report.steps[0].name = "neighbored less, shared";
  report.steps[0].blocks = 123456;
  for (const ShownCounts shown : {ShownCounts{}, {.all = true}, {.perBlock = false}})
    for (const std::string& line : split(printed([&] { printCounters(report, shown); }), "\n"))
      EXPECT_LE(columnsOf(line), 100u) << line;
  EXPECT_FALSE(contains(printed([&] { printCounters(report); }), "Left out"));
}

TEST(Report, ShowsWhetherASumIsRightWithOneTableToo) {
  const std::string text = printed([] { printCounters(cpuReport(), {.perBlock = false}); });
  EXPECT_FALSE(contains(text, "per block"));
  EXPECT_TRUE(contains(text, " right\n"));
}

TEST(Report, ShowsWhatAWrongStepFound) {
  Report report = cpuReport();
  report.steps[0].ok = false;
  report.steps[0].result = -8;
  EXPECT_TRUE(contains(printed([&] { printCounters(report); }), "WRONG: -8"));
}

TEST(Report, ShowsTheMedianAndItsSpread) {
  const std::string text = printed([] { printTimes(gpuReport()); });
  EXPECT_TRUE(contains(text, "2.000 (1.000–3.000)"));
  EXPECT_TRUE(contains(text, "5.000 (4.000–6.000)"));
}

// Some devices do not tell their memory clock.
TEST(Report, ShowsNoPercentageOfAPeakThatIsUnknown) {
  Report report = gpuReport();
  report.machine.peakGbps = 0;
  const std::string text = printed([&] { printTimes(report); });
  EXPECT_FALSE(contains(text, "inf"));
  EXPECT_FALSE(contains(text, "nan"));
}

// As arrays do that a cache holds.
TEST(Report, SaysWhyAStepIsFasterThanTheMemory) {
  Report report = gpuReport();
  const auto says = [&] { return contains(printed([&] { printTimes(report); }), "Above 100 %"); };
  EXPECT_FALSE(says());
  const double gbps = report.gbps(report.steps[0]);
  report.machine.peakGbps = gbps / 1.0004;  // shown as 100.0
  report.steps.resize(1, report.steps[0]);
  EXPECT_FALSE(says());
  report.machine.peakGbps = gbps / 1.001;
  EXPECT_TRUE(says());
  report.machine.peakGbps = 0;  // unknown
  EXPECT_FALSE(says());
}

TEST(Report, ShowsCountsPerThousandElements) {
  EXPECT_TRUE(contains(printed([] { printCounters(cpuReport()); }), " 374.0 "));
}

TEST(Report, ShowsHowManyTimesFasterAStepIsThanTheOneItIsBasedOn) {
  Report report = gpuReport();
  report.steps.push_back(report.steps[0]);
  report.steps[1].name = "faster";
  report.steps[1].basedOn = "neighbored";
  report.steps[1].kernelMs = {0.5};
  EXPECT_TRUE(contains(printed([&] { printTimes(report); }), " 4.00× "));
}

TEST(Report, KnowsHowManyBytesAnElementHas) {
  EXPECT_EQ(elementBytesOf("bfloat16"), 2u);
  EXPECT_EQ(elementBytesOf("float"), 4u);
  EXPECT_EQ(elementBytesOf("bfloat16 in and out"), 4u);
  EXPECT_EQ(elementBytesOf("int64"), 8u);
  EXPECT_EQ(elementBytesOf("of each type"), 0u);
}

TEST(Report, NamesTheStepThatAnotherIsBasedOnWhereItIsNotTheRowAbove) {
  Report report = gpuReport();
  report.steps.resize(1, report.steps[0]);
  report.steps.push_back(report.steps[0]);
  report.steps.push_back(report.steps[0]);
  report.steps[1].name = "in between";
  report.steps[2].name = "faster";
  report.steps[1].basedOn = report.steps[2].basedOn = "neighbored";
  report.steps[2].kernelMs = {0.5};
  const std::string text = printed([&] { printTimes(report); });
  EXPECT_TRUE(contains(text, "4.00× (neighbored)"));
  EXPECT_FALSE(contains(text, "1.00× (neighbored)"));
}

TEST(Report, ShowsEstimatesAsSuchAndBesideWhatWasRecorded) {
  Report report = cpuReport();
  report.steps[0].estimate = StepEstimate{
      "NVIDIA H200", 1 << 28, 1.5, {{"memory", 0.75}, {"barriers", 0.2}, {"L2", 0.05}}};
  const std::string text =
      printed([&] { printEstimates(report, [](const StepResult&) { return 2.0; }); });
  EXPECT_TRUE(contains(text, "Estimated on an NVIDIA H200 at n = 2^28, block 512, not measured:"));
  EXPECT_TRUE(contains(text, "memory 75 %, barriers 20 %"));
  EXPECT_FALSE(contains(text, "L2"));
  EXPECT_TRUE(contains(text, "1.5000"));
  EXPECT_TRUE(contains(text, "2.0000"));
  EXPECT_TRUE(contains(text, "wrong by 25 % on average, 25 % at most"));
}

TEST(Report, NamesTheStepOfAnEstimateThatIsNotTheRowAbove) {
  Report report = cpuReport();
  report.steps.resize(1, report.steps[0]);
  for (const char* const name : {"in between", "faster"}) {
    report.steps.push_back(report.steps[0]);
    report.steps.back().name = name;
    report.steps.back().basedOn = "neighbored";
  }
  for (StepResult& step : report.steps)
    step.estimate = StepEstimate{"NVIDIA H200", 1 << 28, step.name == "faster" ? 0.5 : 1.0, {}};
  const auto notRecorded = [](const StepResult&) { return 0.0; };
  const std::string text = printed([&] { printEstimates(report, notRecorded); });
  EXPECT_TRUE(contains(text, "2.00× (neighbored)"));
  EXPECT_FALSE(contains(text, "1.00× (neighbored)"));
}

TEST(Report, ShowsNoEstimatesWhereThereAreNone) {
  const auto recorded = [](const StepResult&) { return 1.0; };
  EXPECT_EQ(printed([&] { printEstimates(cpuReport(), recorded); }), "");
}

TEST(Report, CountsTheBytesOfEveryElementOnce) {
  const Report report = gpuReport();
  EXPECT_DOUBLE_EQ(report.gbps(report.steps[0]), 1024 * 4 / 2e-3 / 1e9);
}

// ---- The yardstick

static StepResult timed(std::vector<double> kernelMs, std::vector<double> answerMs) {
  StepResult step{.lesson = "", .name = "step"};
  step.kernelMs = std::move(kernelMs);
  step.answerMs = std::move(answerMs);
  return step;
}

// A kernel that leaves partial sums is fast because it is not done.
TEST(TimesLibrary, ComparesAnswersWhereBothHaveOne) {
  const StepResult library = timed({2}, {3}), step = timed({1}, {6});
  EXPECT_EQ(timesLibrary(&library, step), 0.5);
}

TEST(TimesLibrary, ComparesKernelsWhereNeitherHasAnAnswer) {
  const StepResult library = timed({2}, {}), step = timed({1}, {});
  EXPECT_EQ(timesLibrary(&library, step), 2);
}

TEST(TimesLibrary, ComparesNothingElse) {
  const StepResult library = timed({2}, {3}), step = timed({1}, {}), untimed = timed({}, {});
  EXPECT_FALSE(timesLibrary(&library, step));
  EXPECT_FALSE(timesLibrary(&library, untimed));
  EXPECT_FALSE(timesLibrary(&library, library));
  EXPECT_FALSE(timesLibrary(nullptr, step));
}
