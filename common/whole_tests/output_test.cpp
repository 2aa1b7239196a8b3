// What the programs print, and what they say on a terminal meanwhile.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>

#include "whole_tests/programs_testing.h"

using namespace std::chrono_literals;

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

// Each length, schedule and block size with every program, and every three of them with one: the
// lessons' tests try each kernel with all.
TEST(Programs, AddUpAnyLengthUnderAnySchedule) {
  const Words lengths = {"0", "1", "33", "2^10"};
  const Words schedules = {"forward", "reverse", "random", "random:5"};
  for (size_t p = 0; p < executorPrograms.size(); ++p)
    for (size_t i = 0; i < 4; ++i) {
      const std::string& program = executorPrograms[p];
      const Words arguments = {"--n",          lengths[i],
                               "--block",      (i + p / 4) % 2 == 0 ? "32" : "1024",
                               "--schedule",   schedules[(p + i) % 4],
                               "--no-estimate"};
      SCOPED_TRACE(commandLine(program, arguments));
      expectRight(runCpu(program, arguments));
    }
}

TEST(Programs, AddUpWithoutLookingForFaults) {
  for (const std::string& program : executorPrograms)
    expectRight(runCpu(program, {"--n", "2^10", "--fast", "--no-estimate"}));
}

TEST(Programs, ShowEveryCounterWhenAsked) {
  for (const std::string& program : executorPrograms) {
    const Outcome outcome = runCpu(program, {"--n", "2^10", "--counters", "--no-estimate"});
    expectRight(outcome);
    EXPECT_TRUE(contains(outcome.out, "The other counters, per block of 512 threads:\n"));
    for (const std::string counter : {"shuffles", "atomics"})
      EXPECT_TRUE(contains(outcome.out, counter));
  }
}

TEST(Programs, SayThatStandardOutputIsClosed) {
  for (const std::string& program : executorPrograms)
    for (const Words& arguments : {Words{"--n", "33", "--no-estimate"}, Words{"--help"}}) {
      SCOPED_TRACE(commandLine(program, arguments));
      const Outcome outcome = runCpu(program, arguments, {.closeStandardOutput = true});
      EXPECT_EQ(outcome.exitCode, 2) << "signal " << outcome.signal;
      expectOneLine(outcome, program, "standard output");
    }
}

TEST(Programs, SayThatStandardOutputIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  for (const std::string& program : executorPrograms)
    for (const Words& arguments : {Words{"--n", "33", "--no-estimate"}, Words{"--help"}}) {
      SCOPED_TRACE(commandLine(program, arguments));
      const Outcome outcome = runCpu(program, arguments, {.standardOutput = "/dev/full"});
      EXPECT_EQ(outcome.exitCode, 2) << "signal " << outcome.signal;
      expectOneLine(outcome, program, "standard output");
    }
}

// Nothing is said in the first second, in which many cores would be done.
static const std::vector<std::pair<std::string, std::string>> oneCore = {{"SIMT_WORKERS", "1"}};

// With so much to do that they are still at it when the signal comes, however busy the machine is.
TEST(Programs, SayOnATerminalWhatTheyAreDoing) {
  const auto expectShown = [](const std::string& program, const Words& arguments,
                              const std::string& text) {
    const Outcome outcome =
        runCpu(program, arguments, {.environment = oneCore, .interruptOn = text, .terminal = true});
    EXPECT_EQ(outcome.signal, SIGINT) << "exit code " << outcome.exitCode;
    EXPECT_TRUE(contains(outcome.err, text));
    EXPECT_TRUE(contains(outcome.err, program + ": ")) << outcome.err;
  };
  expectShown("03_neighbored_less", {"--n", "2^24"}, ", block ");  // of any step
  expectShown("01_cpu_baseline", {"--n", "2^22", "--samples", "100000"}, " of 100000");
}

// With so much to do that they say something: what ends within a second does not.
TEST(Programs, TakeWhatTheySaidBackBeforeTheTable) {
  const Outcome outcome = runCpu("03_neighbored_less", {"--n", "2^23", "--no-estimate"},
                                 {.environment = oneCore, .terminal = true});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_TRUE(contains(outcome.err, "\x1b[K"));
  EXPECT_TRUE(outcome.err.ends_with("\r\x1b[K")) << outcome.err;
}

TEST(Programs, SayNothingWhenNobodyWaits) {
// Without clang++ they say why there is no estimate.
#ifdef PROGRAMS_ESTIMATE
  expectRight(runCpu("03_neighbored_less", {"--n", "2^20"}));  // no terminal
#endif
  EXPECT_EQ(runCpu("02_neighbored", {"--n", "33", "--no-estimate"}, {.terminal = true}).err, "");
}
