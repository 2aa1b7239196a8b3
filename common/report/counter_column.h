// A column of counts in a table.
#pragma once

#include <string>
#include <vector>

#include "simt/hardware/counters.h"

// A counter of simt::counterList under its title, or several that are shown as their sum.
struct CounterColumn {
  std::string title;
  std::vector<uint64_t simt::Counters::*> members;

  uint64_t count(const simt::Counters& counters) const {
    uint64_t sum = 0;
    for (const auto member : members) sum += counters.*member;
    return sum;
  }
};
