// What compare computes.
#include <gtest/gtest.h>

#include <algorithm>

#include "compare/compare_testing.h"
#include "compare/comparison_tables.h"
#include "compare/reasons.h"
#include "compare/result_pages.h"

TEST(Comparison, HasEstimatesInATableOfTheirOwn) {
  StepResult step = countedStep("sum", "", {});
  step.estimate = StepEstimate{"NVIDIA H200", 1 << 28, 1.25, {}};
  const std::vector<Report> reports = {card("A", {timedStep("x", "sum", 2)}), card("B", {step})};
  const Comparison all = compareResults(reports, StepOrder::lesson);
  ASSERT_EQ(all.estimated.size(), 1u);
  const std::string text = estimatesTable(all).text();
  EXPECT_TRUE(contains(text, "estimated ms, NVIDIA H200, 2^28"));
  EXPECT_TRUE(contains(text, "1.2500"));
  EXPECT_FALSE(contains(timesTable(all).text(), "1.25"));
}

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

// 4 MB in 1 ms are 4 GB/s: of four cards with 1000 each, 0.1 %.
TEST(Comparison, ShowsWhatSeveralGpusReadInAllAndEach) {
  std::vector<Report> reports = {card(
      "NVIDIA H200", {timedStep("08", "sum on 4 GPUs", 1), timedStep("08", "sum on 1 GPU", 2)})};
  reports[0].machine.gpus = reports[0].steps[0].gpus = 4;
  const Comparison all = compareResults(reports, StepOrder::lesson);
  EXPECT_EQ(describe(reports[0]), "4 × NVIDIA H200, 1000000 int32, block 512");
  EXPECT_DOUBLE_EQ(*all.steps[0].onMachine[0].percentOfPeak, 0.1);
  EXPECT_DOUBLE_EQ(*all.steps[1].onMachine[0].percentOfPeak, 0.2);
  const std::vector<Table::Row> rows = timesTable(all).rows();
  EXPECT_EQ(rows[0].size(), 5u);  // the name, three columns, and an empty one that is left out
  EXPECT_EQ(rows[0][4].text, "GB/s (per GPU)");
  EXPECT_EQ(rows[1][4].text, "4.0 (1.0)");
  EXPECT_EQ(rows[2][4].text, "2.0 (2.0)");
  reports[0].machine.gpus = reports[0].steps[0].gpus = 1;
  EXPECT_FALSE(contains(timesTable(compareResults(reports, StepOrder::lesson)).text(), "per GPU"));
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
  const auto row = std::ranges::find_if(
      table.rows(), [](const Table::Row& r) { return r[0].text == "neighbored less"; });
  ASSERT_NE(row, table.rows().end());
  const StepResult &before = *reports[0].find("neighbored"),
                   &after = *reports[0].find("neighbored less");
  const Counters &many = *reports[1].find("neighbored")->counters,
                 &few = *reports[1].find("neighbored less")->counters;
  EXPECT_NEAR(std::stod((*row)[1].text), 1000.0 * double(few.load_requests) / double(reports[1].n),
              0.1);
  EXPECT_NEAR(std::stod((*row)[2].text), 1000.0 * double(few.load_sectors) / double(reports[1].n),
              0.5);
  EXPECT_NEAR(std::stod((*row)[7].text),
              spreadOf(before.kernelMs).median / spreadOf(after.kernelMs).median, 0.01);
  EXPECT_TRUE(contains(
      (*row)[8].text,
      "load requests ÷ " + fixed(double(many.load_requests) / double(few.load_requests), 1)));
}

TEST(Comparison, HasALineForEachStepAndMachineInCsv) {
  Report evil = card("=1+1, \"x\"", {timedStep("02_neighbored", "a, b", 1)});
  evil.file = "f";
  const std::vector<Report> reports = {evil};
  const std::string csv = tidyCsv(compareResults(reports, StepOrder::lesson));
  EXPECT_EQ(csv.substr(csv.find("\r\n") + 2),
            "f,,\"'=1+1, \"\"x\"\"\",gpu,ladder,1000000,512,\"a, b\",1,0.5,2,3,4,1,0.4,yes,no\r\n");
}

// ---- Like with like, and what cannot be

TEST(Comparison, FitsIn80ColumnsWhereMachinesStandSideBySide) {
  const std::vector<Report> reports(5, readResult(recorded));
  const Comparison all = compareResults(reports, StepOrder::lesson);
  EXPECT_GT(timesTable(all).columns(), 80u);
  const std::vector<Table> tables = timesTables(all, 80, SIZE_MAX);
  EXPECT_EQ(tables.size(), 5u);
  for (const Table& table : tables) EXPECT_LE(table.columns(), 80u);
  EXPECT_EQ(timesTables(all, SIZE_MAX, SIZE_MAX).size(), 1u);
  EXPECT_EQ(timesTables(all, SIZE_MAX, 2).size(), 3u);
}

TEST(Comparison, LeavesOutOfAPartWhatItsMachinesLack) {
  const std::vector<Report> reports = {card("a", {timedStep("x", "one", 1)}),
                                       card("b", {timedStep("x", "two", 1)})};
  const Comparison all = compareResults(reports, StepOrder::lesson);
  EXPECT_EQ(timesTable(all).rows().size(), 3u);
  EXPECT_EQ(timesTable(all, 0, 1).rows().size(), 2u);
  EXPECT_EQ(timesTable(all, 1, 1).rows()[1][0].text, "two");
}

// ---- Many steps

// Texts that were compared: what a search through all steps is made of. The linker puts these
// functions in the place of memcmp, and of bcmp, which clang++ makes of it.
static size_t textsCompared = 0;
extern "C" int __real_memcmp(const void* a, const void* b, size_t bytes);
extern "C" int __wrap_memcmp(const void* a, const void* b, size_t bytes) {
  ++textsCompared;
  return __real_memcmp(a, b, bytes);
}
extern "C" int __wrap_bcmp(const void* a, const void* b, size_t bytes) {
  return __wrap_memcmp(a, b, bytes);
}

// A search through all steps for each of them is 64 times the work for eight times as many.
TEST(Compare, FindsStepsWithoutASearchThroughAll) {
  json file = json::parse(contentsOf(counted));
  json step = file["steps"][0];
  step["kernel_ms"] = {{"median", 1}, {"min", 1}, {"max", 1}, {"samples", {1}}};
  step["lesson"] = "none of 02";
  const TemporaryFolder folder;
  const std::string path = folder.path("many.json");
  const Report other = readResult(recorded);
  struct Work {
    size_t read, tables, picture;
  };
  const auto workOf = [&](int steps) {
    file["steps"] = json::array();
    for (int i = 0; i < steps; ++i) {
      step["name"] = "step " + std::to_string(1000 + i);  // all of one length
      step["based_on"] = "step " + std::to_string(999 + i);
      file["steps"].push_back(step);
    }
    writeFile(path, file.dump());
    const auto counting = [](auto&& work) {
      textsCompared = 0;
      work();
      return textsCompared;
    };
    std::vector<Report> reports;
    Work work{};
    work.read = counting([&] { reports = {readResult(path), other}; });
    std::string tables, picture;
    work.tables = counting([&] {
      const Comparison all = compareResults(reports, StepOrder::lesson);
      for (const Table& table : timesTables(all, 80, SIZE_MAX)) tables += table.fitted(80);
      tables += reasonsTable(all, reports[0]).fitted(80);
    });
    work.picture = counting([&] { picture = ladderSvg(reports[0]); });
    const std::string last = "step " + std::to_string(999 + steps);
    EXPECT_TRUE(contains(tables, "\n" + last + " ")) << tables;
    EXPECT_TRUE(contains(picture, ">" + last + "<"));
    return work;
  };
  const Work few = workOf(100), many = workOf(800);
  EXPECT_GT(few.tables, 100u) << "nothing is counted";
  for (const auto part : {&Work::read, &Work::tables, &Work::picture})
    EXPECT_LE(many.*part, 16 * (few.*part)) << few.*part << " comparisons for 100 steps";
}
