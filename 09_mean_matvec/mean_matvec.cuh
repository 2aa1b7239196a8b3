// Lesson 09: the mean of every row of a batch of matrices, and a fixed matrix times these means.
//
// rows × columns doubles for each of the batch's entries, and one matrix of rows × rows:
//     mean[entry][row] = the mean of matrices[entry][row][…]
//     result[row][entry] = the sum over k of matrix[row][k] * mean[entry][k]
// All arrays are dense, the last index runs fastest. Kernels keep the means in global memory.
#pragma once

#include <mma.h>

#include "../08_shuffle/block_sum.cuh"
#include "cpu_mean_matvec.h"  // Sizes
#include "cuda/kernel.h"

// ---- Version 1 and 2: a thread adds up a row, a block adds up a product.

// The means of one entry's rows, a thread for each row: neighbouring threads read elements that are
// a whole row apart.
__device__ inline void meansByThreads(const double* entry, double* means, Sizes s) {
  for (unsigned row = threadIdx.x; row < s.rows; row += blockDim.x) {
    double sum = 0;
    for (unsigned i = 0; i < s.columns; ++i) sum += entry[size_t(row) * s.columns + i];
    means[row] = sum / s.columns;
  }
}

// The matrix times one entry's means: for each row the block multiplies, and adds up in a tree in
// shared memory as in lesson 04. The block size is a power of two.
__device__ inline void productByBlock(const double* matrix, const double* means, double* result,
                                      Sizes s) {
  __shared__ double partial[1024];
  const unsigned t = threadIdx.x;
  for (unsigned row = 0; row < s.rows; ++row) {
    double sum = 0;
    for (unsigned k = t; k < s.rows; k += blockDim.x)
      sum += matrix[size_t(row) * s.rows + k] * means[k];
    partial[t] = sum;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
      if (t < stride) partial[t] += partial[t + stride];
      __syncthreads();
    }
    if (t == 0) result[size_t(row) * s.batch] = partial[0];
  }
}

// One block does the whole batch, an entry after the other.
__global__ void oneBlock(const double* matrices, const double* matrix, double* means,
                         double* result, Sizes s) {
  for (unsigned entry = 0; entry < s.batch; ++entry) {
    double* const mean = means + size_t(entry) * s.rows;
    meansByThreads(matrices + size_t(entry) * s.rows * s.columns, mean, s);
    __syncthreads();
    productByBlock(matrix, mean, result + entry, s);
  }
}

// Changed since oneBlock: a block for each entry.
__global__ void blockPerEntry(const double* matrices, const double* matrix, double* means,
                              double* result, Sizes s) {
  const unsigned entry = blockIdx.x;
  double* const mean = means + size_t(entry) * s.rows;
  meansByThreads(matrices + size_t(entry) * s.rows * s.columns, mean, s);
  __syncthreads();
  productByBlock(matrix, mean, result + entry, s);
}

// ---- Version 3: a warp adds up a row.

// The sum of count elements by a warp, in lane 0: neighbouring lanes read neighbouring elements,
// with eight loads in flight for each lane.
__device__ inline double rowSum(const double* row, unsigned count) {
  double sum = 0;
  for (unsigned i = threadIdx.x % 32; i < count; i += 8 * 32) {
    double v[8];
    for (unsigned k = 0; k < 8; ++k) v[k] = i + 32 * k < count ? row[i + 32 * k] : 0;
    for (unsigned k = 0; k < 8; ++k) sum += v[k];
  }
  return warpSum(sum);
}

__device__ inline void meansByWarps(const double* entry, double* means, Sizes s) {
  for (unsigned row = threadIdx.x / 32; row < s.rows; row += blockDim.x / 32) {
    const double sum = rowSum(entry + size_t(row) * s.columns, s.columns);
    if (threadIdx.x % 32 == 0) means[row] = sum / s.columns;
  }
}

// Changed since blockPerEntry: the means by warps, so that loads are coalesced, and eight of them
// in flight for each lane.
__global__ void warpPerRow(const double* matrices, const double* matrix, double* means,
                           double* result, Sizes s) {
  const unsigned entry = blockIdx.x;
  double* const mean = means + size_t(entry) * s.rows;
  meansByWarps(matrices + size_t(entry) * s.rows * s.columns, mean, s);
  __syncthreads();
  productByBlock(matrix, mean, result + entry, s);
}

// ---- Version 4: a warp adds up a product, too, and no barrier is left in it.

__device__ inline void productByWarps(const double* matrix, const double* means, double* result,
                                      Sizes s) {
  for (unsigned row = threadIdx.x / 32; row < s.rows; row += blockDim.x / 32) {
    double sum = 0;
    for (unsigned k = threadIdx.x % 32; k < s.rows; k += 32)
      sum += matrix[size_t(row) * s.rows + k] * means[k];
    sum = warpSum(sum);
    if (threadIdx.x % 32 == 0) result[size_t(row) * s.batch] = sum;
  }
}

// Changed since warpPerRow: the product by warps.
__global__ void warpPerProduct(const double* matrices, const double* matrix, double* means,
                               double* result, Sizes s) {
  const unsigned entry = blockIdx.x;
  double* const mean = means + size_t(entry) * s.rows;
  meansByWarps(matrices + size_t(entry) * s.rows * s.columns, mean, s);
  __syncthreads();
  productByWarps(matrix, mean, result + entry, s);
}

// ---- Version 5: the products of many entries are one product of two matrices. Two kernels: the
// means of the entries from first to last, and the products of these means.

// A warp for each row. lanes below 32: as many lanes for a row, and several rows for a warp, so
// that short rows keep all lanes busy; the shuffles then stay within their group.
//
// __ldcs says that an element is read once, so L2 gives it up first. The means, a small part of the
// bytes, then stay in L2 until the product reads them, and are not written to memory while the
// input streams past. evictFirst false leaves that out, for comparison.
template <unsigned lanes, bool evictFirst>
__global__ void __launch_bounds__(512)
    rowMeans(const double* matrices, double* means, unsigned first, unsigned last, Sizes s) {
  const size_t group = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / lanes;
  const size_t row = size_t(first) * s.rows + group;
  const unsigned lane = threadIdx.x % lanes;
  const bool exists = row < size_t(last) * s.rows;
  const unsigned count = exists ? s.columns : 0;
  const double* const elements = matrices + row * s.columns;

  double sum = 0;
  for (unsigned i = lane; i < count; i += 8 * lanes) {
    double v[8];
    for (unsigned k = 0; k < 8; ++k) {
      const unsigned column = i + lanes * k;
      v[k] = column >= count ? 0 : evictFirst ? __ldcs(elements + column) : elements[column];
    }
    for (unsigned k = 0; k < 8; ++k) sum += v[k];
  }
  for (unsigned delta = lanes / 2; delta > 0; delta /= 2)
    sum += __shfl_down_sync(allLanes, sum, delta, lanes);
  if (lane == 0 && exists) means[row] = sum / s.columns;
}

// A tile of the result, 16 * each rows by as many entries, by 256 threads with each × each values.
// Both factors pass through shared memory, depth columns at a time, so an element that is loaded
// once serves 16 * each products. The next piece is on its way while this one is multiplied.
template <unsigned each, unsigned depth>
__global__ void __launch_bounds__(256)
    productTiles(const double* matrix, const double* means, double* result, unsigned first,
                 unsigned last, Sizes s) {
  constexpr unsigned side = 16 * each, loads = side * depth / 256;
  __shared__ double a[depth][side + 1], b[depth][side + 1];  // + 1: no bank conflicts
  const unsigned t = threadIdx.x, x = t % 16, y = t / 16;
  const unsigned row = blockIdx.y * side, entry = first + blockIdx.x * side;

  double nextA[loads], nextB[loads];
  const auto load = [&](unsigned k) {
    for (unsigned j = 0; j < loads; ++j) {
      const unsigned i = (t + 256 * j) / depth, column = k + (t + 256 * j) % depth;
      const bool inside = column < s.rows;
      nextA[j] = inside && row + i < s.rows ? matrix[size_t(row + i) * s.rows + column] : 0;
      nextB[j] = inside && entry + i < last ? means[size_t(entry + i) * s.rows + column] : 0;
    }
  };

  double sum[each][each] = {};
  load(0);
  for (unsigned k = 0; k < s.rows; k += depth) {
    for (unsigned j = 0; j < loads; ++j) {
      a[(t + 256 * j) % depth][(t + 256 * j) / depth] = nextA[j];
      b[(t + 256 * j) % depth][(t + 256 * j) / depth] = nextB[j];
    }
    __syncthreads();
    if (k + depth < s.rows) load(k + depth);
#pragma unroll
    for (unsigned d = 0; d < depth; ++d)
      for (unsigned i = 0; i < each; ++i)
        for (unsigned j = 0; j < each; ++j) sum[i][j] += a[d][y + 16 * i] * b[d][x + 16 * j];
    __syncthreads();
  }

  for (unsigned i = 0; i < each; ++i) {
    for (unsigned j = 0; j < each; ++j) {
      const unsigned r = row + y + 16 * i, e = entry + x + 16 * j;
      if (r < s.rows && e < last) result[size_t(r) * s.batch + e] = sum[i][j];
    }
  }
}

// Changed since productTiles: the tensor cores multiply. A warp holds a fragment of each factor, 8
// × 4 and 4 × 8 doubles, an element for each lane, and one instruction adds their product to 8 × 8
// sums. (Ampere and later; before, the kernel does nothing.)
template <unsigned each, unsigned depth>
__global__ void __launch_bounds__(128)
    productTensor(const double* matrix, const double* means, double* result, unsigned first,
                  unsigned last, Sizes s) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  namespace wmma = nvcuda::wmma;
  constexpr unsigned side = 16 * each, loads = side * depth / 128;
  constexpr unsigned pitch = depth + 4;  // + 4: fewer bank conflicts
  alignas(32) __shared__ double a[side][pitch], b[side][pitch], c[side][side + 4];
  const unsigned t = threadIdx.x, warp = t / 32;
  const unsigned top = warp / 2 * 8 * each, left = warp % 2 * 8 * each;  // of the warp's part
  const unsigned row = blockIdx.y * side, entry = first + blockIdx.x * side;

  double nextA[loads], nextB[loads];
  const auto load = [&](unsigned k) {
    for (unsigned j = 0; j < loads; ++j) {
      const unsigned i = (t + 128 * j) / depth, column = k + (t + 128 * j) % depth;
      const bool inside = column < s.rows;
      nextA[j] = inside && row + i < s.rows ? matrix[size_t(row + i) * s.rows + column] : 0;
      nextB[j] = inside && entry + i < last ? means[size_t(entry + i) * s.rows + column] : 0;
    }
  };

  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum[each][each];
  for (unsigned i = 0; i < each; ++i)
    for (unsigned j = 0; j < each; ++j) wmma::fill_fragment(sum[i][j], 0);
  load(0);
  for (unsigned k = 0; k < s.rows; k += depth) {
    for (unsigned j = 0; j < loads; ++j) {
      a[(t + 128 * j) / depth][(t + 128 * j) % depth] = nextA[j];
      b[(t + 128 * j) / depth][(t + 128 * j) % depth] = nextB[j];
    }
    __syncthreads();
    if (k + depth < s.rows) load(k + depth);
#pragma unroll
    for (unsigned d = 0; d < depth; d += 4) {
      wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> x[each];
      wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> y[each];
      for (unsigned i = 0; i < each; ++i) {
        wmma::load_matrix_sync(x[i], &a[top + 8 * i][d], pitch);
        wmma::load_matrix_sync(y[i], &b[left + 8 * i][d], pitch);
      }
      for (unsigned i = 0; i < each; ++i)
        for (unsigned j = 0; j < each; ++j) wmma::mma_sync(sum[i][j], x[i], y[j], sum[i][j]);
    }
    __syncthreads();
  }

  for (unsigned i = 0; i < each; ++i)
    for (unsigned j = 0; j < each; ++j)
      wmma::store_matrix_sync(&c[top + 8 * i][left + 8 * j], sum[i][j], side + 4,
                              wmma::mem_row_major);
  __syncthreads();
  for (unsigned i = t; i < side * side; i += 128) {
    const unsigned r = row + i / side, e = entry + i % side;
    if (r < s.rows && e < last) result[size_t(r) * s.batch + e] = c[i / side][i % side];
  }
#endif
}
