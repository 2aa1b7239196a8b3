// The columns of counts in tables.
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

// All of them, in their order. Loads and stores of shared memory share a column.
std::vector<CounterColumn> counterColumns();

// Those that tell the lessons 02 to 07 apart, which tables show unless they are asked for all; and
// every counter that has none of these for itself.
std::vector<CounterColumn> usualColumns();
std::vector<CounterColumn> seldomColumns();
