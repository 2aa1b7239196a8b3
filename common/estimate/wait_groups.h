// What warps wait for, in as many groups as colours can be told apart.
#pragma once

#include <array>
#include <vector>

#include "estimate/wait.h"

namespace estimate {

struct WaitGroup {
  const char *kind, *name;  // a word for style sheets; as it is said to people
  std::vector<Wait> waits;
};

// Every wait is in one of them; the last is what nothing happens in.
const std::array<WaitGroup, 9>& waitGroups();
size_t groupOf(Wait wait);

// How much of these times each group has.
std::array<double, 9> inGroups(const WaitTimes& times);

}  // namespace estimate
