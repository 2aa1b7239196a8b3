// The executor's counts of kernels whose lanes part, and of those that read objects member by
// member, against the profiler's (diverging.csv). The same for either host compiler.
#include <map>
#include <set>

#include "diverging.h"
#include "report/profile.h"
#include "test_support/kernel_testing.h"

namespace {

using Metrics = std::map<std::string, double>;  // of a launch

const std::map<std::string, Metrics>& recorded() {
  static const auto all = [] {
    std::map<std::string, Metrics> kernels;
    const Profile file(DIVERGING_CSV);
    for (const ProfileRow& row : file.rows()) kernels[row.kernel][row.metric] = row.value;
    return kernels;
  }();
  return all;
}

Counters countsOf(const DivergingKernel& kernel) {
  const std::vector<int> input = divergingInput();
  DeviceArray<int> data(input.size(), "data"), out(input.size(), "out");
  data.copyFromHost(input.data());
  simt::takeCounters();
  kernel.run(out.data(), data.data());
  return simt::takeCounters();
}

// nvcc makes predicates of their conditions, or (a switch) several branches of one.
const std::set<std::string> otherBranches = {"oneLanePerTurn", "oneLanePerUnrolledTurn",
                                             "switchOfFour", "returnsEarly"};
// Two conditions that follow each other are one branch here and two there, now and then.
const std::set<std::string> nearlyTheBranches = {"mandelbrot", "nestedLoops"};
// Where the counts are known to differ, and why.
const std::map<std::string, const char*> knownToDiffer = {
    {"storesMembers", "g++ leaves out a load that it knows to give what was stored"},
    {"neighborsInShared",
     "nvcc merges neighbours in a shared array of numbers, knowing where it "
     "begins and that the index is a multiple of four"},
    {"storesNeighborsInShared", "the same, for stores"},
    {"firstElementsOfShared", "the same, with constant indices"},
#ifdef __clang__
    {"pairsInPaddedRows", "clang++ loads again what a store may have changed"},
    {"objectsInShared", "clang++ copies these objects in two halves"},
#endif
    {"allButOneMember", "nvcc reads over a gap of one where three members of four are read"}};

// The profiler counts loads of constants as well: so many for each thread, or never fewer.
const std::map<std::string, double> constantsOf = {
    {"oneLanePerTurn", 2}, {"lanesAlternate", 4}, {"searchLoop", 5},        {"binarySearch", 3},
    {"mandelbrot", 2},     {"stencil", 3},        {"neighbors", 4},         {"membersOfFour", 4},
    {"membersOfThree", 4}, {"membersOfPair", 4},  {"outerMembersOfFour", 4}};
constexpr const char* lanesMetric = "smsp__sass_thread_inst_executed_op_memory_pred_on.sum";

}  // namespace

// How GoogleTest shows a kernel.
static void PrintTo(const DivergingKernel& kernel, std::ostream* out) { *out << kernel.name; }

class Diverging : public testing::TestWithParam<DivergingKernel> {};

TEST_P(Diverging, CountsAreTheProfilers) {
  const std::string name = GetParam().name;
  if (!recorded().contains(name)) GTEST_SKIP() << "not recorded yet";
  if (const auto known = knownToDiffer.find(name); known != knownToDiffer.end())
    GTEST_SKIP() << "known to differ: " << known->second;
  const Counters counted = countsOf(GetParam());
  const Metrics& measured = recorded().at(name);
  for (const simt::CounterInfo& counter : simt::counterList) {
    if (*counter.metric == 0) continue;
    SCOPED_TRACE(counter.title);
    const auto ours = double(counted.*counter.member), theirs = measured.at(counter.metric);
    if (counter.member != &Counters::divergent_branches) {
      EXPECT_EQ(ours, theirs);
    } else if (nearlyTheBranches.contains(name)) {
      EXPECT_NEAR(ours, theirs, 0.02 * theirs);
    } else if (!otherBranches.contains(name)) {
      EXPECT_EQ(ours, theirs);
    }
  }
  EXPECT_EQ(double(counted.shared_load_requests),
            measured.at("smsp__inst_executed_op_shared_ld.sum"));
  EXPECT_EQ(double(counted.shared_store_requests),
            measured.at("smsp__inst_executed_op_shared_st.sum"));
  const double constants = measured.at(lanesMetric) - double(counted.memory_lanes);
  if (const auto it = constantsOf.find(name); it != constantsOf.end()) {
    EXPECT_EQ(constants, it->second * divergingLength);
  } else {
    EXPECT_GE(constants, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Diverging, testing::ValuesIn(divergingKernels),
                         [](const auto& info) { return std::string(info.param.name); });

// Without a profiler: what both host compilers must agree on.
TEST(DivergingSet, BranchesAreThoseOfTheSource) {
  const std::map<std::string, uint64_t> branches = {
      {"oneLanePerTurn", 65536}, {"lanesAlternate", 131072}, {"switchOfFour", 2048},
      {"returnsEarly", 15361},   {"stencil", 508},           {"binarySearch", 160}};
  for (const DivergingKernel& kernel : divergingKernels)
    if (const auto it = branches.find(kernel.name); it != branches.end()) {
      EXPECT_EQ(countsOf(kernel).divergent_branches, it->second) << kernel.name;
    }
}

// As nvcc's PTX has them.
TEST(DivergingSet, StoresOfMembersAreMergedWithoutGaps) {
  const std::map<std::string, uint64_t> perWarp = {{"storesFourMembers", 1},
                                                   {"storesThreeMembers", 2},
                                                   {"copiesAlignedTriples", 1},
                                                   {"copiesPairs", 2}};
  for (const DivergingKernel& kernel : divergingKernels)
    if (const auto it = perWarp.find(kernel.name); it != perWarp.end()) {
      const uint64_t warps = divergingLength / 32 / (it->first == "copiesPairs" ? 2 : 4);
      EXPECT_EQ(countsOf(kernel).store_requests, it->second * warps) << kernel.name;
    }
}
