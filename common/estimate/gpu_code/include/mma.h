// Fragments of matrices, for the GPU compiler: of doubles, by the instructions that there are.
#pragma once

#include "simt/device/cuda.h"

namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

template <typename Use, int m, int n, int k, typename T, typename Layout = void>
struct fragment;
template <>
struct fragment<matrix_a, 8, 8, 4, double, row_major> {
  static constexpr int num_elements = 1;
  double x[1];
};
template <>
struct fragment<matrix_b, 8, 8, 4, double, col_major> {
  static constexpr int num_elements = 1;
  double x[1];
};
template <>
struct fragment<accumulator, 8, 8, 4, double> {
  static constexpr int num_elements = 2;
  double x[2];
};
using MatrixA = fragment<matrix_a, 8, 8, 4, double, row_major>;
using MatrixB = fragment<matrix_b, 8, 8, 4, double, col_major>;
using Accumulator = fragment<accumulator, 8, 8, 4, double>;

SIMT_DEVICE void fill_fragment(Accumulator& c, double value) { c.x[0] = c.x[1] = value; }
SIMT_DEVICE void load_matrix_sync(MatrixA& a, const double* matrix, unsigned pitch) {
  __dmma_m8n8k4_ld_a(a.x, matrix, pitch, 0);
}
SIMT_DEVICE void load_matrix_sync(MatrixB& b, const double* matrix, unsigned pitch) {
  __dmma_m8n8k4_ld_b(b.x, matrix, pitch, 1);
}
SIMT_DEVICE void mma_sync(Accumulator& d, const MatrixA& a, const MatrixB& b,
                          const Accumulator& c) {
  __dmma_m8n8k4_mma_f64(d.x, a.x, b.x, c.x, 1, 0);
}
SIMT_DEVICE void store_matrix_sync(double* matrix, const Accumulator& c, unsigned pitch, layout_t) {
  __dmma_m8n8k4_st_c_f64(matrix, c.x, pitch, 0);
}

}  // namespace nvcuda::wmma
