// The part of <mma.h> that kernels use, for the executor: 8 × 4 times 4 × 8 matrices of double, a
// fragment of them in each lane of a warp. Found by the cpu flavour only. The lanes hold the
// elements that they hold on a GPU; a multiplication counts as 12 shuffles, by which it is done
// here.
#pragma once

#include "simt/cuda.h"

namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major };

template <typename Use, int m, int n, int k, typename T, typename Layout = void>
struct fragment;
template <>
struct fragment<matrix_a, 8, 8, 4, double, row_major> {
  double x[1];  // element [lane / 4][lane % 4]
};
template <>
struct fragment<matrix_b, 8, 8, 4, double, col_major> {
  double x[1];  // element [lane % 4][lane / 4]
};
template <>
struct fragment<accumulator, 8, 8, 4, double> {
  double x[2];  // elements [lane / 4][lane % 4 * 2] and the next
};
using MatrixA = fragment<matrix_a, 8, 8, 4, double, row_major>;
using MatrixB = fragment<matrix_b, 8, 8, 4, double, col_major>;
using Accumulator = fragment<accumulator, 8, 8, 4, double>;

SIMT_ALWAYS_INLINE unsigned laneOfThread() {
  return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32;
}

SIMT_ALWAYS_INLINE void fill_fragment(Accumulator& c, double value) { c.x[0] = c.x[1] = value; }

SIMT_ALWAYS_INLINE void load_matrix_sync(MatrixA& a, const double* matrix, unsigned pitch) {
  a.x[0] = matrix[laneOfThread() / 4 * pitch + laneOfThread() % 4];
}

SIMT_ALWAYS_INLINE void load_matrix_sync(MatrixB& b, const double* matrix, unsigned pitch) {
  b.x[0] = matrix[laneOfThread() / 4 * pitch + laneOfThread() % 4];
}

// d = a * b + c
SIMT_ALWAYS_INLINE void mma_sync(Accumulator& d, const MatrixA& a, const MatrixB& b,
                                 const Accumulator& c) {
  const int row = int(laneOfThread() / 4), column = int(laneOfThread() % 4 * 2);
  double sum[2] = {c.x[0], c.x[1]};
  for (int k = 0; k < 4; ++k) {
    const double left = __shfl_sync(0xffffffffu, a.x[0], row * 4 + k);
    for (int i = 0; i < 2; ++i)
      sum[i] += left * __shfl_sync(0xffffffffu, b.x[0], (column + i) * 4 + k);
  }
  d.x[0] = sum[0];
  d.x[1] = sum[1];
}

SIMT_ALWAYS_INLINE void store_matrix_sync(double* matrix, const Accumulator& c, unsigned pitch,
                                          layout_t) {
  double* const mine = matrix + laneOfThread() / 4 * pitch + laneOfThread() % 4 * 2;
  mine[0] = c.x[0];
  mine[1] = c.x[1];
}

}  // namespace nvcuda::wmma
