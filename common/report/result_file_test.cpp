#include "report/result_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "report/report_testing.h"

namespace {

using nlohmann::json;

const std::string anEarlierResult =
    R"({"schema": 1, "program": "ladder", "backend": "cpu", "machine": {"name": "A CPU"},
        "input": {"n": 64, "block": 32, "seed": 1, "samples": 1, "type": "int32"}, "steps": []})";

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

TEST(ResultFile, HasEstimatesUnderANameOfTheirOwn) {
  Report report = cpuReport();
  report.steps[0].estimate =
      StepEstimate{"A card", 1 << 28, 1.5, {{"memory", 0.75}, {"barriers", 0.2}}};
  const json file = written(report);
  const json step = file.at("steps").at(0);
  EXPECT_FALSE(step.contains("kernel_ms"));
  EXPECT_EQ(step.at("estimate"), json({{"card", "A card"},
                                       {"n", 1 << 28},
                                       {"ms", 1.5},
                                       {"shares", {{"memory", 0.75}, {"barriers", 0.2}}}}));
  const Report again = parseResult(file.dump(), "file");
  ASSERT_TRUE(again.steps[0].estimate);
  EXPECT_EQ(again.steps[0].estimate->ms, 1.5);
  EXPECT_EQ(again.steps[0].estimate->n, uint64_t(1) << 28);
  EXPECT_EQ(again.steps[0].estimate->shares, report.steps[0].estimate->shares);
  EXPECT_FALSE(again.steps[0].isTimed());
}

TEST(ResultFile, SaysHowManyGpusShareAStepAndWhatTheirPartsTook) {
  Report report = gpuReport();
  EXPECT_FALSE(written(report).at("machine").contains("gpus"));
  EXPECT_FALSE(written(report).at("steps").at(0).contains("gpus"));
  report.machine.gpus = 2;
  report.steps[0].gpus = 2;
  report.steps[0].partMs = {{"GPU 0", {1, 2}}, {"GPU 1", {2, 3}}, {"NCCL", {0.25}}, {"none", {}}};
  const json file = written(report);
  EXPECT_EQ(file.at("steps").at(0).at("part_ms").at("GPU 1").at("median").get<double>(), 2.5);
  EXPECT_FALSE(file.at("steps").at(0).at("part_ms").contains("none"));
  const Report read = parseResult(file.dump(), "result.json");
  EXPECT_EQ(read.machine.gpus, 2u);
  EXPECT_EQ(read.machineName(), "2 × A GPU");
  EXPECT_EQ(read.peakGbps(), 2000);
  EXPECT_EQ(read.peakGbps(read.steps[0]), 2000);
  ASSERT_EQ(read.steps[0].partMs.size(), 3u);
  EXPECT_EQ(read.steps[0].partMs[2].first, "NCCL");
  EXPECT_EQ(read.steps[0].partMs[2].second, std::vector<double>{0.25});
}

TEST(ResultFile, IsRefusedWithGpusThatCannotBe) {
  Report report = gpuReport();
  report.machine.gpus = 2;
  report.steps[0].gpus = 2;
  report.steps[0].partMs = {{"GPU 0", {1}}};
  const json file = written(report);
  const auto refusalWith = [&](const std::function<void(json&)>& spoil) {
    json spoilt = file;
    spoil(spoilt);
    return refusalOf([&] { parseResult(spoilt.dump(), "result.json"); });
  };
  EXPECT_EQ(refusalWith([](json& f) { f["machine"]["gpus"] = 1; }),
            "result.json: steps[0].gpus is more than the machine has");
  for (const uint64_t none : {uint64_t(0), uint64_t(1025), uint64_t(1) << 40})
    EXPECT_EQ(refusalWith([&](json& f) { f["machine"]["gpus"] = none; }),
              "result.json: machine.gpus is not between 1 and 1024");
  EXPECT_EQ(refusalWith([](json& f) { f["steps"][0]["gpus"] = "two"; }),
            "result.json: steps[0].gpus is not a count");
  EXPECT_EQ(refusalWith([](json& f) { f["steps"][0]["part_ms"] = 5; }),
            "result.json: steps[0].part_ms is not an object");
  EXPECT_EQ(refusalWith([](json& f) { f["steps"][0]["part_ms"]["GPU 0"]["median"] = 7; }),
            "result.json: steps[0].part_ms.GPU 0.median is not what its samples say");
}

TEST(ResultFile, IsRefusedWithAnEstimateThatCannotBe) {
  Report report = cpuReport();
  report.steps[0].estimate = StepEstimate{"A card", 64, 1.5, {{"memory", 0.75}}};
  const json file = written(report);
  const auto refused = [&](const char* name, const json& value, const std::string& why) {
    json spoilt = file;
    spoilt["steps"][0]["estimate"][name] = value;
    EXPECT_TRUE(contains(refusalOf([&] { parseResult(spoilt.dump(), "file"); }),
                         std::string("steps[0].estimate.") + name + why));
  };
  refused("ms", 0, " is not above 0");
  refused("ms", "1", " is not a number");
  refused("n", -1, " is not a count");
  refused("card", 1, " is not a text");
  refused("shares", {{"memory", 2}}, ".memory is not between 0 and 1");
  refused("shares", {{"memory", 0.9}, {"L2", 0.9}}, " add up to more than 1");
  refused("shares", 3, " is not an object");
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
