// The executor's counters against the profiler's, kernel by kernel (profile.csv says where those
// come from and which of them cannot be equal).
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "../02_neighbored/neighbored.cuh"
#include "../03_neighbored_less/neighbored_less.cuh"
#include "../04_interleaved/interleaved.cuh"
#include "../05_unroll2/unroll2.cuh"
#include "../06_unroll8_warp/unroll8_warp.cuh"
#include "../07_complete_unroll/complete_unroll.cuh"
#include "../08_shuffle/steps.h"
#include "test_support/kernel_testing.h"

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

// Where the profiler's divergence differs from ours: not at all but for the last predicate; wholly
// predicated, so that it counts none; or not comparable.
enum class Divergence { counted, predicated };

struct Kernel {
  Step step;
  Divergence divergence = Divergence::counted;
};

Step lesson08(const std::string& name) {
  for (const Step& step : shuffleSteps())
    if (step.name == name) return step;
  throw std::invalid_argument(name);
}

const std::map<std::string, Kernel> kernels = {
    {"neighbored", {{.lesson = "02", .name = "", .kernel = neighbored}}},
    {"neighboredShared",
     {{.lesson = "02", .name = "", .kernel = neighboredShared}, Divergence::predicated}},
    {"neighboredLess", {{.lesson = "03", .name = "", .kernel = neighboredLess}}},
    {"neighboredLessShared",
     {{.lesson = "03", .name = "", .kernel = neighboredLessShared}, Divergence::predicated}},
    {"interleaved", {{.lesson = "04", .name = "", .kernel = interleaved}}},
    {"interleavedShared",
     {{.lesson = "04", .name = "", .kernel = interleavedShared}, Divergence::predicated}},
    {"unroll2", {{.lesson = "05", .name = "", .kernel = unroll2, .elementsPerThread = 2}}},
    {"unroll8", {{.lesson = "06", .name = "", .kernel = unroll8, .elementsPerThread = 8}}},
    {"unroll8Warp", {{.lesson = "06", .name = "", .kernel = unroll8Warp, .elementsPerThread = 8}}},
    {"completeUnroll",
     {{.lesson = "07", .name = "", .kernelFor = completeUnrollFor, .elementsPerThread = 8}}},
    {"unroll8Shuffle", {lesson08("unroll 8 + shuffle"), Divergence::predicated}},
    {"unroll8ReduceAdd", {lesson08("unroll 8 + reduce_add"), Divergence::predicated}},
    {"vectorLoads", {lesson08("16-byte loads"), Divergence::predicated}},
    {"atomicPerBlock", {lesson08("one atomic per block"), Divergence::predicated}},
    {"gridStride", {lesson08("grid-stride"), Divergence::predicated}},
    {"singlePass", {lesson08("single pass"), Divergence::predicated}}};

// Kernels that only a GPU runs.
const std::set<std::string> notOnTheExecutor = {"bulkCopy", "unroll8Cub"};

// The executor's counts per block, over what the profiler ran: 2^20 elements on 132
// multiprocessors. Where the number of blocks follows from n alone, every block counts the same and
// 16 will do.
Metrics countsOf(const Step& step, unsigned block) {
  Counters c;
  double blocks = 1;
  if (!step.blocksFor) {
    c = countersPerBlock(step, block);
  } else {
    const auto before = simt::settings().multiprocessors;
    simt::settings().multiprocessors = 132;
    Workspace workspace(makeInput(1 << 20, 1), block, 0);
    int64_t sum = 0;
    c = workspace.run(step, &sum).counters;
    blocks = double(workspace.blocks(step));
    simt::settings().multiprocessors = before;
  }
  return {{"requests_pipe_lsu_mem_global_op_ld", double(c.load_requests) / blocks},
          {"sectors_pipe_lsu_mem_global_op_ld", double(c.load_sectors) / blocks},
          {"requests_pipe_lsu_mem_global_op_st", double(c.store_requests) / blocks},
          {"sectors_pipe_lsu_mem_global_op_st", double(c.store_sectors) / blocks},
          {"shared_load_conflicts", double(c.shared_load_conflicts) / blocks},
          {"shared_store_conflicts", double(c.shared_store_conflicts) / blocks},
          {"divergent_branches", double(c.divergent_branches) / blocks}};
}

}  // namespace

class AgainstTheProfiler : public testing::TestWithParam<unsigned> {};

TEST_P(AgainstTheProfiler, EveryKernelIsThere) {
  const auto profile = profileOf(GetParam());
  for (const auto& [name, kernel] : kernels) EXPECT_TRUE(profile.contains(name)) << name;
  for (const auto& [name, metrics] : profile)
    EXPECT_NE(kernels.contains(name), notOnTheExecutor.contains(name)) << name;
}

TEST_P(AgainstTheProfiler, CountsAreEqual) {
  NEEDS_COUNTERS();
  for (auto& [name, measured] : profileOf(GetParam())) {
    if (notOnTheExecutor.contains(name)) continue;
    const Kernel& kernel = kernels.at(name);
    const Metrics counted = countsOf(kernel.step, GetParam());
    for (const std::string what :
         {"requests_pipe_lsu_mem_global_op_ld", "sectors_pipe_lsu_mem_global_op_ld",
          "requests_pipe_lsu_mem_global_op_st", "sectors_pipe_lsu_mem_global_op_st"})
      EXPECT_EQ(counted.at(what), measured.at("l1tex__t_" + what + ".sum")) << name << ' ' << what;

    // Conflicts agree but for the noise of arbitration.
    EXPECT_NEAR(counted.at("shared_load_conflicts"),
                measured.at("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"), 4)
        << name;
    EXPECT_NEAR(counted.at("shared_store_conflicts"),
                measured.at("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"), 1)
        << name;

    // A short branch becomes a predicate, which is no branch any more.
    const double divergent = measured.at("smsp__sass_branch_targets_threads_divergent.sum");
    if (kernel.divergence == Divergence::predicated)
      EXPECT_LE(divergent, counted.at("divergent_branches")) << name;
    else
      EXPECT_EQ(divergent + 1, counted.at("divergent_branches")) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Block, AgainstTheProfiler, testing::Values(256u, 512u),
                         testing::PrintToStringParamName());
