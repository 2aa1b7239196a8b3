// DeviceFor: see algorithms.h.
#pragma once

#include "algorithms.h"

namespace cub {

struct DeviceFor {
  template <typename Count, typename Work>
  static cudaError_t Bulk(Count count, Work work, cudaStream_t = nullptr) {
    simt::shareDeviceMemory("CUB");
    for (Count i = 0; i < count; ++i) work(i);
    return cudaSuccess;
  }
  template <typename Iterator, typename Count, typename Work>
  static cudaError_t ForEachN(Iterator first, Count count, Work work, cudaStream_t = nullptr) {
    return Bulk(count, [&](Count i) { work(first[i]); });
  }
  template <typename Iterator, typename Work>
  static cudaError_t ForEach(Iterator first, Iterator last, Work work, cudaStream_t = nullptr) {
    return ForEachN(first, last - first, work);
  }
  // The same in two calls.
  template <typename Count, typename Work>
  static cudaError_t Bulk(void* temporary, size_t& bytes, Count count, Work work,
                          cudaStream_t = nullptr) {
    SIMT_CUB_TEMPORARY;
    return Bulk(count, work);
  }
  template <typename Iterator, typename Work>
  static cudaError_t ForEach(void* temporary, size_t& bytes, Iterator first, Iterator last,
                             Work work, cudaStream_t = nullptr) {
    SIMT_CUB_TEMPORARY;
    return ForEach(first, last, work);
  }
};

}  // namespace cub
