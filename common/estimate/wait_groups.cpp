#include "estimate/wait_groups.h"

#include <algorithm>

namespace estimate {

const std::array<WaitGroup, 9>& waitGroups() {
  static const std::array<WaitGroup, 9> groups = {{
      {"issuing", "issuing an instruction", {Wait::issuing}},
      {"own", "arithmetic and issue slots", {Wait::arithmetic, Wait::issueSlot}},
      {"memory", "memory and atomics", {Wait::memory, Wait::atomic, Wait::fence}},
      {"l2", "L2", {Wait::l2}},
      {"l1", "L1 and load/store pipe", {Wait::l1, Wait::pipe, Wait::constants}},
      {"shared", "shared memory and shuffles", {Wait::sharedMemory, Wait::shuffle}},
      {"conflicts", "bank conflicts", {Wait::bankConflicts}},
      {"barrier", "barriers", {Wait::barrier}},
      {"empty", "start and tail: no warp", {Wait::noWork, Wait::startAndTail}},
  }};
  return groups;
}

size_t groupOf(Wait wait) {
  const auto& groups = waitGroups();
  for (size_t g = 0; g < groups.size(); ++g)
    if (std::ranges::find(groups[g].waits, wait) != groups[g].waits.end()) return g;
  return groups.size() - 1;
}

std::array<double, 9> inGroups(const WaitTimes& times) {
  std::array<double, 9> sums = {};
  for (size_t i = 0; i < times.size(); ++i) sums[groupOf(Wait(i))] += times[i];
  return sums;
}

}  // namespace estimate
