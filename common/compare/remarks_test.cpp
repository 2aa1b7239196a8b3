// What compare says before its tables are believed, and which cells it stars.
#include <gtest/gtest.h>

#include <algorithm>

#include "compare/compare_testing.h"
#include "compare/comparison_tables.h"
#include "compare/reasons.h"
#include "compare/result_pages.h"

namespace {

std::string remarksOf(const std::vector<Report>& reports) {
  std::string lines;
  for (const std::string& line : remarks(compareResults(reports, StepOrder::lesson)))
    lines += line + "\n";
  return lines;
}

// Which machines have a star in the first row.
std::vector<bool> starsOf(const std::vector<Report>& reports) {
  std::vector<bool> stars;
  const Comparison all = compareResults(reports, StepOrder::lesson);
  for (const StepOnMachine& cell : all.steps[0].onMachine) stars.push_back(cell.fastest);
  return stars;
}

std::vector<Report> twoCards() {
  return {card("a", {timedStep("x", "sum", 4)}), card("b", {timedStep("x", "sum", 2)})};
}

}  // namespace

TEST(Comparison, StarsOnlyAmongEqualTypes) {
  std::vector<Report> reports = twoCards();
  reports[1].type = "double";
  reports[1].steps[0].elementBytes = 8;
  EXPECT_EQ(starsOf(reports), (std::vector<bool>{false, false}));
  EXPECT_EQ(remarksOf(reports),
            "Types differ: double in [2], int32 in [1]; stars only among equal ones.\n");
  reports.push_back(reports[0]);
  EXPECT_EQ(starsOf(reports), (std::vector<bool>{true, false, false}));
}

TEST(Comparison, StarsOnlyAmongEqualStatesOfTheCache) {
  std::vector<Report> reports = twoCards();
  reports[0].cache = "L2 flushed before each sample";
  reports[1].cache = "warm";
  EXPECT_EQ(starsOf(reports), (std::vector<bool>{false, false}));
  EXPECT_TRUE(contains(remarksOf(reports),
                       "Caches differ: \"L2 flushed before each sample\" in "
                       "[1], \"warm\" in [2]; stars only among equal ones."));
}

TEST(Comparison, SaysWhichFiguresAreOfWhichCardOfAName) {
  std::vector<Report> reports = twoCards();
  EXPECT_EQ(remarksOf(reports), "");  // of two names
  for (Report& report : reports) report.machine.name = "A card";
  EXPECT_EQ(remarksOf(reports), "Cards called A card need not be alike: unknown in [1] [2].\n");
  reports[0].machine.identity = "0123abcd";
  reports[0].machine.roofGbps = 950;
  EXPECT_EQ(remarksOf(reports),
            "Cards called A card need not be alike: unknown in [2], 0123abcd (reads 950 GB/s) in "
            "[1].\n");
  reports[1].machine.identity = "0123abcd";
  EXPECT_EQ(remarksOf(reports), "");
  reports[1].machine.identity = "ffff0000";
  EXPECT_TRUE(contains(remarksOf(reports), "0123abcd (reads 950 GB/s) in [1], ffff0000 in [2]."));
}

TEST(Comparison, SaysThatBlocksDiffer) {
  std::vector<Report> reports = twoCards();
  reports[0].steps[0].block = 64;
  EXPECT_EQ(starsOf(reports), (std::vector<bool>{false, true}));
  EXPECT_EQ(remarksOf(reports), "Blocks differ: 512 threads in [2], 64 threads in [1].\n");
}

TEST(Comparison, SaysThatLengthsDiffer) {
  std::vector<Report> reports = twoCards();
  reports[0].n = 1024;
  EXPECT_TRUE(contains(remarksOf(reports), "Lengths differ: 1000000 in [2], 2^10 in [1]"));
}

TEST(Comparison, HasNoRemarksWhereNothingDiffers) {
  EXPECT_EQ(remarksOf(twoCards()), "");
  EXPECT_EQ(remarksOf({readResult(recorded), readResult(counted)}), "");
}

// 4 MB in 1 µs: four times the peak.
TEST(Comparison, DoubtsMoreThanThePeak) {
  std::vector<Report> reports = twoCards();
  reports[0].file = "a.json";
  reports[0].steps[0].kernelMs = {0.001};
  const Comparison all = compareResults(reports, StepOrder::lesson);
  EXPECT_TRUE(all.steps[0].onMachine[0].doubted);
  EXPECT_FALSE(all.steps[0].onMachine[0].fastest);
  EXPECT_EQ(timesTable(all).rows()[1][6].text, "0.2");
  EXPECT_EQ(timesTable(all).rows()[1][3].text, "400.0?");
  EXPECT_EQ(rankingTable(all).rows()[1][0].text, "[2]");
  EXPECT_EQ(rankingTable(all).rows()[2][0].text, "[1]");
  EXPECT_TRUE(contains(remarksOf(reports), "[1] sum: 400.0 % of the peak, more than the memory"));
  EXPECT_TRUE(contains(remarksOf(reports), "a.json"));
  EXPECT_TRUE(contains(htmlPage(all), "400.0? %"));
}

// A CPU reads its own memory.
TEST(Comparison, ComparesNoCpuWithThePeakOfACard) {
  std::vector<Report> reports = twoCards();
  reports[0].steps[0].role = Role::cpu;
  EXPECT_FALSE(compareResults(reports, StepOrder::lesson).steps[0].onMachine[0].percentOfPeak);
}

TEST(Comparison, DoubtsNothingOfAWarmCache) {
  std::vector<Report> reports = twoCards();
  reports[0].steps[0].kernelMs = {0.001};
  reports[0].cache = "warm, queued";
  EXPECT_FALSE(compareResults(reports, StepOrder::lesson).steps[0].onMachine[0].doubted);
}

TEST(Comparison, BelievesNoWrongResult) {
  json file = aResult();
  file["steps"][0]["result"] = file["steps"][0]["expected"].get<int64_t>() + 1;
  const std::vector<Report> reports = {parseResult(file.dump(), "f")};
  EXPECT_FALSE(reports[0].allRight());
  EXPECT_TRUE(contains(remarksOf(reports), "neighbored is wrong: "));
  const Comparison all = compareResults(reports, StepOrder::lesson);
  EXPECT_TRUE(contains(timesTable(all).text(), "WRONG"));
  EXPECT_EQ(rankingTable(all).rows().size(), 1u);
}

TEST(Comparison, BelievesARealResultWithinRounding) {
  const auto isRight = [](const json& result, double expected) {
    json file = aResult();
    file["steps"][0]["result"] = result;
    file["steps"][0]["expected"] = expected;
    return parseResult(file.dump(), "f").allRight();
  };
  EXPECT_TRUE(isRight(16777020.0, 16777019.2));
  EXPECT_TRUE(isRight(0.001, 0.0));
  EXPECT_FALSE(isRight(1.5, 1.2));
  EXPECT_FALSE(isRight(-16777020.0, 16777020.0));
  EXPECT_FALSE(isRight(nullptr, 1.5));
}
