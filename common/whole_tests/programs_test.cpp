// The built programs as their users meet them: exit codes, what goes to which stream, and files.
// PROGRAMS_DIR is the folder of the cpu programs and GPU_PROGRAMS_DIR, where they were built, that
// of the gpu programs.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/machine.h"
#include "test_support/host_testing.h"
#include "test_support/program_testing.h"

namespace {

using namespace std::chrono_literals;
using nlohmann::json;

const std::string cpuPrograms = PROGRAMS_DIR;
const Words programs = {
    "ladder",     "01_cpu_baseline", "02_neighbored",      "03_neighbored_less", "04_interleaved",
    "05_unroll2", "06_unroll8_warp", "07_complete_unroll", "08_shuffle"};
// Those whose kernels run on the executor: all but the first lesson.
const Words executorPrograms = [] {
  Words some;
  for (const std::string& program : programs)
    if (program != "01_cpu_baseline") some.push_back(program);
  return some;
}();
const std::string anEarlierResult =
    R"({"schema": 1, "program": "ladder", "backend": "cpu", "machine": {"name": "A CPU"},
"input": {"n": 1, "block": 512, "seed": 1, "samples": 1, "type": "int32"}, "steps": []})";

Outcome runCpu(const std::string& program, const Words& arguments, const Setting& setting = {}) {
  return run(cpuPrograms + "/" + program, arguments, setting);
}

std::string commandLine(const std::string& program, const Words& arguments) {
  std::string line = program;
  for (const std::string& argument : arguments) line += " '" + argument + "'";
  return line;
}

// One line on stderr that starts with the program's name and contains says.
void expectOneLine(const Outcome& outcome, const std::string& program, const std::string& says) {
  const std::string& err = outcome.err;
  EXPECT_EQ(std::ranges::count(err, '\n'), 1) << err;
  EXPECT_TRUE(err.ends_with('\n')) << err;
  EXPECT_TRUE(err.starts_with(program + ": ")) << err;
  EXPECT_TRUE(contains(err, says));
}

// Refused at once: exit code 2, one line on stderr, nothing on stdout and no file. The program runs
// in an empty folder and, unless the arguments name one, is asked for a result file there.
void expectRefusalBy(const std::string& path, Words arguments, const std::string& says) {
  const std::string program = path.substr(path.rfind('/') + 1);
  const TemporaryFolder folder;
  if (std::ranges::find(arguments, "--json") == arguments.end())
    arguments.insert(arguments.begin(), {"--json", folder.path("result.json")});
  SCOPED_TRACE(commandLine(path, arguments));
  const Outcome outcome = run(path, arguments, {.workingFolder = folder.path()});
  EXPECT_EQ(outcome.exitCode, 2) << "signal " << outcome.signal;
  EXPECT_EQ(outcome.out, "");
  expectOneLine(outcome, program, says);
  EXPECT_EQ(folder.names(), Words{});
}

void expectRefusal(const Words& arguments, const std::string& says) {
  for (const std::string& program : programs)
    expectRefusalBy(cpuPrograms + "/" + program, arguments, says);
}

void expectRight(const Outcome& outcome) {
  EXPECT_EQ(outcome.exitCode, 0) << "signal " << outcome.signal;
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "every step is right"));
}

// What the program wrote to --json FILE. Nothing but that file may be left in its folder.
json resultOf(const std::string& program, Words arguments) {
  const TemporaryFolder folder;
  arguments.insert(arguments.begin(), {"--json", folder.path("result.json")});
  SCOPED_TRACE(commandLine(program, arguments));
  const Outcome outcome = runCpu(program, arguments, {.workingFolder = folder.path()});
  expectRight(outcome);
  EXPECT_TRUE(contains(outcome.out, "wrote " + folder.path("result.json")));
  EXPECT_EQ(folder.names(), Words{"result.json"});
  return json::parse(contentsOf(folder.path("result.json")));
}

}  // namespace

// ---- What they refuse

TEST(Programs, RefuseACountThatIsNoNumber) {
  for (const std::string n : {"-5", "abc", "", "2^", "^3", "1.5", "0x10", " 5", "2^3^4"})
    expectRefusal({"--n", n}, "--n '" + n + "'");
  expectRefusal({"--n", "\xff"}, "--n '\uFFFD'");  // no character: shown as the mark for that
}

TEST(Programs, RefuseACountThatDoesNotFitIn63Bits) {
  for (const std::string n : {"99999999999999999999", "2^63", "2^99"})
    expectRefusal({"--n", n}, "--n '" + n + "': too large");
}

TEST(Programs, RefuseACountThatDoesNotFitInMemory) {
  for (const std::string n : {"2^45", "2^60", "2^62"}) {
    expectRefusal({"--n", n}, "--n " + n + " needs ");
    expectRefusal({"--n", n}, " fits");
  }
}

TEST(Programs, SayHowMuchMemoryALargeCountNeeds) {
  for (const std::string n : {"2^45", "2^60", "2^62"}) {
    const std::string err = runCpu("ladder", {"--n", n}).err;
    EXPECT_FALSE(contains(err, "needs 0 MiB"));
  }
}

TEST(Programs, RefuseABlockThatIsNoPowerOfTwo) {
  for (const std::string block : {"100", "33", "1023"})
    expectRefusal({"--block", block}, "--block " + block + ": expected 32, 64");
}

TEST(Programs, RefuseABlockBelow32OrAbove1024) {
  for (const std::string block : {"0", "1", "16", "2048", "2^32"})
    expectRefusal({"--block", block}, "--block " + block + ": expected 32, 64");
}

TEST(Programs, RefuseABlockThatIsNoNumber) {
  for (const std::string block : {"-32", "", "x"})
    expectRefusal({"--block", block}, "--block '" + block + "'");
}

TEST(Programs, RefuseToTakeNoSamples) {
  expectRefusal({"--samples", "0"}, "--samples 0: expected 1 to");
  for (const std::string samples : {"x", "-1", ""})
    expectRefusal({"--samples", samples}, "--samples '" + samples + "'");
}

TEST(Programs, RefuseASeedThatIsNoNumber) {
  for (const std::string seed : {"-1", "x", "", "99999999999999999999"})
    expectRefusal({"--seed", seed}, "--seed '" + seed + "'");
}

TEST(Programs, RefuseAScheduleTheyDoNotKnow) {
  for (const std::string schedule :
       {"sideways", "random:", "random:x", "random:-1", "forward:3", "reverse:", "", "RANDOM"})
    expectRefusal({"--schedule", schedule}, "--schedule '" + schedule + "'");
}

TEST(Programs, RefuseADeviceOnTheCpu) {
  for (const Words& arguments : {Words{"--device", "0"}, Words{"--device=0"}, Words{"--device"}})
    expectRefusal(arguments, "--device chooses a GPU");
}

TEST(Programs, RefuseAnOptionTheyDoNotKnow) {
  for (const std::string option : {"--bogus", "--he", "-x", "-5"}) expectRefusal({option}, option);
}

TEST(Programs, RefuseAWordThatBelongsToNoOption) {
  expectRefusal({"stray"}, "stray");
  expectRefusal({"--n", "5", "6"}, "6");
  expectRefusal({""}, "not expected");
}

TEST(Programs, RefuseAnOptionWithoutItsValue) {
  for (const std::string option : {"--n", "--block", "--samples", "--seed", "--schedule", "--json"})
    expectRefusal({option}, option);
}

TEST(Programs, RefuseAnOptionGivenTwice) {
  expectRefusal({"--n", "5", "--n", "5"}, "--n");
  expectRefusal({"--json", "a", "--json", "b"}, "--json");
}

// The line that quotes the command line must stay one.
TEST(Programs, RefuseALineBreakOnOneLine) {
  expectRefusal({"--n", "5\n6"}, "expected a count");
  expectRefusal({"--schedule", "side\nways"}, "expected forward");
  expectRefusal({"--json", "/no/such\nfolder/x"}, "cannot be written");
  expectRefusal({"stray\nword"}, "not expected");
}

// ---- What they print

TEST(Programs, NameEveryOptionInTheHelp) {
  for (const std::string& program : programs) {
    const Outcome outcome = runCpu(program, {"--help"});
    EXPECT_EQ(outcome.exitCode, 0);
    EXPECT_EQ(outcome.err, "");
    for (const std::string option : {"--help", "--n ", "--block ", "--samples ", "--seed ",
                                     "--json ", "--schedule ", "--fast", "--counters"})
      EXPECT_TRUE(contains(outcome.out, option)) << option;
    EXPECT_FALSE(contains(outcome.out, "--device"));
  }
}

TEST(Programs, AddUpAnyLengthUnderAnySchedule) {
  for (const std::string& program : executorPrograms)
    for (const std::string n : {"0", "1", "33", "2^10"})
      for (const std::string schedule : {"forward", "reverse", "random", "random:5"})
        for (const std::string block : {"32", "1024"}) {
          const Words arguments = {"--n", n, "--block", block, "--schedule", schedule};
          SCOPED_TRACE(commandLine(program, arguments));
          expectRight(runCpu(program, arguments));
        }
}

TEST(Programs, AddUpWithoutLookingForFaults) {
  for (const std::string& program : executorPrograms)
    expectRight(runCpu(program, {"--n", "2^10", "--fast"}));
}

TEST(Programs, ShowEveryCounterWhenAsked) {
  for (const std::string& program : executorPrograms) {
    const Outcome outcome = runCpu(program, {"--n", "2^10", "--counters"});
    expectRight(outcome);
    EXPECT_TRUE(contains(outcome.out, "shared load requests"));
    EXPECT_TRUE(contains(outcome.out, "atomics"));
  }
}

TEST(Programs, SayThatStandardOutputIsClosed) {
  for (const std::string& program : executorPrograms)
    for (const Words& arguments : {Words{"--n", "33"}, Words{"--help"}}) {
      SCOPED_TRACE(commandLine(program, arguments));
      const Outcome outcome = runCpu(program, arguments, {.closeStandardOutput = true});
      EXPECT_EQ(outcome.exitCode, 2) << "signal " << outcome.signal;
      expectOneLine(outcome, program, "standard output");
    }
}

TEST(Programs, SayThatStandardOutputIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  for (const std::string& program : executorPrograms)
    for (const Words& arguments : {Words{"--n", "33"}, Words{"--help"}}) {
      SCOPED_TRACE(commandLine(program, arguments));
      const Outcome outcome = runCpu(program, arguments, {.standardOutput = "/dev/full"});
      EXPECT_EQ(outcome.exitCode, 2) << "signal " << outcome.signal;
      expectOneLine(outcome, program, "standard output");
    }
}

// ---- The result file

TEST(Programs, WriteAResultFile) {
  for (const std::string& program : executorPrograms) {
    const json file =
        resultOf(program, {"--n", "33", "--block", "64", "--seed", "5", "--samples", "7"});
    EXPECT_EQ(file.at("schema").get<int>(), 1);
    EXPECT_EQ(file.at("program").get<std::string>(), program);
    EXPECT_EQ(file.at("backend").get<std::string>(), "cpu");
    EXPECT_NE(file.at("machine").at("name").get<std::string>(), "");
    EXPECT_EQ(file.at("input"),
              json({{"n", 33}, {"block", 64}, {"seed", 5}, {"samples", 7}, {"type", "int32"}}));
    EXPECT_FALSE(file.at("steps").empty());
    for (const json& step : file.at("steps")) {
      EXPECT_NE(step.at("lesson").get<std::string>(), "");
      EXPECT_NE(step.at("name").get<std::string>(), "");
      EXPECT_TRUE(step.at("ok").get<bool>());
      EXPECT_GT(step.at("expected").get<int64_t>(), 0);
      EXPECT_EQ(step.at("result"), step.at("expected"));
      EXPECT_GE(step.at("blocks").get<int>(), 1);
      EXPECT_FALSE(step.contains("kernel_ms"));
      EXPECT_FALSE(step.contains("answer_ms"));
    }
  }
}

TEST(Programs, WriteTheirCounts) {
#ifdef PROGRAMS_SANITIZED
  GTEST_SKIP() << "built with sanitizers: the executor counts nothing";
#endif
  for (const std::string& program : executorPrograms) {
    const json file = resultOf(program, {"--n", "2^10"});
    for (const json& step : file.at("steps")) {
      const json& counters = step.at("counters");
      for (const char* name :
           {"load_requests", "load_sectors", "store_requests", "store_sectors",
            "shared_load_requests", "shared_load_conflicts", "shared_store_requests",
            "shared_store_conflicts", "divergent_branches", "barriers", "shuffles", "atomics"})
        EXPECT_TRUE(counters.at(name).is_number_unsigned()) << name;
      EXPECT_GT(counters.at("load_requests").get<int>(), 0);
      EXPECT_GT(counters.at("active_lanes").get<double>(), 0);
      EXPECT_LE(counters.at("active_lanes").get<double>(), 32);
    }
  }
}

// Nsight Compute on an H200, block of 512.
TEST(Programs, CountWhatTheProfilerCounts) {
#ifdef PROGRAMS_SANITIZED
  GTEST_SKIP() << "built with sanitizers: the executor counts nothing";
#endif
  const json file = resultOf("03_neighbored_less", {"--n", "2^16", "--block", "512"});
  const auto perBlock = [&](const std::string& step, const std::string& counter) {
    for (const json& s : file.at("steps"))
      if (s.at("name") == step)
        return s.at("counters").at(counter).get<double>() / s.at("blocks").get<double>();
    ADD_FAILURE() << "no step " << step;
    return 0.0;
  };
  EXPECT_EQ(perBlock("neighbored", "load_requests"), 191);
  EXPECT_EQ(perBlock("neighbored less", "load_requests"), 41);
  EXPECT_EQ(perBlock("neighbored", "load_sectors"), 511);
  EXPECT_EQ(perBlock("neighbored less", "load_sectors"), 511);
}

// What everyone types: a name and no folder.
TEST(Programs, WriteAResultFileInTheWorkingFolder) {
  for (const std::string& program : executorPrograms)
    for (const std::string name : {"result.json", "./result.json", "../{}/result.json"}) {
      const TemporaryFolder folder;
      std::string path = name;
      if (const size_t braces = path.find("{}"); braces != std::string::npos)
        path.replace(braces, 2, std::filesystem::path(folder.path()).filename().string());
      SCOPED_TRACE(commandLine(program, {"--json", path}));
      expectRight(runCpu(program, {"--n", "1", "--json", path}, {.workingFolder = folder.path()}));
      EXPECT_EQ(folder.names(), Words{"result.json"});
    }
}

TEST(Programs, ReplaceAnEarlierResultAndSaySo) {
  for (const std::string& program : executorPrograms) {
    const TemporaryFolder folder;
    const std::string path = folder.path("result.json");
    runCpu(program, {"--n", "1", "--json", path});
    const Outcome outcome = runCpu(program, {"--n", "2", "--json", path});
    expectRight(outcome);
    EXPECT_TRUE(contains(outcome.out, "replaced " + path));
    EXPECT_EQ(json::parse(contentsOf(path)).at("input").at("n").get<int>(), 2);
    EXPECT_EQ(folder.names(), Words{"result.json"});
  }
}

TEST(Programs, RefuseToReplaceAFileThatIsNoResult) {
  for (const std::string& program : programs)
    for (const std::string contents : {"notes\n", R"({"name": "other"})", "\xff\n"}) {
      const TemporaryFolder folder;
      const std::string path = folder.path("notes");
      writeFile(path, contents);
      const Outcome outcome = runCpu(program, {"--n", "1", "--json", path});
      EXPECT_EQ(outcome.exitCode, 2);
      EXPECT_EQ(outcome.out, "");
      expectOneLine(outcome, program, path);
      EXPECT_EQ(contentsOf(path), contents);
      EXPECT_EQ(folder.names(), Words{"notes"});
    }
}

TEST(Programs, RefuseAResultFileThatCannotBeWritten) {
  const TemporaryFolder folder;
  expectRefusal({"--json", "/no/such/dir/x"}, "--json /no/such/dir/x: cannot be written");
  expectRefusal({"--json", "missing/"}, "--json missing/");
  expectRefusal({"--json", folder.path()}, "is a directory");
  expectRefusal({"--json", ""}, "--json '': expected a file name");
  expectRefusal({"--json", std::string(300, 'a')}, "File name too long");
}

TEST(Programs, RefuseAFolderThatMayNotBeWritten) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TemporaryFolder folder;
  std::filesystem::permissions(
      folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  expectRefusal({"--json", folder.path("result.json")}, "cannot be written (Permission denied)");
  EXPECT_EQ(folder.names(), Words{});
}

TEST(Programs, SayThatTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  for (const std::string& program : executorPrograms) {
    const Outcome outcome = runCpu(program, {"--n", "1", "--json", "/dev/full"});
    EXPECT_EQ(outcome.exitCode, 2) << "signal " << outcome.signal;
    expectOneLine(outcome, program, "--json /dev/full: could not be written");
  }
}

// With the standard output closed its number goes to the next file that is opened.
TEST(Programs, KeepTheTableOutOfTheResultFile) {
  for (const std::string& program : executorPrograms) {
    const TemporaryFolder folder;
    const std::string path = folder.path("result.json");
    const Outcome outcome =
        runCpu(program, {"--n", "33", "--json", path}, {.closeStandardOutput = true});
    EXPECT_EQ(outcome.exitCode, 2) << "signal " << outcome.signal;
    expectOneLine(outcome, program, "standard output");
    if (std::filesystem::exists(path)) {
      EXPECT_TRUE(json::accept(contentsOf(path)));
    }
  }
}

TEST(Programs, LeaveNoResultWhenInterrupted) {
  const TemporaryFolder folder;
  const Outcome outcome =
      runCpu("03_neighbored_less", {"--n", "2^23", "--json", folder.path("result.json")},
             {.workingFolder = folder.path(), .interruptAfter = 300ms});
  EXPECT_EQ(outcome.signal, SIGINT) << "exit code " << outcome.exitCode;
  EXPECT_EQ(folder.names(), Words{});
}

TEST(Programs, LeaveAnEarlierResultWhenInterrupted) {
  const TemporaryFolder folder;
  const std::string path = folder.path("result.json");
  writeFile(path, anEarlierResult);
  const Outcome outcome =
      runCpu("ladder", {"--n", "2^23", "--json", path}, {.interruptAfter = 300ms});
  EXPECT_EQ(outcome.signal, SIGINT) << "exit code " << outcome.exitCode;
  EXPECT_EQ(contentsOf(path), anEarlierResult);
  EXPECT_EQ(folder.names(), Words{"result.json"});
}

TEST(Programs, WriteWhenAndHowTheyRanAndForWhom) {
  const json file = resultOf("ladder", {"--n", "33", "--label", "Ada's <laptop>"});
  EXPECT_EQ(file.at("label").get<std::string>(), "Ada's <laptop>");
  const std::string date = file.at("date").get<std::string>();
  EXPECT_TRUE(date.size() == 20 && date[10] == 'T' && date.back() == 'Z') << date;
  EXPECT_TRUE(contains(file.at("command").get<std::string>(), R"(/ladder --json )"));
  EXPECT_TRUE(
      contains(file.at("command").get<std::string>(), R"( --n 33 --label 'Ada'\''s <laptop>')"));
  EXPECT_FALSE(resultOf("ladder", {"--n", "33"}).contains("label"));
}

TEST(Programs, RefuseALabelThatIsNoName) {
  for (const std::string& label : {std::string(), std::string("a\nb"), std::string(65, 'x')})
    expectRefusal({"--label", label}, "--label: expected a name of 1 to 64 bytes");
}

TEST(Programs, ShowRecordedTimesWhereThereIsNoGpu) {
  if (gpuPresent()) GTEST_SKIP() << "there is a GPU: the gpu programs measure";
  const Outcome outcome = runCpu("ladder", {"--n", "2^12"});
  expectRight(outcome);
  EXPECT_TRUE(contains(outcome.out, "Recorded, not measured here: NVIDIA H200, 2^28 int32"));
  EXPECT_FALSE(contains(runCpu("03_neighbored_less", {"--n", "2^12"}).out, "Recorded"));
}

// ---- Progress

TEST(Programs, SayOnATerminalWhatTheyAreDoing) {
  const auto expectShown = [](const std::string& program, const Words& arguments,
                              const std::string& text) {
    const Outcome outcome = runCpu(program, arguments, {.interruptOn = text, .terminal = true});
    EXPECT_EQ(outcome.signal, SIGINT) << "exit code " << outcome.exitCode;
    EXPECT_TRUE(contains(outcome.err, text));
  };
  expectShown("03_neighbored_less", {"--n", "2^24"}, "03_neighbored_less: neighbored, block ");
  expectShown("01_cpu_baseline", {"--n", "2^26", "--samples", "1000"}, " of 1000");
}

TEST(Programs, TakeWhatTheySaidBackBeforeTheTable) {
  const Outcome outcome = runCpu("03_neighbored_less", {"--n", "2^20"}, {.terminal = true});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_TRUE(contains(outcome.err, "\x1b[K"));
  EXPECT_TRUE(outcome.err.ends_with("\r\x1b[K")) << outcome.err;
}

TEST(Programs, SayNothingWhenNobodyWaits) {
  expectRight(runCpu("03_neighbored_less", {"--n", "2^20"}));              // no terminal
  EXPECT_EQ(runCpu("ladder", {"--n", "33"}, {.terminal = true}).err, "");  // quick
}

// ---- Lesson 08's modes

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

TEST(Shuffle, SaysWhatOnlyAGpuRuns) {
  const Outcome outcome = runCpu("08_shuffle", {"--n", "100"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_TRUE(contains(outcome.out, "skipped, as only a GPU has what it takes: bulk copies"));
  expectRefusalBy(cpuPrograms + "/08_shuffle", {"--sweep"}, "--sweep needs a GPU");
}

TEST(Shuffle, RefusesModesThatDoNotFit) {
  const std::string path = cpuPrograms + "/08_shuffle";
  expectRefusalBy(path, {"--demo"}, "--demo writes no result file");
  expectRefusalBy(path, {"--segments", "--operators"}, "choose one of them");
  expectRefusalBy(path, {"--operators", "--n", "2^31"}, "--operators takes up to");
  expectRefusalBy(path, {"--segments", "--n", "2^45"}, "--n 2^45 needs ");
  expectRefusalBy(cpuPrograms + "/03_neighbored_less", {"--demo"}, "--demo");
}

// ---- The exercises

TEST(Exercises, AreCheckedAndGraded) {
  for (const std::string lesson : {"03_neighbored_less", "08_shuffle", "09_mean_matvec"}) {
    const Outcome outcome = runCpu(lesson, {"--exercise"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "results: right, from "));
#ifndef PROGRAMS_SANITIZED
    EXPECT_TRUE(contains(outcome.out, "goals met\n"));
#endif
  }
}

TEST(Exercises, TakeOneLengthAndBlockSize) {
  const Outcome outcome =
      runCpu("03_neighbored_less", {"--exercise", "--n", "77", "--block", "64"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "from n = 77, block 64 to n = 77, block 64,"));
}

TEST(Exercises, RefuseWhatDoesNotFit) {
  const std::string path = cpuPrograms + "/03_neighbored_less";
  expectRefusalBy(path, {"--exercise", "--json", "x.json"}, "--exercise writes no result file");
  expectRefusalBy(path, {"--exercise", "--fast"}, "--fast: not with --exercise");
  expectRefusalBy(path, {"--exercise", "--counters"}, "--counters: not with --exercise");
  expectRefusalBy(path, {"--exercise", "--n", "2^45"}, "--n 2^45 needs ");
  expectRefusalBy(cpuPrograms + "/08_shuffle", {"--exercise", "--demo"}, "choose one of them");
  expectRefusalBy(cpuPrograms + "/09_mean_matvec", {"--exercise", "--rows", "512"},
                  ": not with --exercise, which chooses its own sizes");
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
    EXPECT_TRUE(contains(outcome.out, "only a GPU has what it takes: cublasDgemv"));
    const json file = json::parse(contentsOf(path));
    EXPECT_EQ(std::to_string(file.at("input").at("rows").get<int>()), sizes[0]);
    EXPECT_EQ(std::to_string(file.at("input").at("batch").get<int>()), sizes[2]);
    EXPECT_FALSE(file.at("steps").empty());
    for (const json& step : file.at("steps"))
      EXPECT_LT(step.at("max_relative_error").get<double>(), 1e-12) << step.at("name");
  }
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

// ---- The gpu programs, without a GPU

#ifdef GPU_PROGRAMS_DIR
#define NEEDS_GPU_PROGRAMS()
const std::string gpuPrograms = GPU_PROGRAMS_DIR;
#else
#define NEEDS_GPU_PROGRAMS() GTEST_SKIP() << "the gpu programs were not built"
const std::string gpuPrograms;
#endif

TEST(GpuPrograms, NameTheCpuProgramWhereThereIsNoDevice) {
  NEEDS_GPU_PROGRAMS();
  for (const std::string& program : executorPrograms) {
    const TemporaryFolder folder;
    const Outcome outcome =
        run(gpuPrograms + "/" + program, {"--n", "33", "--json", folder.path("result.json")},
            {.environment = {{"CUDA_VISIBLE_DEVICES", "-1"}}});
    EXPECT_EQ(outcome.exitCode, 3) << "signal " << outcome.signal;
    EXPECT_EQ(outcome.out, "");
    expectOneLine(outcome, program, "build/cpu/" + program);
    EXPECT_TRUE(std::filesystem::exists(cpuPrograms + "/" + program));
    EXPECT_EQ(folder.names(), Words{});
  }
}

TEST(GpuPrograms, NameEveryOptionInTheHelp) {
  NEEDS_GPU_PROGRAMS();
  for (const std::string& program : executorPrograms) {
    const Outcome outcome = run(gpuPrograms + "/" + program, {"--help"});
    EXPECT_EQ(outcome.exitCode, 0);
    EXPECT_EQ(outcome.err, "");
    for (const std::string option :
         {"--help", "--n ", "--block ", "--samples ", "--seed ", "--json ", "--device "})
      EXPECT_TRUE(contains(outcome.out, option)) << option;
    EXPECT_FALSE(contains(outcome.out, "--schedule"));
  }
}

TEST(GpuPrograms, RefuseBadUsageWithOrWithoutADevice) {
  NEEDS_GPU_PROGRAMS();
  for (const std::string& program : executorPrograms) {
    const std::string path = gpuPrograms + "/" + program;
    for (const std::string option : {"--schedule=reverse", "--fast", "--counters"})
      expectRefusalBy(path, {option},
                      option.substr(0, option.find('=')) + " is for the cpu programs");
    expectRefusalBy(path, {"--device", "x"}, "--device 'x'");
    expectRefusalBy(path, {"--device", "-1"}, "--device '-1'");
    expectRefusalBy(path, {"--device", "99999"}, "--device 99999");
    expectRefusalBy(path, {"--block", "100"}, "--block 100");
    expectRefusalBy(path, {"--n", "abc"}, "--n 'abc'");
    expectRefusalBy(path, {"--json", ""}, "--json ''");
  }
}

// ---- The ladder

TEST(Ladder, HasTheStepsOfEveryLesson) {
  std::set<std::string> steps;
  const json ladder = resultOf("ladder", {"--n", "33"});
  for (const json& step : ladder.at("steps")) steps.insert(step.at("name").get<std::string>());
  for (const std::string& program : executorPrograms) {
    const json file = resultOf(program, {"--n", "33"});
    for (const json& step : file.at("steps"))
      EXPECT_TRUE(steps.contains(step.at("name").get<std::string>())) << step.at("name");
  }
}
