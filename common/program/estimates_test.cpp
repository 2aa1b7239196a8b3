// Recorded times beside estimates are those of the card that is estimated.
#include "program/estimates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <iostream>

#include "estimate/card.h"
#include "report/result_file.h"
#include "simt/run/executor.h"
#include "test_support/host_testing.h"

namespace {

constexpr uint64_t usual = uint64_t(1) << 28;

Options onCard(const std::string& card) {
  Options options;
  options.card = card;
  return options;
}

// What is printed of a step that was estimated with 3 ms.
std::string printedOn(const std::string& card, const std::string& fullName, unsigned block = 512) {
  Report report{.program = "ladder", .block = block};
  report.steps.push_back({.lesson = "02_neighbored", .name = "neighbored"});
  report.steps[0].estimate = StepEstimate{fullName, usual, 3.0, {{"memory", 0.75}}};
  const Captured out(std::cout);
  printEstimates(report, onCard(card), [](const std::string&) { return true; });
  return out.text();
}

TEST(Estimates, ALaddersRecordIsNamedByCardLengthAndBlock) {
  EXPECT_EQ(ladderRecord("h200", usual, 512), "h200_ladder.json");
  EXPECT_EQ(ladderRecord("h100", usual, 256), "h100_ladder_block_256.json");
  EXPECT_EQ(ladderRecord("h100", uint64_t(1) << 20, 512), "h100_ladder_2e20_block_512.json");
}

TEST(Estimates, StandBesideTheTimesThatWereRecordedOnTheirCard) {
  for (const char* card : {"h200", "h100"}) {
    if (!std::filesystem::exists(std::string(RESULTS_FOLDER "/") + ladderRecord(card, usual, 512)))
      continue;
    const std::string name = estimate::findCard(card).name;
    for (const unsigned block : {512u, 256u}) {
      const std::optional<Report> recorded = recordedLadder(onCard(card), usual, block);
      ASSERT_TRUE(recorded) << card;
      EXPECT_TRUE(recorded->machine.name.starts_with(name)) << recorded->machine.name;
      const StepResult* const step = recorded->find("neighbored");
      ASSERT_TRUE(step);
      const double ms = spreadOf(step->kernelMs).median;
      const std::string text = printedOn(card, name, block);
      EXPECT_TRUE(contains(text, fmt::format("{:.4f}", ms))) << text;
      EXPECT_TRUE(contains(text, fmt::format("wrong by {:.0f} %", 100 * std::abs(3.0 / ms - 1))))
          << text;
    }
  }
  EXPECT_FALSE(contains(printedOn("h200", "NVIDIA H200", 64), "recorded")) << "no such block";
}

TEST(Estimates, OnACardOfTheUsersOwnHaveNoRecordedTimeBesideThem) {
  const TemporaryFolder folder;
  std::filesystem::copy(CARDS_FOLDER "/h200.json", folder.path("h200.json"));
  const std::string own = folder.path("h200.json");
  EXPECT_FALSE(recordedLadder(onCard(own), usual, 512));
  const std::string text = printedOn(own, "NVIDIA H200");
  EXPECT_TRUE(contains(text, "3.0000")) << text;
  EXPECT_FALSE(contains(text, "recorded")) << text;
  // The repository's own file is that card, however it is named.
  EXPECT_TRUE(recordedLadder(onCard(CARDS_FOLDER "/h200.json"), usual, 512));
}

// This program has no kernels, and so no code of a GPU: like one that was built without clang++.
TEST(Estimates, AreNotThereWithoutAGpuCompilerWhichIsSaidOnce) {
  Report report{.program = "ladder", .block = 512};
  for (const char* name : {"one", "two"}) report.steps.push_back({.lesson = "02", .name = name});
  bool launched = false;
  const auto launch = [&] { launched = true; };
  const Captured err(std::cerr);
  addEstimates(report, {{"one", launch}, {"two", launch}}, 1000, onCard("h200"));
  EXPECT_EQ(err.text(),
            "ladder: no estimates: they need clang++, which makes the code of a GPU, when programs "
            "are built (./common/setup.sh installs it)\n");
  EXPECT_FALSE(launched);
  EXPECT_FALSE(report.steps[0].estimate || report.steps[1].estimate);
  EXPECT_FALSE(exploredEstimate(launch, "a step", onCard("h200")));
}

}  // namespace
