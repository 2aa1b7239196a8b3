// Copies by a whole group; they have ended when wait() returns.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <typename Group, typename To, typename From>
void memcpy_async(const Group& group, To* to, const From* from, size_t bytes) {
  const auto words = bytes / sizeof(To);
  for (size_t i = group.thread_rank(); i < words; i += group.size()) to[i] = from[i];
}
template <typename Group>
SIMT_ALWAYS_INLINE void wait(const Group& group, int line = __builtin_LINE()) {
  sync(group, line);
}

}  // namespace cooperative_groups
