#include "report/report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "report/profile.h"
#include "report/result_file.h"
#include "report/tables.h"
#include "test_support/host_testing.h"

namespace {

using nlohmann::json;

const std::string anEarlierResult =
    R"({"schema": 1, "program": "ladder", "backend": "cpu", "machine": {"name": "A CPU"},
        "input": {"n": 64, "block": 32, "seed": 1, "samples": 1, "type": "int32"}, "steps": []})";

// What body prints.
std::string printed(const std::function<void()>& body) {
  const Captured out(std::cout);
  body();
  return out.text();
}

Report cpuReport() {
  Report report;
  report.program = "ladder";
  report.backend = Backend::cpu;
  report.machine.name = "A CPU";
  report.machine.cores = 4;
  report.n = 1024;
  report.block = 512;
  report.samples = 30;
  report.seed = 9;
  report.steps.push_back({.lesson = "02_neighbored",
                          .name = "neighbored",
                          .ok = true,
                          .result = 7,
                          .expected = 7,
                          .blocks = 2,
                          .counters = Counters{.load_requests = 383, .load_sectors = 1022}});
  return report;
}

Report gpuReport() {
  Report report = cpuReport();
  report.backend = Backend::gpu;
  report.machine.name = "A GPU";
  report.machine.peakGbps = 1000;
  report.steps[0].counters.reset();
  report.steps[0].kernelMs = {3, 1, 2};
  report.steps[0].answerMs = {6, 4};
  return report;
}

// The report as a result file holds it.
json written(const Report& report) {
  const TemporaryFolder folder;
  ResultFile file(folder.path("result.json"));
  printed([&] { file.write(report); });
  return json::parse(contentsOf(folder.path("result.json")));
}

void expectRefused(const std::string& path) {
  try {
    const ResultFile file(path);
    ADD_FAILURE() << path << " was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, exitUsage);
    EXPECT_TRUE(contains(error.what(), "--json " + path));
  }
}

}  // namespace

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
  const std::string text = printed([] { printCounters(cpuReport(), false); });
  EXPECT_TRUE(contains(text, " 191.5 "));
  EXPECT_TRUE(contains(text, " 511 "));
}

TEST(Report, ShowsEveryCounterOnlyWhenAsked) {
  EXPECT_FALSE(contains(printed([] { printCounters(cpuReport(), false); }), "shuffles"));
  EXPECT_TRUE(contains(printed([] { printCounters(cpuReport(), true); }), "shuffles"));
}

TEST(Report, ShowsWhatAWrongStepFound) {
  Report report = cpuReport();
  report.steps[0].ok = false;
  report.steps[0].result = -8;
  EXPECT_TRUE(contains(printed([&] { printCounters(report, false); }), "WRONG: -8"));
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

TEST(Report, ShowsCountsPerThousandElements) {
  EXPECT_TRUE(contains(printed([] { printCounters(cpuReport(), false); }), " 374.0 "));
}

TEST(Report, ShowsHowManyTimesFasterAStepIsThanTheOneItIsBasedOn) {
  Report report = gpuReport();
  report.steps.push_back(report.steps[0]);
  report.steps[1].name = "faster";
  report.steps[1].basedOn = "neighbored";
  report.steps[1].kernelMs = {0.5};
  EXPECT_TRUE(contains(printed([&] { printTimes(report); }), " 4.00× "));
}

TEST(Report, CountsTheBytesOfEveryElementOnce) {
  const Report report = gpuReport();
  EXPECT_DOUBLE_EQ(report.gbps(report.steps[0]), 1024 * 4 / 2e-3 / 1e9);
}

TEST(ResultFile, SaysWhatWasRun) {
  const json file = written(cpuReport());
  EXPECT_EQ(file.at("schema").get<int>(), 1);
  EXPECT_EQ(file.at("program").get<std::string>(), "ladder");
  EXPECT_EQ(file.at("backend").get<std::string>(), "cpu");
  EXPECT_EQ(file.at("machine").at("name").get<std::string>(), "A CPU");
  EXPECT_EQ(file.at("input"),
            json({{"n", 1024}, {"block", 512}, {"seed", 9}, {"samples", 30}, {"type", "int32"}}));
  const json& step = file.at("steps").at(0);
  EXPECT_EQ(step.at("lesson").get<std::string>(), "02_neighbored");
  EXPECT_EQ(step.at("name").get<std::string>(), "neighbored");
  EXPECT_TRUE(step.at("ok").get<bool>());
  EXPECT_EQ(step.at("result").get<int>(), 7);
  EXPECT_EQ(step.at("expected").get<int>(), 7);
  EXPECT_EQ(step.at("blocks").get<int>(), 2);
}

TEST(ResultFile, HasCountersAndNoTimesFromTheCpu) {
  const json step = written(cpuReport()).at("steps").at(0);
  EXPECT_EQ(step.at("counters").at("load_requests").get<int>(), 383);
  EXPECT_FALSE(step.contains("kernel_ms"));
  EXPECT_FALSE(step.contains("answer_ms"));
}

TEST(ResultFile, HasTimesAndNoCountersFromAGpu) {
  const json step = written(gpuReport()).at("steps").at(0);
  EXPECT_EQ(step.at("kernel_ms"), json({{"median", 2.0},
                                        {"min", 1.0},
                                        {"max", 3.0},
                                        {"samples", json::array({3.0, 1.0, 2.0})}}));
  EXPECT_EQ(step.at("answer_ms").at("median").get<double>(), 5);
  EXPECT_FALSE(step.contains("counters"));
}

TEST(ResultFile, HoldsLargeSumsExactly) {
  Report report = cpuReport();
  report.steps[0].result = report.steps[0].expected = INT64_MAX;
  EXPECT_EQ(written(report).at("steps").at(0).at("result").get<int64_t>(), INT64_MAX);
}

TEST(ResultFile, QuotesTheNameOfTheMachine) {
  Report report = cpuReport();
  report.machine.name = "the \"fast\" one \\ \t\n";
  EXPECT_EQ(written(report).at("machine").at("name").get<std::string>(), report.machine.name);
}

// The names of machines and files come from outside and need not be UTF-8.
TEST(ResultFile, IsUtf8WhateverTheMachineIsCalled) {
  Report report = cpuReport();
  report.machine.name = "\xff\xfe CPU \xe2\x82";
  EXPECT_TRUE(contains(written(report).at("machine").at("name").get<std::string>(), " CPU "));
}

TEST(ResultFile, HasARightEndOfLine) {
  const TemporaryFolder folder;
  ResultFile file(folder.path("result.json"));
  printed([&] { file.write(cpuReport()); });
  EXPECT_TRUE(contentsOf(folder.path("result.json")).ends_with("}\n"));
}

TEST(ResultFile, AppearsOnlyWhenItIsWritten) {
  const TemporaryFolder folder;
  {
    // Nothing lies there during the run either: whatever ends the program would leave it behind.
    ResultFile file(folder.path("result.json"));
    EXPECT_EQ(folder.names(), std::vector<std::string>{});
    const std::string text = printed([&] { file.write(cpuReport()); });
    EXPECT_EQ(text, "wrote " + folder.path("result.json") + "\n");
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"result.json"});
}

TEST(ResultFile, NeverAppearsWhenItIsNotWritten) {
  const TemporaryFolder folder;
  { const ResultFile file(folder.path("result.json")); }
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

TEST(ResultFile, ReplacesAnEarlierResultAndSaysSo) {
  const TemporaryFolder folder;
  const std::string path = folder.path("result.json");
  writeFile(path, anEarlierResult);
  ResultFile file(path);
  EXPECT_EQ(contentsOf(path), anEarlierResult);
  EXPECT_EQ(printed([&] { file.write(cpuReport()); }), "replaced " + path + "\n");
  EXPECT_EQ(json::parse(contentsOf(path)).at("steps").size(), 1u);
}

TEST(ResultFile, ReplacesAnEmptyFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path("result.json");
  writeFile(path, "");
  ResultFile file(path);
  printed([&] { file.write(cpuReport()); });
  EXPECT_EQ(json::parse(contentsOf(path)).at("steps").size(), 1u);
}

TEST(ResultFile, ReplacesNothingButAResult) {
  const TemporaryFolder folder;
  const std::string path = folder.path("notes");
  for (const std::string contents :
       {"notes\n", "{}", "[]", R"({"schema": 1, "steps": []})",
        R"({"schema": 1, "steps": ["yours"]})", "7", R"({"schema": 1})", R"({"steps": []})",
        R"({"schema": "https://json-schema.org", "steps": 5})", R"({"schema": 1, "steps": [)"}) {
    writeFile(path, contents);
    expectRefused(path);
    EXPECT_EQ(contentsOf(path), contents);
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"notes"});
}

TEST(ResultFile, IsNoDirectory) {
  const TemporaryFolder folder;
  expectRefused(folder.path());
  expectRefused(folder.path() + "/");
}

TEST(ResultFile, IsNotInAFolderThatIsMissing) {
  const TemporaryFolder folder;
  expectRefused(folder.path("missing/result.json"));
  expectRefused(folder.path("missing/"));
}

TEST(ResultFile, IsNotInsideAFile) {
  const TemporaryFolder folder;
  writeFile(folder.path("notes"), "notes\n");
  expectRefused(folder.path("notes/result.json"));
}

TEST(ResultFile, WithoutANameWritesNothing) {
  ResultFile file("");
  EXPECT_EQ(printed([&] { file.write(cpuReport()); }), "");
}

TEST(ResultFile, MayBeADeviceOrAPipe) {
  ResultFile file("/dev/null");
  printed([&] { file.write(cpuReport()); });
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

// A process substitution of the shell is one: >(jq .)
TEST(ResultFile, MayBeAPipeUnderAName) {
  if (!std::filesystem::exists("/dev/fd")) GTEST_SKIP() << "this system has no /dev/fd";
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ResultFile file("/dev/fd/" + std::to_string(ends[1]));
  printed([&] { file.write(cpuReport()); });
  close(ends[1]);
  std::string text(65536, ' ');  // what a pipe holds
  const ssize_t size = read(ends[0], text.data(), text.size());
  close(ends[0]);
  ASSERT_GT(size, 0);
  EXPECT_TRUE(json::accept(text.substr(0, size_t(size))));
}

// A link leads to where the user keeps the file; /dev/stdout is one, too.
TEST(ResultFile, StaysBehindASymbolicLink) {
  const TemporaryFolder folder;
  writeFile(folder.path("kept.json"), anEarlierResult);
  std::filesystem::create_symlink("kept.json", folder.path("link"));
  {
    ResultFile file(folder.path("link"));
    printed([&] { file.write(cpuReport()); });
  }
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_EQ(json::parse(contentsOf(folder.path("kept.json"))).at("steps").size(), 1u);
}

// The work of a long run is not lost because its place is taken.
TEST(ResultFile, IsBesideWhatAppearedDuringTheRun) {
  const TemporaryFolder folder;
  ResultFile file(folder.path("result.json"));
  std::filesystem::create_directory(folder.path("result.json"));
  const std::string line = refusalOf([&] { printed([&] { file.write(cpuReport()); }); });
  const std::vector<std::string> names = folder.names();
  ASSERT_EQ(names.size(), 2u);
  EXPECT_TRUE(contains(line, "appeared during the run"));
  EXPECT_TRUE(line.ends_with(folder.path(names[1]))) << line;
  EXPECT_TRUE(isResultFile(contentsOf(folder.path(names[1]))));
}

// Whatever a program can find out is read back: nobody's result becomes a stranger's file.
TEST(ResultFile, IsKnownAgainWhateverItHolds) {
  Report odd = cpuReport();
  odd.machine.name = odd.label = odd.command = "<!-- drawn by build/compare --> \xff \x1b[2J \n";
  odd.n = 0;
  odd.steps[0].ok = false;
  odd.steps[0].fault = "two\nlines";
  odd.steps.push_back({.lesson = "", .name = "", .ok = false, .realResult = NAN});
  odd.steps[1].realExpected = INFINITY;
  odd.steps[1].relativeError = NAN;
  for (const Report& report : {cpuReport(), gpuReport(), odd})
    EXPECT_TRUE(isResultFile(written(report).dump()));
}

TEST(ResultFile, IsReadAsItWasWritten) {
  Report report = cpuReport();
  const Counters counters = {.load_requests = 383, .atomics = 17, .memory_lanes = 1234};
  report.steps[0].counters = counters;
  for (const Role role : {Role::cpu, Role::library}) {
    report.steps.push_back(report.steps[0]);
    report.steps.back().role = role;
    report.steps.back().basedOn = "neighbored";
  }
  const Report read = parseResult(written(report).dump(), "result.json");
  ASSERT_EQ(read.steps.size(), 3u);
  EXPECT_EQ(read.steps[0].counters, counters);
  EXPECT_EQ(read.steps[0].role, Role::step);
  EXPECT_EQ(read.steps[1].role, Role::cpu);
  EXPECT_EQ(read.steps[2].role, Role::library);
  EXPECT_EQ(read.steps[0].basedOn, "");
  EXPECT_EQ(read.steps[2].basedOn, "neighbored");
}

TEST(Profile, FindsAKernelAtItsBlockSize) {
  const TemporaryFolder folder;
  writeFile(folder.path("profile.csv"),
            "# a comment\n"
            "kernel,block,blocks,metric,value\n"
            "sum<int>,128,8,loads,10\n"
            "sum<int>,512,2,loads,20\n");
  const Profile profile(folder.path("profile.csv"));
  EXPECT_EQ(profile.rows().size(), 2u);
  ASSERT_TRUE(profile.find("sum", "loads", 512));
  EXPECT_EQ(profile.find("sum", "loads", 512)->value, 20);
  EXPECT_EQ(profile.find("sum<int>", "", 128)->blocks, 8);
  EXPECT_FALSE(profile.find("sum", "loads"));
  EXPECT_FALSE(profile.find("sum", "stores", 512));
  EXPECT_FALSE(profile.find("su", "loads", 512));
}

TEST(Profile, RefusesALineThatIsNone) {
  const TemporaryFolder folder;
  for (const std::string line : {"sum,128,loads,10", "sum,loads,many", "sum,loads,"}) {
    writeFile(folder.path("profile.csv"), line + "\n");
    EXPECT_TRUE(contains(refusalOf([&] { Profile(folder.path("profile.csv")); }), "profile.csv:1"));
  }
}
