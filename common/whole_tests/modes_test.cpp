// What single lessons have besides: modes, exercises, other programs; and the ladder.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "whole_tests/programs_testing.h"

using namespace std::chrono_literals;

TEST(Shuffle, DemoShowsWhatAGpuShows) {
  for (const std::string schedule : {"forward", "reverse", "random:3"}) {
    const Outcome outcome = runCpu("08_shuffle", {"--demo", "--schedule", schedule});
    EXPECT_EQ(outcome.exitCode, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out, contentsOf(RESULTS_DIR "/h200_shuffle_demo.txt"));
  }
}

TEST(Shuffle, SegmentsAreRightAndWritten) {
  for (const std::string n : {"0", "1", "33", "2^12"}) {
    const TemporaryFolder folder;
    const std::string path = folder.path("result.json");
    const Outcome outcome = runCpu("08_shuffle", {"--segments", "--n", n, "--json", path});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "every segment's sum is right"));
    const json steps = json::parse(contentsOf(path)).at("steps");
    EXPECT_EQ(steps.size(), 4u);
    for (const json& step : steps) {
      EXPECT_TRUE(step.at("ok").get<bool>());
      EXPECT_TRUE(step.at("block") == 32 || step.at("block") == 256);
      EXPECT_TRUE(step.contains("n"));
    }
  }
}

TEST(Shuffle, OperatorsAreRightAndWritten) {
  for (const std::string n : {"0", "1", "33", "5003"}) {
    const TemporaryFolder folder;
    const std::string path = folder.path("result.json");
    const Outcome outcome = runCpu("08_shuffle", {"--operators", "--n", n, "--json", path});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "every result is right"));
    const json steps = json::parse(contentsOf(path)).at("steps");
    EXPECT_EQ(steps.size(), 16u);
    for (const json& step : steps) EXPECT_NE(step.at("type").get<std::string>(), "");
  }
}

// The exact sums are the only ones that no order of the elements changes.
TEST(Shuffle, FloatSumsAreRightAndWritten) {
  for (const std::string n : {"1", "33", "5003"}) {
    const TemporaryFolder folder;
    const std::string path = folder.path("result.json");
    const Outcome outcome = runCpu("08_shuffle", {"--floats", "--n", n, "--json", path});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "every sum is right, and the exact ones have the same bits"));
    EXPECT_FALSE(contains(outcome.out, "WRONG"));
    const json steps = json::parse(contentsOf(path)).at("steps");
    EXPECT_EQ(steps.size(), 6u + 5 + 2 * 2);  // in double only of float; two wide ones of each
    for (const json& step : steps) EXPECT_TRUE(step.at("ok").get<bool>());
  }
  const std::string program = cpuPrograms + "/08_shuffle";
  expectRefusalBy(program, {"--floats", "--n", "0"}, "--n 0: --floats takes 1 to 2^30");
  expectRefusalBy(program, {"--floats", "--n", "2^31"}, "--n 2^31: --floats takes 1 to 2^30");
  expectRefusalBy(program, {"--floats", "--block", "64"}, "--block: not with --floats");
}

TEST(Shuffle, SeveralGpusAreRightAndWritten) {
  for (const std::string& n : thinned<std::string>({"0", "1", "5003"})) {
    const TemporaryFolder folder;
    const std::string path = folder.path("result.json");
    const Outcome outcome = runCpu("08_shuffle", {"--gpus", "3", "--n", n, "--json", path});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "3 GPUs, NCCL, stood in for"));
    EXPECT_TRUE(contains(outcome.out, "has the same bits on any number of GPUs"));
    const json file = json::parse(contentsOf(path));
    EXPECT_EQ(file.at("machine").at("gpus").get<int>(), 3);
    EXPECT_EQ(file.at("steps").size(), 3u * (3 * 4 + 2));
    for (const json& step : file.at("steps")) EXPECT_TRUE(step.at("ok").get<bool>());
  }
}

TEST(Shuffle, SaysWhatOnlyAGpuRuns) {
  const Outcome outcome = runCpu("08_shuffle", {"--n", "100", "--no-estimate"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_TRUE(contains(outcome.out, "skipped, as only a GPU has what it takes: bulk copies"));
  expectRefusalBy(cpuPrograms + "/08_shuffle", {"--sweep"}, "--sweep needs a GPU");
}

TEST(Shuffle, RefusesModesThatDoNotFit) {
  const std::string path = cpuPrograms + "/08_shuffle";
  expectRefusalBy(path, {"--demo"}, "--demo writes no result file");
  expectRefusalBy(path, {"--segments", "--operators"}, "choose one of them");
  expectRefusalBy(path, {"--operators", "--n", "2^31"}, "--operators takes 0 to 1073741823");
  expectRefusalBy(path, {"--segments", "--n", "2^45"}, "--n 2^45 needs ");
  expectRefusalBy(path, {"--gpus", "2", "--n", "2^45"}, "--n 2^45 needs ");
  expectRefusalBy(path, {"--gpus", "0"}, "--gpus '0': expected 1 to 64, or all");
  expectRefusalBy(path, {"--gpus", "some"}, "--gpus 'some'");
  expectRefusalBy(path, {"--gpus", "2", "--sweep"}, "--sweep needs a GPU");
  expectRefusalBy(path, {"--gpus", "2", "--block", "64"}, "--block: not with --gpus");
  expectRefusalBy(cpuPrograms + "/03_neighbored_less", {"--demo"}, "--demo");
}

// ---- The exercises

// Whoever has solved the exercise has exit code 0.
static void expectGraded(const Outcome& outcome) {
  EXPECT_TRUE(contains(outcome.out, "goals met\n")) << outcome.out;
  EXPECT_EQ(outcome.exitCode, contains(outcome.out, "all goals met\n") ? 0 : 1) << outcome.err;
}

TEST(Exercises, AreCheckedAndGraded) {
  for (const std::string lesson : {"03_neighbored_less", "08_shuffle", "09_mean_matvec"}) {
    const Outcome outcome = runCpu(lesson, {"--exercise"});
    expectGraded(outcome);
    EXPECT_TRUE(contains(outcome.out, "results: right, from "));
  }
}

// As they are handed out none is solved; whoever has solved one has exit code 0.
TEST(Exercises, SmallOnesAreGradedOneByOne) {
  const TemporaryFolder folder;
  const Setting setting{.environment = {{"XDG_STATE_HOME", folder.path("state")}}};
  for (const std::string lesson :
       {"02_neighbored", "03_neighbored_less", "04_interleaved", "08_shuffle", "05_unroll2",
        "06_unroll8_warp", "07_complete_unroll"})
    for (const std::string number : {"1", "2", "3"}) {
      const Outcome outcome = runCpu(lesson, {"--exercise", number}, setting);
      const std::string head = "Exercise " + number + " (" + lesson + "/practice.cuh): ";
      EXPECT_TRUE(outcome.out.starts_with(head)) << outcome.out;
      EXPECT_EQ(outcome.exitCode, contains(outcome.out, "Solved\n") ? 0 : 1) << outcome.err;
    }
  EXPECT_TRUE(contains(runCpu("05_unroll2", {"--progress"}, setting).out, folder.path("state")));
}

TEST(Exercises, ShowTheStudentsKernel) {
  const Outcome graded = runCpu("03_neighbored_less", {"--exercise", "--counters", "--where"});
  expectGraded(graded);
  EXPECT_TRUE(contains(graded.out, "\nThe other counters, per block of 512 threads:\n"));
#ifdef PROGRAMS_ESTIMATE
  EXPECT_TRUE(contains(graded.out, "Where the estimated time of exercise.cuh now goes:"));
#endif
  const TemporaryFolder folder;
  for (const std::string lesson : {"02_neighbored", "03_neighbored_less", "04_interleaved",
                                   "08_shuffle", "05_unroll2", "08_shuffle"}) {
    const std::string path = folder.path(lesson + ".svg");
    const Outcome drawn = runCpu(lesson, {"--exercise", "--svg", path});
    EXPECT_EQ(drawn.exitCode, 0) << drawn.err;
    EXPECT_TRUE(contains(drawn.out, "1 block of 64 threads")) << drawn.out;
    EXPECT_TRUE(contains(contentsOf(path), "<svg")) << lesson;
  }
}

TEST(Exercises, TakeOneLengthAndBlockSize) {
  const Outcome outcome =
      runCpu("03_neighbored_less", {"--exercise", "--n", "77", "--block", "64"});
  expectGraded(outcome);
  EXPECT_TRUE(contains(outcome.out, "from n = 77, block 64 to n = 77, block 64,"));
}

TEST(Exercises, RefuseWhatDoesNotFit) {
  const std::string path = cpuPrograms + "/03_neighbored_less";
  expectRefusalBy(path, {"--exercise", "--fast"}, "--fast: not with --exercise");
  expectRefusalBy(path, {"--exercise", "4"}, "--exercise '4': expected 1 to 3, or no number");
  expectRefusalBy(path, {"--exercise", "1", "--where"}, "--exercise 1: not with --json, --where");
  expectRefusalBy(path, {"--exercise", "--svg", "x.svg", "--n", "5"}, "--n: not with --svg");
  expectRefusalBy(path, {"--exercise", "--n", "2^45"}, "--n 2^45 needs ");
  expectRefusalBy(cpuPrograms + "/08_shuffle", {"--exercise", "--demo"}, "choose one of them");
  expectRefusalBy(cpuPrograms + "/09_mean_matvec", {"--exercise", "--rows", "512"},
                  ": not with --exercise, which chooses its own sizes");
}

TEST(Exercises, HaveAnExploredPageWithTheTimeOfEachLine) {
  NEEDS_ESTIMATES();
  const TemporaryFolder folder;
  const std::string path = folder.path("page.html");
  for (const Words& what : {Words{}, Words{"--exercise"}}) {
    Words arguments = {"--explore", path};
    arguments.insert(arguments.end(), what.begin(), what.end());
    EXPECT_EQ(runCpu("03_neighbored_less", arguments).exitCode, 0);
    EXPECT_TRUE(
        contains(contentsOf(path), R"("about":"estimated on an NVIDIA H200, not measured: )"));
    EXPECT_TRUE(contains(contentsOf(path), R"("timeline":{)"));
    EXPECT_LT(std::filesystem::file_size(path), 1'000'000u);
    arguments.push_back("--no-estimate");
    EXPECT_EQ(runCpu("03_neighbored_less", arguments).exitCode, 0);
    EXPECT_FALSE(contains(contentsOf(path), "not measured: "));
  }
}

// ---- Timelines

TEST(Timelines, AreDrawnOfTheLastStepOrOfOneThatIsNamed) {
  NEEDS_ESTIMATES();
  const TemporaryFolder folder;
  for (const std::string& lesson : executorPrograms) {
    if (lesson == "ladder") continue;
    const std::string path = folder.path(lesson + ".svg");
    const Outcome drawn = runCpu(lesson, {"--timeline", path, "--n", "2^20"});
    EXPECT_EQ(drawn.exitCode, 0) << drawn.err;
    EXPECT_TRUE(contains(drawn.out, "2^20 elements, blocks of 512 threads")) << drawn.out;
    EXPECT_TRUE(contains(drawn.out, "memory and atomics")) << drawn.out;
    EXPECT_TRUE(contains(contentsOf(path), "of an NVIDIA H200, estimated</title>")) << lesson;
  }
  const std::string path = folder.path("named.svg");
  EXPECT_EQ(runCpu("03_neighbored_less",
                   {"--timeline", path, "--step", "neighbored", "--card", "h100", "--block", "128"})
                .exitCode,
            0);
  EXPECT_TRUE(contains(contentsOf(path),
                       "<title>neighbored: the warps of one multiprocessor of an NVIDIA H100"));
  // Its own picture may be drawn over; so may that of the exercise.
  EXPECT_EQ(runCpu("03_neighbored_less", {"--exercise", "--timeline", path}).exitCode, 0);
  EXPECT_TRUE(contains(contentsOf(path), "<title>exercise.cuh: the warps"));
}

TEST(Timelines, RefuseWhatDoesNotFit) {
  const std::string path = cpuPrograms + "/03_neighbored_less";
  expectRefusalBy(path, {"--timeline", "x.svg"}, "--json: not with --timeline");
  const TemporaryFolder folder;
  writeFile(folder.path("mine.svg"), "<svg>mine</svg>");
  const Words unknown = {"--timeline", folder.path("new.svg"), "--step", "faster"};
  expectOneLine(runCpu("03_neighbored_less", unknown), "03_neighbored_less",
                "--step 'faster': expected one of: neighbored; ");
  for (const std::string& file :
       {folder.path("mine.svg"), folder.path("none/x.svg"), folder.path()})
    EXPECT_EQ(runCpu("03_neighbored_less", {"--timeline", file}).exitCode, 2) << file;
  EXPECT_EQ(contentsOf(folder.path("mine.svg")), "<svg>mine</svg>");
}

// ---- Lesson 09's programs

TEST(MeanMatvec, IsRightForAnySizesAndWritesThem) {
  for (const Words& sizes : {Words{"1", "1", "1"}, Words{"33", "5", "2"}, Words{"7", "65", "9"}}) {
    const TemporaryFolder folder;
    const std::string path = folder.path("result.json");
    const Words arguments = {"--rows",  sizes[0], "--cols", sizes[1],
                             "--batch", sizes[2], "--json", path};
    const Outcome outcome = runCpu("09_mean_matvec", arguments);
    SCOPED_TRACE(commandLine("09_mean_matvec", arguments));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "every value is right"));
    EXPECT_TRUE(contains(outcome.out, "only a GPU has what it takes: all steps with cuBLAS"));
    const json file = json::parse(contentsOf(path));
    EXPECT_EQ(std::to_string(file.at("input").at("rows").get<int>()), sizes[0]);
    EXPECT_EQ(std::to_string(file.at("input").at("batch").get<int>()), sizes[2]);
    EXPECT_FALSE(file.at("steps").empty());
    for (const json& step : file.at("steps"))
      EXPECT_LT(step.at("max_relative_error").get<double>(), 1e-12) << step.at("name");
  }
}

TEST(MeanMatvec, IsDividedAmongSeveralGpus) {
  const TemporaryFolder folder;
  const std::string path = folder.path("result.json");
  const Words arguments = {"--rows", "33",     "--cols", "5",      "--batch",
                           "7",      "--gpus", "3",      "--json", path};
  const Outcome outcome = runCpu("09_mean_matvec", arguments);
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "every value is right"));
  const json steps = json::parse(contentsOf(path)).at("steps");
  EXPECT_EQ(steps.size(), 5u);  // the batch on 1, 2 and 3 GPUs, and two and three batches
  for (const json& step : steps) {
    EXPECT_TRUE(step.at("ok").get<bool>());
    EXPECT_LT(step.at("max_relative_error").get<double>(), 1e-12);
  }
  expectRefusalBy(cpuPrograms + "/09_mean_matvec", {"--batch", "2", "--gpus", "3"},
                  "--batch 2: expected 3 to ");
}

TEST(MatrixSum, IsRightForAnySizesAndWritesTheRounds) {
  for (const Words& sizes : {Words{"1", "1"}, Words{"17", "300"}, Words{"1000", "3"}}) {
    const TemporaryFolder folder;
    const std::string path = folder.path("result.json");
    const Words arguments = {"--rows", sizes[0], "--cols", sizes[1], "--json", path};
    const Outcome outcome = runCpu("matrix_sum", arguments);
    SCOPED_TRACE(commandLine("matrix_sum", arguments));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "both are right"));
    const json file = json::parse(contentsOf(path));
    for (const json& step : file.at("steps"))
      EXPECT_TRUE(step.at("ok").get<bool>()) << step.at("name");
  }
}

TEST(MeanMatvec, RefusesSizesThatMakeNoSense) {
  for (const std::string program : {"09_mean_matvec", "matrix_sum"}) {
    const std::string path = cpuPrograms + "/" + program;
    for (const std::string flag : {"--rows", "--cols"}) {
      expectRefusalBy(path, {flag, "0"}, flag + " 0: expected 1 to 2^31 - 1");
      expectRefusalBy(path, {flag, "2^31"}, flag + " 2^31: expected 1 to");
      for (const std::string text : {"-1", "x", "", "1.5"})
        expectRefusalBy(path, {flag, text}, flag + " '" + text + "'");
    }
    expectRefusalBy(path, {"--rows", "2^30", "--cols", "2^30"}, "MiB of host memory and ");
    expectRefusalBy(path, {"--n", "5"}, "--n");
    expectRefusalBy(path, {"--block", "64"}, "--block");
    expectRefusalBy(path, {"--json", "/no/such/dir/x"}, "cannot be written");
  }
  expectRefusalBy(cpuPrograms + "/09_mean_matvec", {"--batch", "2^31"}, "--batch 2^31");
  expectRefusalBy(cpuPrograms + "/matrix_sum", {"--batch", "3"}, "--batch");
}

// ---- The ladder

TEST(Ladder, HasTheStepsOfEveryLesson) {
  std::set<std::string> steps;
  const json ladder = resultOf("ladder", {"--n", "33", "--no-estimate"});
  for (const json& step : ladder.at("steps")) steps.insert(step.at("name").get<std::string>());
  for (const std::string& program : executorPrograms) {
    const json file = resultOf(program, {"--n", "33", "--no-estimate"});
    for (const json& step : file.at("steps"))
      EXPECT_TRUE(steps.contains(step.at("name").get<std::string>())) << step.at("name");
  }
}
