// The gpu programs where there is no GPU.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "whole_tests/programs_testing.h"

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
