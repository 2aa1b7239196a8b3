// Prefix sums of a group of lanes, by shuffles.
#pragma once

#include "simt/device/names_begin.h"

#include "reduce.h"

namespace cooperative_groups {

template <typename Group, typename T, typename Operation = plus<T>>
SIMT_ALWAYS_INLINE T inclusive_scan(const Group& group, T value, Operation operation = {}) {
  const unsigned size = unsigned(group.size()), rank = unsigned(group.thread_rank());
  for (unsigned step = 1; step < size; step *= 2) {
    const T other = group.shfl_up(value, step);
    if (rank >= step) value = operation(other, value);
  }
  return value;
}
template <typename Group, typename T, typename Operation = plus<T>>
SIMT_ALWAYS_INLINE T exclusive_scan(const Group& group, T value, Operation operation = {}) {
  const T sum = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T() : sum;
}

}  // namespace cooperative_groups

#include "simt/device/names_end.h"
