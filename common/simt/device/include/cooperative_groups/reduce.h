// Reductions of a group of lanes, by shuffles.
#pragma once

#include "simt/device/names_begin.h"

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <typename T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <typename T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T>
struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <typename T>
struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <typename T>
struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

// Every thread of the group gets the result.
template <typename Group, typename T, typename Operation>
SIMT_ALWAYS_INLINE T reduce(const Group& group, T value, Operation operation) {
  const unsigned size = unsigned(group.size()), rank = unsigned(group.thread_rank());
  unsigned reach = 1;
  while (reach * 2 <= size) reach *= 2;
  for (unsigned step = reach; step > 0; step /= 2) {
    const T other = group.shfl_down(value, step);
    if (rank + step < size) value = operation(value, other);
  }
  return group.shfl(value, 0);
}

}  // namespace cooperative_groups

#include "simt/device/names_end.h"
