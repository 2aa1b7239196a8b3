// Lesson 09: the mean of every row of a batch of matrices, and a fixed matrix times these means.
//
// rows × columns doubles for each of the batch's entries, and one matrix of rows × rows:
//     mean[entry][row] = the mean of matrices[entry][row][…]
//     result[row][entry] = the sum over k of matrix[row][k] * mean[entry][k]
// All arrays are dense, the last index runs fastest. Kernels keep the means in global memory.
#pragma once

#include "../08_shuffle/shuffle.cuh"  // warpSum
#include "cpu_mean_matvec.h"          // Sizes
#include "kernel.h"

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

// Changed since blockPerEntry: the means by warps, so that loads are coalesced.
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

// ---- Version 5: the products of many entries are one product of two matrices. Two kernels.

// A warp for each row of all the entries from first to last.
__global__ void rowMeansPlain(const double* matrices, double* means, unsigned first, unsigned last,
                              Sizes s) {
  const size_t row = size_t(first) * s.rows + (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (row >= size_t(last) * s.rows) return;
  const double sum = rowSum(matrices + row * s.columns, s.columns);
  if (threadIdx.x % 32 == 0) means[row] = sum / s.columns;
}

// Changed since rowMeansPlain: __ldcs says that an element is read once, so L2 gives it up first.
// The means, a thousandth of the bytes, then stay in L2 until the product reads them, and are not
// written to memory while the input streams past.
__global__ void rowMeans(const double* matrices, double* means, unsigned first, unsigned last,
                         Sizes s) {
  const size_t row = size_t(first) * s.rows + (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (row >= size_t(last) * s.rows) return;
  const double* const elements = matrices + row * s.columns;
  double sum = 0;
  for (unsigned i = threadIdx.x % 32; i < s.columns; i += 8 * 32) {
    double v[8];
    for (unsigned k = 0; k < 8; ++k)
      v[k] = i + 32 * k < s.columns ? __ldcs(elements + i + 32 * k) : 0;
    for (unsigned k = 0; k < 8; ++k) sum += v[k];
  }
  sum = warpSum(sum);
  if (threadIdx.x % 32 == 0) means[row] = sum / s.columns;
}

// A tile of the result, 16 * each rows by as many entries, by 256 threads with each × each values.
// Both factors pass through shared memory, depth columns at a time, so an element that is loaded
// once serves 16 * each products. The next piece is on its way while this one is multiplied.
template <unsigned each, unsigned depth>
__global__ void __launch_bounds__(256)
    productTiles(const double* matrix, const double* means, double* result, unsigned first,
                 unsigned last, Sizes s) {
  constexpr unsigned side = 16 * each, loads = side * depth / 256;
  constexpr unsigned chains = each == 1 ? 4 : 1;  // independent sums, where there is but one value
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

  double sum[chains][each][each] = {};
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
        for (unsigned j = 0; j < each; ++j)
          sum[d % chains][i][j] += a[d][y + 16 * i] * b[d][x + 16 * j];
    __syncthreads();
  }

  for (unsigned i = 0; i < each; ++i) {
    for (unsigned j = 0; j < each; ++j) {
      double total = 0;
      for (unsigned c = 0; c < chains; ++c) total += sum[c][i][j];
      const unsigned r = row + y + 16 * i, e = entry + x + 16 * j;
      if (r < s.rows && e < last) result[size_t(r) * s.batch + e] = total;
    }
  }
}
