// --explore: what a page holds of kernels.
#include <sstream>

#include "explore/tests/explore_testing.h"

TEST(Explore, ShowsTheEstimatedTimeOfTheLinesOnThePage) {
  Recording recording = recordingOf("neighbored");
  EXPECT_TRUE(traceOf(recording)["estimate"].is_null());
  recording.estimate =
      PageEstimate{.about = "an estimate",
                   .lines = {{"neighbored.cuh:17", 0.25, "memory 25 %"}, {"else.cuh:1", 0.5, ""}}};
  const json trace = traceOf(recording), estimate = trace["estimate"];
  EXPECT_EQ(estimate["about"], "an estimate");
  EXPECT_TRUE(estimate["timeline"].is_null());
  ASSERT_EQ(estimate["lines"].size(), 1u);
  EXPECT_EQ(estimate["lines"][0][1], 0.25);
  EXPECT_EQ(estimate["lines"][0][2], "memory 25 %");
  const json& source = trace["sources"][0];
  EXPECT_EQ(estimate["lines"][0][0].get<int>() + source["first"].get<int>(), 17);
}

TEST(Explore, HasEachRowOfTheTimelineInRunsOfCells) {
  Recording recording = recordingOf("neighbored");
  recording.estimate = madeUpEstimate();
  const json timeline = traceOf(recording)["estimate"]["timeline"];
  EXPECT_EQ(timeline["cell"], 1);
  EXPECT_EQ(timeline["rows"], json({"100b300d", "50a350c"}));
  const int line = 17 - traceOf(recording)["sources"][0]["first"].get<int>();
  EXPECT_EQ(timeline["codes"], json({{2, -1}, {0, line}, {1, -1}, {1, line}}));
  EXPECT_EQ(timeline["blocks"], json({{0, 0, 0}, {0, 1, 200}}));
}

TEST(Explore, MakesTheCellsOfATimelineLargerUntilItFits) {
  Recording recording = recordingOf("neighbored");
  recording.estimate = madeUpEstimate();
  EstimatedTimeline& timeline = recording.estimate->timeline;
  timeline.segments.clear();
  timeline.cycles = 20000;
  timeline.rowsEach = 64;
  for (uint32_t row = 0; row < 64; ++row)  // a fourth of the time is of the first kind
    for (unsigned at = 0; at < 20000; at += 4) {
      timeline.segments.push_back({row, 0, double(at), at + 1.0, 0, 1});
      timeline.segments.push_back({row, 0, at + 1.0, at + 4.0, 1, 1});
    }
  const json written = traceOf(recording)["estimate"]["timeline"];
  EXPECT_GE(written["cell"], 4);
  EXPECT_LE(written["rows"].dump().size(), 120'000u);
  uint64_t cells = 0, first = 0;
  std::istringstream runs(written["rows"][0].get<std::string>());
  char letter = 0;
  for (uint64_t count = 0; runs >> count >> letter; cells += count)
    if (letter == 'b') first += count;
  EXPECT_EQ(cells, (20000 + written["cell"].get<uint64_t>() - 1) / written["cell"].get<uint64_t>());
  EXPECT_NEAR(double(first) / double(cells), 0.25, 0.01);
}

TEST(Explore, CountsAsTheExecutorDoesForEveryStep) {
  for (const Step& step : ladderTo08()) {
    if (!step.runsHere()) continue;
    for (const unsigned block : {64u, 256u}) {
      const Recording recording =
          recordingOf(step, block, uint64_t(block) * step.elementsPerThread);
      EXPECT_FALSE(recording.fault()) << step.name;
      EXPECT_EQ(sumsOf(traceOf(recording)), countersOf(recording.counted)) << step.name;
    }
  }
}

TEST(Explore, ShowsTheSourceOfEachStep) {
  const json trace = traceOf(recordingOf("neighbored less"));
  EXPECT_EQ(trace["sources"][0]["name"], "neighbored_less.cuh");
  const json& lines = trace["sources"][0]["lines"];
  EXPECT_TRUE(contains(lines[0].get<std::string>(), "__global__ void neighboredLess("));
  EXPECT_EQ(lines.back(), "}");
  for (const json& step : trace["steps"]) {
    if (step["k"] != "load" || step["m"] != 0xffffffff) continue;
    EXPECT_TRUE(contains(lines[step["at"].get<size_t>()].get<std::string>(), "block[i + stride]"));
  }
}

TEST(Explore, SaysInWordsWhatAStepDoes) {
  const json trace = traceOf(recordingOf("neighbored less"));
  for (const std::string sentence :
       {"Warp 0 loads data[0], data[2], data[4], … data[62]: 8 sectors, half of each used; 4 would "
        "hold as much.",
        "Lanes 0 to 3 of warp 0 load data[0], data[16], data[32] and data[48]: 4 sectors, an "
        "eighth "
        "of each used; 1 would hold as much.",
        "Lane 0 of warp 0 stores blockSums[0]: 1 sector, an eighth of it used.",
        "Warp 1 waits at the barrier: 1 of 2 warps is there.",
        "Warp 0 is the last at the barrier: both warps go on.", "Warp 0 returns."})
    EXPECT_TRUE(says(trace, sentence)) << sentence;
}

TEST(Explore, HasThePassesOfABankConflict) {
  const json trace = traceOf(recordingOf<int>(conflicting, "data", 32));
  for (const json& step : trace["steps"])
    if (step.contains("p")) {
      EXPECT_EQ(step["passes"], 2);
      EXPECT_EQ(step["p"][0], 1);
      EXPECT_EQ(step["p"][16], 2);
      EXPECT_TRUE(contains(step["text"].get<std::string>(),
                           "2 passes, as up to 2 different words lie in one bank"));
    }
  EXPECT_EQ(sumsOf(trace)[5], 1u);
}

TEST(Explore, TellsFloatingPointNumbersFromIntegers) {
  const json trace = traceOf(recordingOf<double>(halves, "data", 17));
  EXPECT_EQ(trace["arrays"][0]["cell"], 8);
  bool stored = false, updated = false;
  for (const json& step : trace["steps"]) {
    if (step["k"] == "store") stored = step["v"][0] == "0.5";
    if (step["k"] == "atomic") updated = step["v"][1] == "1.5";
  }
  EXPECT_TRUE(stored && updated) << trace.dump(1);
}

TEST(Explore, ShowsValuesAsTheSourceDeclaresThem) {
  const Recording recording = recordLaunch("a kernel", "", [] {
    DeviceArray<int> data(32, "data");
    DeviceArray<unsigned> others(1, "others");
    launch(dim3(1), dim3(32), lookingLikeFloats, data.data(), others.data());
  });
  const json trace = traceOf(recording);
  std::map<std::string, std::string> types;
  std::map<std::string, json> stored;  // by lane 1
  for (const json& array : trace["arrays"]) {
    const auto about = array["about"].get<std::string>();
    types[array["name"]] = about.substr(about.rfind(", ") + 2);
  }
  for (const json& step : trace["steps"])
    if (step["k"] == "store")
      stored[trace["arrays"][step["a"].get<size_t>()]["name"]] = step["v"][step["v"].size() > 1];
  EXPECT_EQ(types["data"], "int");
  EXPECT_EQ(types["others"], "unsigned");
  EXPECT_EQ(types["naturals"], "unsigned");
  EXPECT_EQ(types["halves"], "float");
  EXPECT_EQ(types["more"], "float");
  EXPECT_EQ(stored["data"], 0x3f800001);
  EXPECT_EQ(stored["naturals"], 0xffffffffu);
  EXPECT_EQ(stored["others"], 0xffffffffu);
  EXPECT_EQ(stored["halves"], "0.5");
}

TEST(Explore, ReadsTypesFromDeclarations) {
  const DeclaredTypes same(
      {"__global__ void f(const int* __restrict__ a,  // float* b", "  int *b, size_t n) {"});
  EXPECT_EQ(same.ofGlobal("whatever", 4)->name, "int");
  EXPECT_FALSE(same.ofGlobal("a", 8));
  const DeclaredTypes mixed({"template <typename T>", "__global__ void __launch_bounds__(64, 2)",
                             "g(T* t, const float4* quads, unsigned long long* sum) {",
                             "  extern __shared__ double all[];", "  __shared__ T own[3];"});
  EXPECT_EQ(mixed.ofGlobal("quads", 16)->type, ValueType::floatingPoint);
  EXPECT_EQ(mixed.ofGlobal("sum", 8)->name, "unsigned long long");
  EXPECT_FALSE(mixed.ofGlobal("t", 4));
  EXPECT_FALSE(mixed.ofGlobal("another", 8));  // T may be of any size
  EXPECT_EQ(mixed.ofShared("all")->bytes, 8u);
  EXPECT_FALSE(mixed.ofShared("own"));
}

TEST(Explore, IsNotMisledByDeclarationsWithoutAnEnd) {
  const std::string longName(100000, 'a');
  const std::vector<std::string> texts = {"__global__ void f(int* " + longName,
                                          "__global__",
                                          "__shared__ float " + longName + ";",
                                          "__global__ void f(" + longName + "* a)",
                                          "__shared__ int",
                                          "/*" + longName};
  for (const std::string& text : texts)
    EXPECT_FALSE(DeclaredTypes({text}).ofShared("a")) << text.substr(0, 30);
}

TEST(Explore, CutsOffWhatIsTooLong) {
  const json trace = traceAsJson(recordingOf("neighbored"), 5000);
  EXPECT_TRUE(contains(trace["cut"].get<std::string>(), "Cut off after "));
  EXPECT_LT(trace["steps"].dump().size(), 6000u);
}

TEST(Explore, RecordsTheBlockThatHasTheFault) {
  const Recording recording = recordingOf<int>(racing, "data", 64);
  ASSERT_TRUE(recording.fault());
  const json trace = traceOf(recording), fault = trace["faults"][0];
  EXPECT_EQ(fault["text"], recording.fault()->what());
  EXPECT_EQ(fault["text"], trace["steps"].back()["text"]);
  EXPECT_EQ(fault["t"], trace["steps"].size());
  EXPECT_EQ(fault["lines"].size(), 2u) << fault;
  EXPECT_EQ(fault["marks"].size(), 2u);
}

TEST(Explore, HasTheArrayOfAFaultFirst) {
  const json right = traceOf(recordingOf<int>(conflicting, "data", 32));
  EXPECT_EQ(right["arrays"][0]["name"], "data");
  const json racy = traceOf(recordingOf<int>(racingInShared, "data", 64, 64));
  EXPECT_EQ(racy["arrays"][0]["name"], "words");
  EXPECT_EQ(racy["faults"][0]["marks"][0]["a"], 0);
}

TEST(Explore, HasEveryFaultWhereItHappensMildOnesToo) {
  const Recording recording = recordingOf<int>(racingThrice, "data", 66);
  const json trace = traceOf(recording), steps = trace["steps"];
  ASSERT_EQ(trace["faults"].size(), recording.faults.size());
  ASSERT_GE(recording.faults.size(), 2u);  // the third race rests on what the first one does
  size_t mild = 0, last = 0;
  for (const json& fault : trace["faults"]) {
    mild += fault["mild"].get<bool>();
    const size_t t = fault["t"].get<size_t>();
    last = std::max(last, t);
    const json &step = steps.at(t - 1), before = steps.at(t - 2);
    EXPECT_EQ(step["k"], "fault");
    EXPECT_EQ(step["text"], fault["text"]);
    const json& lines = fault["lines"];
    EXPECT_TRUE(before["k"] == "fault" || std::ranges::find(lines, before["at"]) != lines.end())
        << fault << before;
  }
  EXPECT_EQ(mild, 1u);
  EXPECT_EQ(last, steps.size());  // which end there
}

TEST(Explore, ShowsBlocksWithFaultsThatAreNotTheFirst) {
  const Recording recording = recordLaunch("a kernel", "", [] {
    DeviceArray<int> data(64 * 8, "data");
    const std::vector<int> zeros(64 * 8);
    data.copyFromHost(zeros.data());
    launch(dim3(8), dim3(32), racingFromBlock5, data.data());
  });
  const json trace = traceOf(recording);
  ASSERT_FALSE(trace["faults"].empty());
  EXPECT_EQ(trace["blocks"][0]["name"], "block 5");
  EXPECT_EQ(trace["faults"][0]["marks"].size(), 2u);
}
