// What compare computes.
#include <gtest/gtest.h>

#include "compare/compare_testing.h"
#include "compare/comparison_tables.h"
#include "compare/reasons.h"

TEST(Comparison, RelatesEachMachineToItsOwnLesson02AndPeak) {
  const std::vector<Report> reports = {
      card("slow", {timedStep("02_neighbored", "neighbored", 8), timedStep("05", "unroll", 4)}),
      card("fast", {timedStep("02_neighbored", "neighbored", 2), timedStep("05", "unroll", 0.5)})};
  const Comparison all = compareResults(reports, StepOrder::lesson);
  ASSERT_EQ(all.steps.size(), 2u);
  const ComparedStep& row = all.steps[1];
  EXPECT_EQ(row.name, "unroll");
  EXPECT_DOUBLE_EQ(*row.onMachine[0].overLesson02, 2);
  EXPECT_DOUBLE_EQ(*row.onMachine[1].overLesson02, 4);
  EXPECT_DOUBLE_EQ(*row.onMachine[0].percentOfPeak, 0.1);
  EXPECT_DOUBLE_EQ(*row.onMachine[1].percentOfPeak, 0.8);
  EXPECT_FALSE(row.onMachine[0].fastest);
  EXPECT_TRUE(row.onMachine[1].fastest);
}

TEST(Comparison, ComparesRatesWhereLengthsDiffer) {
  Report shorter = card("short", {timedStep("02_neighbored", "neighbored", 1)});
  shorter.n /= 4;
  const std::vector<Report> reports = {shorter,
                                       card("long", {timedStep("02_neighbored", "neighbored", 2)})};
  const Comparison all = compareResults(reports, StepOrder::lesson);
  EXPECT_FALSE(all.sameInput);
  EXPECT_FALSE(all.steps[0].onMachine[0].fastest);
  EXPECT_TRUE(all.steps[0].onMachine[1].fastest);
}

TEST(Comparison, NeverCallsAWrongResultTheFastest) {
  std::vector<Report> reports = {card("a", {timedStep("02_neighbored", "neighbored", 1)}),
                                 card("b", {timedStep("02_neighbored", "neighbored", 2)}),
                                 card("c", {timedStep("02_neighbored", "neighbored", 3)})};
  reports[0].steps[0].ok = false;
  const Comparison all = compareResults(reports, StepOrder::lesson);
  EXPECT_FALSE(all.steps[0].onMachine[0].fastest);
  EXPECT_TRUE(all.steps[0].onMachine[1].fastest);
  EXPECT_FALSE(all.steps[0].onMachine[0].overLesson02);
  EXPECT_TRUE(contains(timesTable(all).text(), "WRONG"));
}

TEST(Comparison, KeepsTheOrderOfTheLessonsWhateverAFileLacks) {
  const std::vector<Report> reports = {
      card("a", {timedStep("x", "one", 1), timedStep("x", "three", 1)}),
      card("b", {timedStep("x", "one", 1), timedStep("x", "two", 3), timedStep("x", "three", 2)})};
  const auto names = [&](StepOrder order) {
    std::string names;
    const Comparison all = compareResults(reports, order);
    for (const ComparedStep& row : all.steps) names += row.name + " ";
    return names;
  };
  EXPECT_EQ(names(StepOrder::lesson), "one two three ");
  EXPECT_EQ(names(StepOrder::name), "one three two ");
  EXPECT_EQ(names(StepOrder::time), "one three two ");
  const Comparison all = compareResults(reports, StepOrder::lesson);
  EXPECT_EQ(timesTable(all).rows()[2][1].text, "–");  // a has no two
}

TEST(Comparison, TellsStepsOfOneNameApart) {
  Report report = card("a", {timedStep("x", "sum", 1), timedStep("x", "sum", 2),
                             timedStep("x", "sum", 3), timedStep("x", "sum", 4)});
  report.steps[1].n = 1024;
  report.steps[2].cache = "warm";
  const std::vector<Report> reports = {report};
  const Comparison all = compareResults(reports, StepOrder::lesson);
  ASSERT_EQ(all.steps.size(), 4u);
  EXPECT_EQ(all.steps[0].name, "sum");
  EXPECT_EQ(all.steps[1].name, "sum, n = 2^10");
  EXPECT_EQ(all.steps[2].name, "sum, warm");
  EXPECT_EQ(all.steps[3].name, "sum (2)");
}

TEST(Comparison, PutsFilesOfOneLabelTogetherAndRanksTheLabels) {
  std::vector<Report> reports = {card("a", {timedStep("x", "sum", 4)}),
                                 card("b", {timedStep("x", "sum", 2)}),
                                 card("c", {timedStep("x", "sum", 3)})};
  reports[0].label = reports[2].label = "Ada";
  reports[1].label = "Bob";
  const Comparison all = compareResults(reports, StepOrder::lesson);
  EXPECT_EQ(all.machines[1]->machine.name, "c");
  const Table labels = rankingTable(all);
  ASSERT_EQ(labels.rows().size(), 3u);
  EXPECT_EQ(labels.rows()[1][0].text, "[3] Bob");
  EXPECT_EQ(labels.rows()[2][0].text, "[2] Ada");
  EXPECT_TRUE(labels.rows()[2][6].text.starts_with("c, "));
}

TEST(Comparison, SaysWhichCountersMoved) {
  const Report report = card(
      "cpu",
      {countedStep("before", "", {.load_requests = 4000, .load_sectors = 8000, .barriers = 1000}),
       countedStep("after", "before",
                   {.load_requests = 1000, .load_sectors = 8000, .shuffles = 2000})});
  EXPECT_EQ(whatMoved(report, report.steps[0], report.steps[1]),
            "barriers → 0, shuffles 0 → 2, load requests ÷ 4");
  EXPECT_EQ(whatMoved(report, report.steps[0], report.steps[0]), "none");
}

TEST(Comparison, JoinsReasonsAndTimes) {
  const std::vector<Report> reports = {readResult(recorded), readResult(counted)};
  const Comparison all = compareResults(reports, StepOrder::lesson);
  ASSERT_EQ(all.counted.size(), 1u);
  const Table table = reasonsTable(all, *all.counted[0]);
  const Table::Row& row = table.rows()[3];
  EXPECT_EQ(row[0].text, "neighbored less");
  EXPECT_EQ(row[1].text, "80.1");                            // 41 load requests per 512 elements
  EXPECT_EQ(row[2].text, "998");                             // 511 sectors
  EXPECT_NEAR(std::stod(row[7].text), 3.334 / 1.784, 0.01);  // times as fast, and why:
  EXPECT_TRUE(contains(row[8].text, "load requests ÷ 4.7"));
}

TEST(Comparison, HasALineForEachStepAndMachineInCsv) {
  Report evil = card("=1+1, \"x\"", {timedStep("02_neighbored", "a, b", 1)});
  evil.file = "f";
  const std::vector<Report> reports = {evil};
  const std::string csv = tidyCsv(compareResults(reports, StepOrder::lesson));
  EXPECT_EQ(csv.substr(csv.find("\r\n") + 2),
            "f,,\"'=1+1, \"\"x\"\"\",gpu,ladder,1000000,512,\"a, b\",1,0.5,2,3,4,1,0.4,yes,no\r\n");
}
