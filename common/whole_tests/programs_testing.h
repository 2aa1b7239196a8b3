// What the tests of the built programs share. PROGRAMS_DIR is the folder of the cpu programs and
// GPU_PROGRAMS_DIR, where they were built, that of the gpu programs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "test_support/estimates_testing.h"
#include "test_support/host_testing.h"
#include "test_support/program_testing.h"
#include "test_support/sanitizer.h"

using nlohmann::json;

inline const std::string cpuPrograms = PROGRAMS_DIR;
inline const Words programs = thinned<std::string>(
    {"ladder", "02_neighbored", "03_neighbored_less", "04_interleaved", "05_unroll2",
     "06_unroll8_warp", "07_complete_unroll", "08_shuffle", "01_cpu_baseline"});
// Those whose kernels run on the executor: all but the first lesson.
inline const Words executorPrograms = [] {
  Words some;
  for (const std::string& program : programs)
    if (program != "01_cpu_baseline") some.push_back(program);
  return some;
}();
inline const std::string anEarlierResult =
    R"({"schema": 1, "program": "ladder", "backend": "cpu", "machine": {"name": "A CPU"},
"input": {"n": 1, "block": 512, "seed": 1, "samples": 1, "type": "int32"}, "steps": []})";

inline Outcome runCpu(const std::string& program, const Words& arguments,
                      const Setting& setting = {}) {
  return run(cpuPrograms + "/" + program, arguments, setting);
}

inline std::string commandLine(const std::string& program, const Words& arguments) {
  std::string line = program;
  for (const std::string& argument : arguments) line += " '" + argument + "'";
  return line;
}

// One line on stderr that starts with the program's name and contains says.
inline void expectOneLine(const Outcome& outcome, const std::string& program,
                          const std::string& says) {
  const std::string& err = outcome.err;
  EXPECT_EQ(std::ranges::count(err, '\n'), 1) << err;
  EXPECT_TRUE(err.ends_with('\n')) << err;
  EXPECT_TRUE(err.starts_with(program + ": ")) << err;
  EXPECT_TRUE(contains(err, says));
}

// Refused at once: exit code 2, one line on stderr, nothing on stdout and no file. The program runs
// in an empty folder and, unless the arguments name one, is asked for a result file there.
inline void expectRefusalBy(const std::string& path, Words arguments, const std::string& says) {
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

inline void expectRefusal(const Words& arguments, const std::string& says) {
  for (const std::string& program : programs)
    expectRefusalBy(cpuPrograms + "/" + program, arguments, says);
}

inline void expectRight(const Outcome& outcome) {
  EXPECT_EQ(outcome.exitCode, 0) << "signal " << outcome.signal;
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "every step is right"));
}

// What the program wrote to --json FILE. Nothing but that file may be left in its folder.
inline json resultOf(const std::string& program, Words arguments) {
  const TemporaryFolder folder;
  arguments.insert(arguments.begin(), {"--json", folder.path("result.json")});
  SCOPED_TRACE(commandLine(program, arguments));
  const Outcome outcome = runCpu(program, arguments, {.workingFolder = folder.path()});
  expectRight(outcome);
  EXPECT_TRUE(contains(outcome.out, "wrote " + folder.path("result.json")));
  EXPECT_EQ(folder.names(), Words{"result.json"});
  return json::parse(contentsOf(folder.path("result.json")));
}

#ifdef GPU_PROGRAMS_DIR
#define NEEDS_GPU_PROGRAMS()
inline const std::string gpuPrograms = GPU_PROGRAMS_DIR;
#else
#define NEEDS_GPU_PROGRAMS() GTEST_SKIP() << "the gpu programs were not built"
inline const std::string gpuPrograms;
#endif
