// Calls the kernel of bulk_copy.cuh. GPU only.
#pragma once

#include "bulk_copy.cuh"
#include "whole_sum.h"

// True when this GPU, and what this program was compiled for and with, have bulk copies: Hopper and
// later, CUDA 12.8 and later.
inline bool bulkCopyWorks() {
  return __cccl_ptx_isa >= 860 && compiledFor(reinterpret_cast<const void*>(bulkCopy), 90);
}

inline uint64_t bulkCopyBlocks(uint64_t n, unsigned) {
  return std::max<uint64_t>(1, blocksFor(n, 4 * bulkPieces * bulkVectors));
}

// Leaves the sum of n elements on the device and returns where; valid until the next call.
inline const long long* bulkCopySum(const int* data, size_t n, long long*) {
  static AlternatingTotals totals;
  static const cudaError_t shared = cudaFuncSetAttribute(
      bulkCopy, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bulkSharedBytes));
  CUDA_CHECK(shared);
  unsigned long long* const total = totals.next();
  bulkCopy<<<unsigned(bulkCopyBlocks(n, 0)), 512, bulkSharedBytes>>>(data, n, total,
                                                                     totals.other());
  CUDA_CHECK(cudaGetLastError());
  return reinterpret_cast<const long long*>(total);
}
