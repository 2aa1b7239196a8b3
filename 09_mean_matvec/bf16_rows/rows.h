// Calls the kernels of row_reductions.cuh in the shape that suits the length of the rows. Compiled
// with its kernels, in rows.cu.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>

#include "bf16_matrix.h"
#include "cuda/device_array.h"

struct Moments;
struct SoftmaxSum;

// lanes for each row, or blocks for each row; the other is 0.
struct RowsShape {
  unsigned lanes, blocksPerRow, threads;
};

// Some ten vectors of eight elements for each lane; from 16,384 elements on a block for each row,
// and more where that leaves a GPU without enough of them, or a block with more than 256 KiB. These
// were the best of many on an H200.
inline RowsShape rowsShape(size_t rows, size_t length) {
  const size_t vectors = length / 8 + 1;
  if (vectors <= 2048)
    return {unsigned(std::clamp<size_t>(std::bit_ceil((vectors + 7) / 10), 1, 32)), 0, 256};
  const size_t perBlock = rows * vectors >= size_t(1) << 23 ? 16384 : 2048;
  return {0, unsigned((vectors + perBlock - 1) / perBlock),
          vectors < 4096   ? 128u
          : vectors < 8192 ? 256u
                           : 512u};
}

// Reduces the rows of matrices on the device, with one launch each. Owns what the blocks share; one
// call at a time. Reduction: Moments or SoftmaxSum.
template <typename Reduction>
class RowReduction {
 public:
  RowReduction();
  ~RowReduction();

  // Leaves a pair for each row at results, on the device: Reduction's result(). The rows begin at a
  // 16-byte boundary and have at least one element. Throws Error.
  void operator()(Rows rows, float2* results) {
    (*this)(rows, results, rowsShape(rows.count, rows.length));
  }

  // threads: a multiple of 32, up to 256 with lanes and 512 with blocks. Any shape is right for any
  // length.
  void operator()(Rows rows, float2* results, RowsShape shape);

 private:
  void makeRoom(size_t rows, unsigned blocksPerRow);
  std::unique_ptr<DeviceArray<unsigned>> blocksDone_;
  std::unique_ptr<DeviceArray<Reduction>> parts_;
};
extern template class RowReduction<Moments>;
extern template class RowReduction<SoftmaxSum>;
