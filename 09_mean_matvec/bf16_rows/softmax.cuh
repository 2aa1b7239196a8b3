// Lesson 09, further: the softmax of every row of a matrix of bfloat16, written out: exp(element -
// largest) / sum, where the sum is that of all exp(element - largest) of the row.
//
// What an element becomes depends on the whole row. So a row is read once and waits in registers,
// those of a few lanes, of a block, or of several blocks that wait for each other; or it is read
// twice.
#pragma once

#include "row_reductions.cuh"

// ---- What a part of a row is in: whole vectors of eight from `first` on, and fewer than eight
// elements before them and behind them.
struct PartOfRow {
  size_t begin, first, last, end;
  __device__ PartOfRow(size_t begin_, size_t end_)
      : begin(begin_),
        first(min(end_, (begin_ + 7) / 8 * 8)),
        last(max(first, end_ / 8 * 8)),
        end(end_) {}
  __device__ unsigned vectors() const { return unsigned((last - first) / 8); }
};

// An element, or eight of them, of a row whose largest and sum are known. One exponential does
// both: what is divided by is a power of two as well.
struct Softmax {
  float largest, logOfSum;
  __device__ explicit Softmax(SoftmaxSum row) : largest(row.largest), logOfSum(log2f(row.sum)) {}
  __device__ float operator()(float x) const {
    return exp2f((x - largest) * 1.44269504f - logOfSum);
  }
  __device__ __nv_bfloat16 operator()(__nv_bfloat16 x) const {
    return __float2bfloat16_rn((*this)(__bfloat162float(x)));
  }
  __device__ uint4 operator()(uint4 v) const {
    float x[8];
    toFloats(x, v);
    for (float& element : x) element = (*this)(element);
    return toVector(x);
  }
  __device__ static uint4 toVector(const float (&x)[8]) {
    unsigned words[4];
    for (unsigned k = 0; k < 4; ++k) {
      const __nv_bfloat162 pair = __floats2bfloat162_rn(x[2 * k], x[2 * k + 1]);
      words[k] = __bfloat16_as_ushort(pair.x) | unsigned(__bfloat16_as_ushort(pair.y)) << 16;
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
  }
};

// ---- A part of a row that its threads keep, each up to so many vectors.
template <unsigned most>
struct Kept {
  uint4 v[most];

  // Reads it, and gives what is known of this thread's elements. `lanes` of the threads, or the
  // first eight, have the ends.
  template <unsigned lanes>
  __device__ SoftmaxSum read(const __nv_bfloat16* data, PartOfRow row, unsigned thread,
                             unsigned threads) {
    const uint4* const vectors = reinterpret_cast<const uint4*>(data) + row.first / 8;
    const unsigned count = row.vectors();
    SoftmaxSum part = SoftmaxSum::none();
    for (unsigned k = 0; k < most; ++k)
      if (thread + k * threads < count) v[k] = vectors[thread + k * threads];
    for (unsigned k = 0; k < most; ++k) {
      if (thread + k * threads >= count) break;
      float x[8];
      toFloats(x, v[k]);
      part.take(x, 0);
    }
    if (lanes <= 8 || thread < 8)
      takeEnds<SoftmaxSum, lanes>(part, data, row.begin, row.first, row.last, row.end, thread, 0);
    return part;
  }

  // Writes what its elements become. The ends are read again.
  template <unsigned lanes>
  __device__ void write(__nv_bfloat16* out, const __nv_bfloat16* data, PartOfRow row,
                        Softmax softmax, unsigned thread, unsigned threads) const {
    uint4* const vectors = reinterpret_cast<uint4*>(out) + row.first / 8;
    const unsigned count = row.vectors();
    for (unsigned k = 0; k < most; ++k)
      if (thread + k * threads < count) vectors[thread + k * threads] = softmax(v[k]);
    if (lanes > 8 && thread >= 8) return;
    for (size_t i = row.begin + thread; i < row.first; i += lanes) out[i] = softmax(data[i]);
    for (size_t i = row.last + thread; i < row.end; i += lanes) out[i] = softmax(data[i]);
  }
};

// ---- Short rows: as many lanes for each as it has work for.
constexpr unsigned keptByLanes = 4;

template <unsigned lanes>
__global__ void __launch_bounds__(256) softmaxByLanes(Rows rows, __nv_bfloat16* out) {
  const size_t index = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / lanes;
  const bool exists = index < rows.count;
  const size_t begin = exists ? index * rows.length : 0;
  const PartOfRow row(begin, exists ? begin + rows.length : 0);
  const unsigned lane = threadIdx.x % lanes;
  Kept<keptByLanes> kept;
  SoftmaxSum sum = kept.template read<lanes>(rows.data, row, lane, lanes);
  sum = joinLanes<SoftmaxSum, lanes>(sum);
  sum = {__shfl_sync(0xffffffff, sum.largest, 0, lanes),
         __shfl_sync(0xffffffff, sum.sum, 0, lanes)};
  kept.template write<lanes>(out, rows.data, row, Softmax(sum), lane, lanes);
}

// ---- Long rows: a block for each, or several, each of which needs what the others find, and waits
// for it. That all of them are on the GPU at once a cooperative launch promises. They take row
// after row. blocksDone has a counter for each row, 0 before the first launch and after every one:
// each block counts itself when it has left its part, and when it needs the counter no more.
constexpr unsigned keptByBlocks = 8;

__global__ void __launch_bounds__(512, 2)
    softmaxByBlocks(Rows rows, __nv_bfloat16* out, unsigned blocksPerRow, SoftmaxSum* parts,
                    unsigned* blocksDone) {
  __shared__ SoftmaxSum ofRow;
  const size_t first = blockIdx.x / blocksPerRow, atATime = gridDim.x / blocksPerRow;
  const unsigned block = blockIdx.x % blocksPerRow;
  for (size_t index = first; index < rows.count; index += atATime) {
    const size_t begin = index * rows.length, end = begin + rows.length;
    const size_t share = ((end - begin / 8 * 8 + 7) / 8 + blocksPerRow - 1) / blocksPerRow * 8;
    const size_t from = begin / 8 * 8 + block * share;
    const PartOfRow row(max(begin, from), min(end, from + share));
    Kept<keptByBlocks> kept;
    SoftmaxSum sum = kept.read<32>(rows.data, row, threadIdx.x, blockDim.x);
    sum = joinBlock(sum);
    if (blocksPerRow > 1) {
      if (threadIdx.x == 0) {
        parts[index * blocksPerRow + block] = sum;
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> done(blocksDone[index]);
        done.fetch_add(1, cuda::memory_order_release);
        while (done.load(cuda::memory_order_acquire) < blocksPerRow) {
        }
      }
      __syncthreads();
      sum = SoftmaxSum::none();
      for (unsigned k = threadIdx.x; k < blocksPerRow; k += blockDim.x)
        sum.join(parts[index * blocksPerRow + k]);
      sum = joinBlock(sum);
    }
    if (threadIdx.x == 0) ofRow = sum;
    __syncthreads();
    kept.write<32>(out, rows.data, row, Softmax(ofRow), threadIdx.x, blockDim.x);
    if (blocksPerRow > 1 && threadIdx.x == 0)
      atomicInc(&blocksDone[index], 2 * blocksPerRow - 1);  // the last of them makes it 0
  }
}

// ---- The second read of those that are read twice: the first one has left the largest and the sum
// of each row. Here the matrix is one long array, in which a vector may belong to two rows or more.
__global__ void __launch_bounds__(256)
    softmaxFromSums(Rows rows, const float2* sums, __nv_bfloat16* out) {
  const size_t n = rows.count * rows.length, vectors = n / 8;
  const size_t begin = size_t(blockIdx.x) * 4 * blockDim.x + threadIdx.x;
  uint4 v[4];
  for (unsigned k = 0; k < 4; ++k)
    if (begin + k * blockDim.x < vectors)
      v[k] = reinterpret_cast<const uint4*>(rows.data)[begin + k * blockDim.x];
  for (unsigned k = 0; k < 4; ++k) {
    const size_t i = begin + k * blockDim.x;
    if (i > vectors) break;
    size_t row = min(8 * i / rows.length, rows.count - 1);
    size_t end = (row + 1) * rows.length;
    Softmax softmax({sums[row].x, sums[row].y});
    if (i < vectors && 8 * i + 8 <= end) {
      reinterpret_cast<uint4*>(out)[i] = softmax(v[k]);
      continue;
    }
    for (size_t element = 8 * i; element < min(n, 8 * i + 8); ++element) {
      if (element == end) {
        ++row;
        end += rows.length;
        softmax = Softmax({sums[row].x, sums[row].y});
      }
      out[element] = softmax(rows.data[element]);
    }
  }
}
