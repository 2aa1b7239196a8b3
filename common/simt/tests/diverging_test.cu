// The executor's counts of kernels whose lanes part, and of those that read objects member by member,
// against the profiler's (diverging.csv).
#include <map>
#include <set>

#include "diverging.h"
#include "report/profile.h"
#include "test_support/kernel_testing.h"

namespace {

using Metrics = std::map<std::string, double>;  // of a launch

std::map<std::string, Metrics> recorded() {
  std::map<std::string, Metrics> all;
  const Profile file(DIVERGING_CSV);
  for (const ProfileRow& row : file.rows()) all[row.kernel][row.metric] = row.value;
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

}  // namespace

TEST(Diverging, Table) {
  auto all = recorded();
  for (const DivergingKernel& kernel : divergingKernels) {
    Counters c = countsOf(kernel);
    Metrics& m = all[kernel.name];
    printf("%-22s", kernel.name);
    for (const simt::CounterInfo& counter : simt::counterList)
      if (*counter.metric) printf(" %s %lu/%.0f |", counter.name, c.*counter.member, m[counter.metric]);
    printf(" shl %lu/%.0f shs %lu/%.0f lanes %lu/%.0f\n", c.shared_load_requests, m["smsp__inst_executed_op_shared_ld.sum"], c.shared_store_requests, m["smsp__inst_executed_op_shared_st.sum"], c.memory_lanes, m["smsp__sass_thread_inst_executed_op_memory_pred_on.sum"]);
  }
}
