// Lesson 09, further: reductions that come next, each in a few lines, of a matrix of floats that
// stands in memory row after row: where its smallest element is, its mean and variance, and the sum
// of every row and of every column.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../../08_shuffle/block_sum.cuh"
#include "../../08_shuffle/vectors.cuh"
#include "../bf16_rows/row_reductions.cuh"

// Hands a thread its elements from the first to the last, each with its place in the array: four
// 16-byte loads in flight, in a grid-stride loop, as lesson 08's single pass.
template <typename Take>
__device__ void eachElement(const float* data, size_t n, const Take& take) {
  const Vectors<float> vectors(data, n);
  const size_t round = 4 * blockDim.x, t = threadIdx.x;
  if (blockIdx.x == 0 && t < vectors.countBefore) take(vectors.before[t], t);
  for (size_t begin = blockIdx.x * round; begin < vectors.count; begin += gridDim.x * round) {
    const bool whole = begin + round <= vectors.count;
    float4 v[4];
    vectors.load(v, begin + t, whole, 0);
    for (unsigned k = 0; k < 4; ++k) {
      const size_t at = begin + t + k * blockDim.x, i = vectors.countBefore + 4 * at;
      if (!whole && at >= vectors.count) break;
      take(v[k].x, i), take(v[k].y, i + 1), take(v[k].z, i + 2), take(v[k].w, i + 3);
    }
  }
  if (blockIdx.x == 0 && t < vectors.countAfter) take(vectors.after[t], n - vectors.countAfter + t);
}

// ---- Where the smallest element is, and of equal ones the first

// What a thread has found so far. A later element must be smaller. -0 equals 0, and a NaN counts as
// infinity. Places are below 2^32 - 1.
struct Smallest {
  static constexpr unsigned nowhere = 0xffffffff;
  float value = INFINITY;
  unsigned place = nowhere;
  __device__ void take(float x, size_t i) {
    if (x < value || place == nowhere) place = unsigned(i);
    value = fminf(value, x);
  }
  // Both in one word: the larger word has the smaller element, or the same one further ahead, so a
  // maximum of words is all that is left, and ties are decided alike in every run. 0 for nothing.
  __device__ unsigned long long word() const {
    const unsigned bits = __float_as_uint(value + 0.0f);  // those of 0 for -0, too
    const unsigned rising = bits & 0x80000000 ? ~bits : bits | 0x80000000;
    return place == nowhere ? 0 : ~(static_cast<unsigned long long>(rising) << 32 | place);
  }
};

__device__ inline unsigned long long warpMost(unsigned long long most) {
  for (unsigned delta = 16; delta > 0; delta /= 2)
    most = max(most, __shfl_down_sync(allLanes, most, delta));
  return most;
}

// *smallest is 0 before the launch, and stays 0 for no elements.
__global__ void __launch_bounds__(512)
    argmin(const float* data, size_t n, unsigned long long* smallest) {
  __shared__ unsigned long long ofWarps[32];
  Smallest own;
  eachElement(data, n, [&](float x, size_t i) { own.take(x, i); });
  unsigned long long most = warpMost(own.word());
  if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32] = most;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  most = warpMost(threadIdx.x < blockDim.x / 32 ? ofWarps[threadIdx.x] : 0);
  if (threadIdx.x == 0) atomicMax(smallest, most);
}

// ---- Mean and variance

// Welford's: the mean so far, and the squared differences from it. Nothing large is added up of
// which a small difference would have to be left, as with sums of x and of x².
struct Welford {
  float count = 0, mean = 0, squares = 0;
  __device__ void take(float x) {
    count += 1;
    const float apart = x - mean;
    mean += apart / count;
    squares += apart * (x - mean);
  }
};

// A part for each block; parts are joined by Chan's formula (Moments::join).
__global__ void __launch_bounds__(512) moments(const float* data, size_t n, Moments* parts) {
  Welford own;
  eachElement(data, n, [&](float x, size_t) { own.take(x); });
  const Moments part = joinBlock(Moments{own.count, own.mean, own.squares});
  if (threadIdx.x == 0) parts[blockIdx.x] = part;
}

// One block. The parts are joined in their order, so the result is the same in every run.
__global__ void joinMoments(const Moments* parts, unsigned count, float2* result) {
  Moments part = Moments::none();
  for (unsigned k = threadIdx.x; k < count; k += blockDim.x) part.join(parts[k]);
  part = joinBlock(part);
  if (threadIdx.x == 0) *result = part.result();
}

// ---- The sum of every row (axis 1)

// A thread for each row: neighbours read elements that lie a row apart.
__global__ void rowPerThread(const float* matrix, float* sums, size_t rows, size_t columns) {
  const size_t row = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (size_t c = 0; c < columns; ++c) sum += matrix[row * columns + c];
  sums[row] = sum;
}

// Adds up count elements that are so far apart, with eight loads in flight.
__device__ inline float sumOf(const float* first, size_t count, size_t apart) {
  float sum = 0;
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    float x[8];
    for (unsigned k = 0; k < 8; ++k) x[k] = first[(i + k) * apart];
    for (unsigned k = 0; k < 8; ++k) sum += x[k];
  }
  for (; i < count; ++i) sum += first[i * apart];
  return sum;
}

// What one of so many neighbouring threads adds up of a row.
__device__ inline float partOfRow(const float* row, size_t columns, unsigned t, unsigned threads) {
  return t < columns ? sumOf(row + t, (columns - t + threads - 1) / threads, threads) : 0;
}

// Changed since rowPerThread: a warp for each row, so that neighbours read neighbours.
__global__ void rowPerWarp(const float* matrix, float* sums, size_t rows, size_t columns) {
  const size_t row = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  const float sum = warpSum(partOfRow(matrix + row * columns, columns, threadIdx.x % 32, 32));
  if (threadIdx.x % 32 == 0) sums[row] = sum;
}

// The same in the words of cooperative groups: the tile knows its lanes, and reduce() how to join
// them. Of 32-bit integers it would be __reduce_add_sync.
__global__ void rowPerTile(const float* matrix, float* sums, size_t rows, size_t columns) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const size_t row = size_t(blockIdx.x) * tile.meta_group_size() + tile.meta_group_rank();
  if (row >= rows) return;
  const float part = partOfRow(matrix + row * columns, columns, tile.thread_rank(), 32);
  const float sum = cg::reduce(tile, part, cg::plus<float>());
  if (tile.thread_rank() == 0) sums[row] = sum;
}

// Changed since rowPerWarp: a block for each row, for long ones of which there are few.
__global__ void rowPerBlock(const float* matrix, float* sums, size_t, size_t columns) {
  const float* const row = matrix + blockIdx.x * columns;
  const float sum = blockSum(partOfRow(row, columns, threadIdx.x, blockDim.x));
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// ---- The sum of every column (axis 0)

// A thread for each column: neighbours read neighbours, but there are only so many columns.
__global__ void columnPerThread(const float* matrix, float* sums, size_t rows, size_t columns) {
  const size_t column = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  sums[column] = sumOf(matrix + column, rows, columns);
}

// Changed since columnPerThread: blocks of 32 × 8 threads for 32 columns and a slice of the rows,
// so that there are as many threads as the GPU wants. Each slice leaves a row of sums, a smaller
// matrix for a second launch, with one slice.
__global__ void columnSlices(const float* matrix, float* sums, size_t rows, size_t columns,
                             size_t rowsOfSlice) {
  __shared__ float partial[8][32];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const size_t column = size_t(blockIdx.x) * 32 + x;
  const size_t begin = blockIdx.y * rowsOfSlice, end = min(rows, begin + rowsOfSlice);
  float sum = 0;
  if (column < columns && begin + y < end)
    sum = sumOf(matrix + (begin + y) * columns + column, (end - begin - y + 7) / 8, 8 * columns);
  partial[y][x] = sum;
  __syncthreads();
  if (y > 0 || column >= columns) return;
  for (unsigned k = 1; k < 8; ++k) sum += partial[k][x];
  sums[blockIdx.y * columns + column] = sum;
}
