// Copies to shared memory by the thread that asks for them, and the groups that it waits for.
#pragma once

#include "simt/device/names_begin.h"

#include <cuda/pipeline>

SIMT_ALWAYS_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes,
                                                size_t zeros = 0) {
  simt::beginCopy(to, from, bytes - zeros, zeros);
}
inline void __pipeline_commit() { simt::commitCopies(); }
inline void __pipeline_wait_prior(size_t prior) { simt::waitForCopies(unsigned(prior)); }

#include "simt/device/names_end.h"
