// The executor's counters against the profiler's, kernel by kernel (profile.csv says where those
// come from and which of them cannot be equal).
#include <cmath>
#include <map>
#include <set>

#include "../../../08_shuffle/steps.h"
#include "report/profile.h"
#include "test_support/kernel_testing.h"

namespace {

using Metrics = std::map<std::string, double>;  // by name, per block

std::map<std::string, Metrics> profileOf(unsigned block) {
  std::map<std::string, Metrics> profile;
  const Profile file(PROFILE_CSV);
  for (const ProfileRow& row : file.rows())
    if (row.block == block)
      profile[row.kernel.substr(0, row.kernel.find('<'))][row.metric] = row.value / row.blocks;
  return profile;
}

// Where the profiler's divergence differs from ours: not at all but for the last predicate; wholly
// predicated, so that it counts none; or not comparable.
enum class Divergence { counted, predicated };

struct Kernel {
  std::string step;
  Divergence divergence = Divergence::counted;
};

const std::map<std::string, Kernel> kernels = {
    {"neighbored", {"neighbored"}},
    {"neighboredShared", {"neighbored, shared", Divergence::predicated}},
    {"neighboredLess", {"neighbored less"}},
    {"neighboredLessShared", {"neighbored less, shared", Divergence::predicated}},
    {"interleaved", {"interleaved"}},
    {"interleavedShared", {"interleaved, shared", Divergence::predicated}},
    {"unroll2", {"unroll 2"}},
    {"unroll8", {"unroll 8"}},
    {"unroll8Warp", {"unroll 8 + warp"}},
    {"completeUnroll", {"complete unroll"}},
    {"unroll8Shuffle", {"unroll 8 + shuffle", Divergence::predicated}},
    {"unroll8ReduceAdd", {"unroll 8 + reduce_add", Divergence::predicated}},
    {"vectorLoads", {"16-byte loads", Divergence::predicated}},
    {"atomicPerBlock", {"one atomic per block", Divergence::predicated}},
    {"gridStride", {"grid-stride", Divergence::predicated}},
    {"singlePass", {"single pass", Divergence::predicated}}};

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
    simt::Settings settings = simt::settings();
    settings.multiprocessors = 132;
    const simt::WithSettings scope(settings);
    Workspace workspace(makeInput(1 << 20, 1), block);
    simt::takeCounters();
    workspace.totalOf(step);
    c = simt::takeCounters();
    blocks = double(workspace.blocks(step));
  }
  Metrics metrics;
  for (const simt::CounterInfo& counter : simt::counterList)
    metrics[counter.name] = double(c.*counter.member) / blocks;
  return metrics;
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
  for (auto& [name, measured] : profileOf(GetParam())) {
    if (notOnTheExecutor.contains(name)) continue;
    const Kernel& kernel = kernels.at(name);
    const Metrics counted = countsOf(findStep(ladderTo08(), kernel.step), GetParam());
    for (const simt::CounterInfo& counter : simt::counterList) {
      const std::string metric = counter.metric;
      if (metric.empty()) continue;
      SCOPED_TRACE(name + ", " + counter.title);
      const double ours = counted.at(counter.name), theirs = measured.at(metric);
      if (counter.member == &Counters::shared_load_conflicts)
        EXPECT_NEAR(ours, theirs, 4);  // but for the noise of arbitration
      else if (counter.member == &Counters::shared_store_conflicts)
        EXPECT_NEAR(ours, theirs, 1);
      else if (counter.member != &Counters::divergent_branches)
        EXPECT_EQ(ours, theirs);
      else if (kernel.divergence == Divergence::predicated)
        EXPECT_LE(theirs, ours);  // a short branch becomes a predicate, which is no branch any more
      else
        EXPECT_EQ(theirs + 1, ours);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Block, AgainstTheProfiler, testing::Values(256u, 512u),
                         testing::PrintToStringParamName());
