#include "bulk_copy_sum.h"

#include <algorithm>

#include "bulk_copy.cuh"
#include "cuda/device.h"
#include "measure/step.h"
#include "whole_sum.h"

bool bulkCopyWorks() {
  return CUDART_VERSION >= 12050 && compiledFor(reinterpret_cast<const void*>(bulkCopy), 90);
}

uint64_t bulkCopyBlocks(uint64_t n, unsigned) {
  return std::max<uint64_t>(1, blocksFor(n, 4 * bulkPieces * bulkVectors));
}

const long long* bulkCopySum(const int* data, size_t n, long long*) {
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
