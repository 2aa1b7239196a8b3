// Copies by a whole group, which wait() and wait_prior() wait for.
#pragma once

#include "simt/device/names_begin.h"

#include <algorithm>

#include "../cooperative_groups.h"
#include "../cuda/aligned_size"
#include "simt/device/primitives.h"

namespace cooperative_groups {

// Each thread of the group copies every so many pieces.
template <typename Group>
SIMT_ALWAYS_INLINE void simt_share(const Group& group, void* to, const void* from, size_t bytes) {
  const auto bits = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | bytes;
  const size_t piece = bits % 16 == 0 ? 16 : bits % 8 == 0 ? 8 : bits % 4 == 0 ? 4 : 1;
  for (size_t at = group.thread_rank() * piece; at < bytes; at += group.size() * piece)
    simt::beginCopy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, piece);
}
template <typename Group, typename To, typename From, typename Size>
SIMT_ALWAYS_INLINE void memcpy_async(const Group& group, To* to, const From* from,
                                     const Size& bytes) {
  simt_share(group, to, from, size_t(bytes));
  simt::commitCopies();
}
// As many elements as both sides have.
template <typename Group, typename T, typename ToSize, typename FromSize>
SIMT_ALWAYS_INLINE void memcpy_async(const Group& group, T* to, const ToSize& toCount,
                                     const T* from, const FromSize& fromCount) {
  simt_share(group, to, from, std::min(size_t(toCount), size_t(fromCount)) * sizeof(T));
  simt::commitCopies();
}
template <typename Group>
SIMT_ALWAYS_INLINE void wait(const Group& group, int place = SIMT_HERE) {
  simt::waitForCopies(0);
  sync(group, place);
}
template <unsigned Prior, typename Group>
SIMT_ALWAYS_INLINE void wait_prior(const Group& group, int place = SIMT_HERE) {
  simt::waitForCopies(Prior);
  sync(group, place);
}

}  // namespace cooperative_groups

#include "simt/device/names_end.h"
