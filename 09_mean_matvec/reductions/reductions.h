// Calls the kernels of reductions.cuh, which are compiled by themselves, for any matrix of floats.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "cuda/device.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"

struct Moments;
__global__ void argmin(const float* data, size_t n, unsigned long long* smallest);
__global__ void moments(const float* data, size_t n, Moments* parts);
__global__ void joinMoments(const Moments* parts, unsigned count, float2* result);
__global__ void rowPerThread(const float* matrix, float* sums, size_t rows, size_t columns);
__global__ void rowPerWarp(const float* matrix, float* sums, size_t rows, size_t columns);
__global__ void rowPerTile(const float* matrix, float* sums, size_t rows, size_t columns);
__global__ void rowPerBlock(const float* matrix, float* sums, size_t rows, size_t columns);
__global__ void columnPerThread(const float* matrix, float* sums, size_t rows, size_t columns);
__global__ void columnSlices(const float* matrix, float* sums, size_t rows, size_t columns,
                             size_t rowsOfSlice);

inline size_t piecesOf(size_t n, size_t piece) { return n / piece + (n % piece != 0); }

// As many blocks of 512 as the GPU holds at once, or as n elements have work for.
inline unsigned blocksForAll(const void* kernel, size_t n) {
  const size_t fit = size_t(blocksThatFit(kernel, 512)) * multiprocessors();
  return unsigned(std::clamp<size_t>(piecesOf(n, 16 * 512), 1, fit));
}

// Leaves a word at smallest, on the device, of which placeOf() makes the place of the smallest of n
// elements: of equal ones the first. -0 equals 0; a NaN counts as infinity. n < 2^32 - 1.
inline void findSmallest(const float* data, size_t n, unsigned long long* smallest) {
  clearOnDevice(smallest, 1);
  launch(dim3(blocksForAll(reinterpret_cast<const void*>(argmin), n)), dim3(512), argmin, data, n,
         smallest);
}
inline std::optional<size_t> placeOf(unsigned long long word) {
  return word == 0 ? std::nullopt : std::optional<size_t>(uint32_t(~word));
}

// Leaves the mean and the variance (of all, not of a sample) of n elements at result, on the
// device. Of none they are 0 and NaN. Owns the parts; one call at a time.
class MomentsOf {
 public:
  MomentsOf();
  ~MomentsOf();
  void operator()(const float* data, size_t n, float2* result);

 private:
  std::unique_ptr<DeviceArray<Moments>> parts_;
};

// The sum of every row of a dense matrix, left at sums, on the device.
using SumKernel = decltype(&rowPerWarp);
inline void sumRows(SumKernel kernel, const float* matrix, float* sums, size_t rows,
                    size_t columns) {
  const size_t perBlock = kernel == rowPerThread ? 256 : kernel == rowPerBlock ? 1 : 8;
  const unsigned threads = kernel == rowPerBlock && columns >= 1 << 16 ? 1024 : 256;
  if (rows > 0)
    launch(dim3(unsigned(piecesOf(rows, perBlock))), dim3(threads), kernel, matrix, sums, rows,
           columns);
}

inline void sumColumnsByThreads(const float* matrix, float* sums, size_t rows, size_t columns) {
  if (columns > 0)
    launch(dim3(unsigned(piecesOf(columns, 256))), dim3(256), columnPerThread, matrix, sums, rows,
           columns);
}

// The sum of every column, left at sums, on the device. Owns the sums of the slices; one call at a
// time.
class ColumnSums {
 public:
  void operator()(const float* matrix, float* sums, size_t rows, size_t columns) {
    if (columns == 0) return;
    const size_t along = piecesOf(columns, 32);
    // Slices of 64 rows or more: some 8,192 blocks.
    const size_t wanted = std::clamp<size_t>(8192 / along, 1, std::max<size_t>(1, rows / 64));
    const size_t rowsOfSlice = std::max<size_t>(1, piecesOf(rows, wanted));
    const size_t slices = std::max<size_t>(1, piecesOf(rows, rowsOfSlice));
    const dim3 block(32, 8);
    if (slices == 1) {
      launch(dim3(unsigned(along)), block, columnSlices, matrix, sums, rows, columns, rows);
      return;
    }
    if (!ofSlices_ || ofSlices_->size() < slices * columns)
      ofSlices_ = std::make_unique<DeviceArray<float>>(slices * columns, "sums of slices");
    launch(dim3(unsigned(along), unsigned(slices)), block, columnSlices, matrix, ofSlices_->data(),
           rows, columns, rowsOfSlice);
    launch(dim3(unsigned(along)), block, columnSlices, static_cast<const float*>(ofSlices_->data()),
           sums, slices, columns, slices);
  }

 private:
  std::unique_ptr<DeviceArray<float>> ofSlices_;
};
