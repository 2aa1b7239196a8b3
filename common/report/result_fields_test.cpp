// A result file loses nothing on the way to a reader and back, and is laid out in few lines.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/report_testing.h"
#include "report/result_file.h"

namespace {

// Has every field that a result file can have.
Report fullReport() {
  Report report = gpuReport();
  report.machine = {.name = "A GPU",
                    .driver = "580.1",
                    .cuda = "13.0",
                    .sms = 132,
                    .gpus = 2,
                    .identity = "01234567",
                    .cpu = "A CPU",
                    .cores = 16,
                    .clockMhz = 1980,
                    .memoryClockMhz = 3201,
                    .powerLimitWatts = 700,
                    .peakGbps = 4814.304,
                    .roofGbps = 4564.5,
                    .l2Bytes = 62914560};
  report.cache = "flushed";
  report.sizes = {{"rows", 3}, {"cols", 5}};
  report.label = "Ada";
  report.date = utcNow();
  report.command = "ladder --label Ada";
  StepResult& step = report.steps[0];
  step.role = Role::library;
  step.basedOn = "another";
  step.fault = "read outside an array";
  step.n = 99;
  step.block = 64;
  step.type = "double";
  step.cache = "warm";
  step.realResult = 0.5;
  step.realExpected = 0.501;
  step.relativeError = 1e-7;
  step.counters = Counters{.load_requests = 383, .atomics = 17, .memory_lanes = 1234};
  step.estimate = StepEstimate{"A card", 1 << 28, 1.5, {{"memory", 0.75}, {"barriers", 0.2}}};
  step.gpus = 2;
  step.partMs = {{"GPU 10", {1, 2}}, {"GPU 2", {2, 3}}};
  return report;
}

std::string textOf(const Report& report) {
  const TemporaryFolder folder;
  printed([&] { ResultFile(folder.path("result.json")).write(report); });
  return contentsOf(folder.path("result.json"));
}

}  // namespace

TEST(ResultFields, AreReadAndWrittenByOneList) {
  const std::string text = textOf(fullReport());
  EXPECT_EQ(textOf(parseResult(text, "file")), text);
}

TEST(ResultFields, KeepTheClocksAndThePowerOfTheCard) {
  const Machine machine = parseResult(textOf(fullReport()), "file").machine;
  EXPECT_EQ(machine.clockMhz, 1980);
  EXPECT_EQ(machine.memoryClockMhz, 3201);
  EXPECT_EQ(machine.powerLimitWatts, 700);
  EXPECT_EQ(machine.cpu, "A CPU");
  EXPECT_EQ(machine.identity, "01234567");
  EXPECT_EQ(machine.roofGbps, 4564.5);
}

TEST(ResultFields, StandInALineForEachTimeAndOneForWhatIsPlain) {
  Report report = gpuReport();
  report.steps[0].kernelMs.assign(1000, 0.5);
  const std::string text = textOf(report);
  EXPECT_TRUE(contains(text, R"(
  "machine": {"name": "A GPU", "cores": 4, "peak_gbps": 1000.0},
)")) << text;
  EXPECT_TRUE(contains(text, R"(
      "lesson": "02_neighbored", "name": "neighbored", "ok": true, "result": 7, "expected": 7, "blocks": 2,
      "kernel_ms": {"median": 0.5, "min": 0.5, "max": 0.5, "samples": [0.5, 0.5, )"));
  EXPECT_TRUE(contains(text, R"(
      "answer_ms": {"median": 5.0, "min": 4.0, "max": 6.0, "samples": [6.0, 4.0]}
    }
  ]
})")) << text;
}

TEST(ResultFields, AreReadFromEarlierFilesWhateverTheirLayout) {
  const auto file = nlohmann::ordered_json::parse(textOf(fullReport()));
  for (const int indent : {-1, 2, 8})
    EXPECT_EQ(rewritten(file.dump(indent), "file"), textOf(parseResult(file.dump(), "")));
}

TEST(ResultFields, KeepSevenDigitsOfATime) {
  Report report = gpuReport();
  report.steps[0].kernelMs = {1.703552007675171, 1.7039999961853027};
  const std::string text = textOf(report);
  EXPECT_TRUE(contains(text, R"("median": 1.703776, "min": 1.703552, "max": 1.704)")) << text;
  EXPECT_EQ(textOf(parseResult(text, "file")), text);
}

TEST(ResultFields, AreNotRewrittenWhereAValueWouldBeLost) {
  auto file = nlohmann::json::parse(textOf(fullReport()));
  file["steps"][0]["kernel_ms"]["clock"] = 5;
  EXPECT_EQ(refusalOf([&] { rewritten(file.dump(), "file"); }),
            "file: steps[0].kernel_ms.clock would be lost, so it stays as it is");
  file = nlohmann::json::parse(textOf(fullReport()));
  file["machine"]["name"] = std::string(500, 'x');
  EXPECT_EQ(refusalOf([&] { rewritten(file.dump(), "file"); }),
            "file: machine.name differs, so it stays as it is");
}

TEST(ResultFields, TellTheRolesOfStepsApart) {
  Report report = cpuReport();
  const Counters counters = {.load_requests = 383, .atomics = 17, .memory_lanes = 1234};
  report.steps[0].counters = counters;
  for (const Role role : {Role::cpu, Role::library, Role::roof}) {
    report.steps.push_back(report.steps[0]);
    report.steps.back().role = role;
    report.steps.back().basedOn = "neighbored";
  }
  const Report read = parseResult(textOf(report), "result.json");
  ASSERT_EQ(read.steps.size(), 4u);
  EXPECT_EQ(read.steps[0].counters, counters);
  EXPECT_EQ(read.steps[0].role, Role::step);
  EXPECT_EQ(read.steps[1].role, Role::cpu);
  EXPECT_EQ(read.steps[2].role, Role::library);
  EXPECT_EQ(read.steps[3].role, Role::roof);
  EXPECT_EQ(read.steps[0].basedOn, "");
  EXPECT_EQ(read.steps[2].basedOn, "neighbored");
}

// A list of members that is searched from its beginning for each of them would take minutes.
TEST(ResultFields, MayHaveAnyNumberOfNeighboursThatNobodyKnows) {
  nlohmann::json file = nlohmann::json::parse(textOf(gpuReport()));
  for (int i = 0; i < 50'000; ++i) file["machine"]["unknown " + std::to_string(i)] = i;
  EXPECT_EQ(parseResult(file.dump(), "file").machine.name, "A GPU");
}
