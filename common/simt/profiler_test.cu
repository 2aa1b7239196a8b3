// The executor's counters against the profiler's, kernel by kernel (profile.csv says where those
// come from and which of them cannot be equal).
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "../02_neighbored/neighbored.cuh"
#include "../03_neighbored_less/neighbored_less.cuh"
#include "../04_interleaved/interleaved.cuh"
#include "../05_unroll2/unroll2.cuh"
#include "../06_unroll8_warp/unroll8_warp.cuh"
#include "../07_complete_unroll/complete_unroll.cuh"
#include "testing.h"

namespace {

using Metrics = std::map<std::string, double>;  // by name, per block

std::map<std::string, Metrics> profileOf(unsigned block) {
  std::map<std::string, Metrics> profile;
  std::ifstream file(PROFILE_CSV);
  EXPECT_TRUE(file) << PROFILE_CSV;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string kernel, threads, blocks, metric, value;
    std::getline(fields, kernel, ',');
    std::getline(fields, threads, ',');
    std::getline(fields, blocks, ',');
    std::getline(fields, metric, ',');
    std::getline(fields, value, ',');
    if (line.starts_with('#') || threads != std::to_string(block)) continue;
    profile[kernel.substr(0, kernel.find('<'))][metric] = std::stod(value) / std::stod(blocks);
  }
  return profile;
}

struct Kernel {
  Step step;
  bool inSharedMemory;
};
const std::map<std::string, Kernel> kernels = {
    {"neighbored", {{.lesson = "02", .name = "", .kernel = neighbored}, false}},
    {"neighboredShared", {{.lesson = "02", .name = "", .kernel = neighboredShared}, true}},
    {"neighboredLess", {{.lesson = "03", .name = "", .kernel = neighboredLess}, false}},
    {"neighboredLessShared", {{.lesson = "03", .name = "", .kernel = neighboredLessShared}, true}},
    {"interleaved", {{.lesson = "04", .name = "", .kernel = interleaved}, false}},
    {"interleavedShared", {{.lesson = "04", .name = "", .kernel = interleavedShared}, true}},
    {"unroll2", {{.lesson = "05", .name = "", .kernel = unroll2, .elementsPerThread = 2}, false}},
    {"unroll8", {{.lesson = "06", .name = "", .kernel = unroll8, .elementsPerThread = 8}, false}},
    {"unroll8Warp",
     {{.lesson = "06", .name = "", .kernel = unroll8Warp, .elementsPerThread = 8}, false}},
    {"completeUnroll",
     {{.lesson = "07", .name = "", .kernelFor = completeUnrollFor, .elementsPerThread = 8},
      false}}};

}  // namespace

class AgainstTheProfiler : public testing::TestWithParam<unsigned> {};

TEST_P(AgainstTheProfiler, EveryKernelIsThere) {
  const auto profile = profileOf(GetParam());
  EXPECT_EQ(profile.size(), kernels.size());
  for (const auto& [name, kernel] : kernels) EXPECT_TRUE(profile.contains(name)) << name;
}

TEST_P(AgainstTheProfiler, GlobalRequestsAndSectorsAreEqual) {
  NEEDS_COUNTERS();
  for (auto& [name, metrics] : profileOf(GetParam())) {
    const Counters c = countersPerBlock(kernels.at(name).step, GetParam());
    const auto measured = [&profile = metrics](const std::string& what) {
      return profile.at("l1tex__t_" + what + ".sum");
    };
    EXPECT_EQ(double(c.load_requests), measured("requests_pipe_lsu_mem_global_op_ld")) << name;
    EXPECT_EQ(double(c.load_sectors), measured("sectors_pipe_lsu_mem_global_op_ld")) << name;
    EXPECT_EQ(double(c.store_requests), measured("requests_pipe_lsu_mem_global_op_st")) << name;
    EXPECT_EQ(double(c.store_sectors), measured("sectors_pipe_lsu_mem_global_op_st")) << name;
  }
}

TEST_P(AgainstTheProfiler, BankConflictsAgreeButForNoise) {
  NEEDS_COUNTERS();
  for (auto& [name, metrics] : profileOf(GetParam())) {
    const Counters c = countersPerBlock(kernels.at(name).step, GetParam());
    const double loads = metrics.at("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
    const double stores = metrics.at("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum");
    EXPECT_NEAR(double(c.shared_load_conflicts), loads, 4) << name;
    EXPECT_EQ(double(c.shared_store_conflicts), stores) << name;
  }
}

TEST_P(AgainstTheProfiler, DivergentBranchesAgreeButForPredicates) {
  NEEDS_COUNTERS();
  for (auto& [name, metrics] : profileOf(GetParam())) {
    const Kernel& kernel = kernels.at(name);
    const double measured = metrics.at("smsp__sass_branch_targets_threads_divergent.sum");
    if (kernel.inSharedMemory)
      EXPECT_EQ(measured, 0) << name;
    else
      EXPECT_EQ(double(countersPerBlock(kernel.step, GetParam()).divergent_branches), measured + 1)
          << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Block, AgainstTheProfiler, testing::Values(256u, 512u),
                         testing::PrintToStringParamName());
