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

  // Asks for it. Whoever needs the values waits, not this.
  __device__ void load(const __nv_bfloat16* data, PartOfRow row, unsigned thread,
                       unsigned threads) {
    const uint4* const vectors = reinterpret_cast<const uint4*>(data) + row.first / 8;
    for (unsigned k = 0; k < most; ++k)
      if (thread + k * threads < row.vectors()) v[k] = vectors[thread + k * threads];
  }

  // What is known of this thread's elements. `lanes` of the threads, or the first eight, have the
  // ends.
  template <unsigned lanes>
  __device__ SoftmaxSum sum(const __nv_bfloat16* data, PartOfRow row, unsigned thread,
                            unsigned threads) const {
    SoftmaxSum::OfThread part;
    for (unsigned k = 0; k < most; ++k) {
      if (thread + k * threads >= row.vectors()) break;
      float x[8];
      toFloats(x, v[k]);
      part.take(x);
    }
    if (lanes <= 8 || thread < 8)
      takeEnds<lanes>(part, data, row.begin, row.first, row.last, row.end, thread);
    return part;
  }

  // Writes what its elements become. The ends are read again.
  template <unsigned lanes>
  __device__ void write(__nv_bfloat16* out, const __nv_bfloat16* data, PartOfRow row,
                        Softmax softmax, unsigned thread, unsigned threads) const {
    uint4* const vectors = reinterpret_cast<uint4*>(out) + row.first / 8;
    for (unsigned k = 0; k < most; ++k)
      if (thread + k * threads < row.vectors()) vectors[thread + k * threads] = softmax(v[k]);
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
  kept.load(rows.data, row, lane, lanes);
  SoftmaxSum sum = kept.template sum<lanes>(rows.data, row, lane, lanes);
  sum = joinLanes<SoftmaxSum, lanes>(sum);
  sum = {__shfl_sync(0xffffffff, sum.largest, 0, lanes),
         __shfl_sync(0xffffffff, sum.sum, 0, lanes)};
  kept.template write<lanes>(out, rows.data, row, Softmax(sum), lane, lanes);
}

// ---- Longer rows: a block for each.
constexpr unsigned keptByBlock = 5;

__global__ void __launch_bounds__(256, 5) softmaxByBlock(Rows rows, __nv_bfloat16* out) {
  __shared__ SoftmaxSum ofRow;
  const size_t begin = blockIdx.x * rows.length;
  const PartOfRow row(begin, begin + rows.length);
  Kept<keptByBlock> kept;
  kept.load(rows.data, row, threadIdx.x, blockDim.x);
  const SoftmaxSum sum = joinBlock(kept.sum<32>(rows.data, row, threadIdx.x, blockDim.x));
  if (threadIdx.x == 0) ofRow = sum;
  __syncthreads();
  kept.write<32>(out, rows.data, row, Softmax(ofRow), threadIdx.x, blockDim.x);
}

// ---- A place where a block leaves its part of a row for the others: two floats in a word of 64
// bits, which is seen as a whole or not at all, so that nothing else has to be ordered. 0 stands
// for what is not there yet, and for no part: the sum is at least 1, or the largest is -FLT_MAX.
struct PlaceOfPart {
  unsigned long long word;
  using Word = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
  __device__ void leave(SoftmaxSum part) {
    const unsigned long long largest = __float_as_uint(part.largest);
    Word(word).store(largest << 32 | __float_as_uint(part.sum), cuda::memory_order_relaxed);
  }
  __device__ SoftmaxSum waitFor() {
    unsigned long long bits = 0;
    while (bits == 0) bits = Word(word).load(cuda::memory_order_relaxed);
    return {__uint_as_float(unsigned(bits >> 32)), __uint_as_float(unsigned(bits))};
  }
};

// The part of a row that one of so many blocks has: whole vectors, but for the ends of the row.
__device__ inline PartOfRow partOfBlock(Rows rows, size_t index, unsigned block, unsigned blocks) {
  const size_t begin = index * rows.length, end = begin + rows.length, from = begin / 8 * 8;
  const size_t share = ((end - from + 7) / 8 + blocks - 1) / blocks * 8;
  return {max(begin, from + block * share), min(end, from + (block + 1) * share)};
}

// ---- Long rows: several blocks for each. Each of them needs what the others find, and waits for
// it: that all are on the GPU at once a cooperative launch promises. They go from row to row. parts
// has a place for each block of each row, all 0 when the kernel begins; every launch clears those
// of the next one.
constexpr unsigned keptByBlocks = 10;

__global__ void __launch_bounds__(512, 2)
    softmaxByBlocks(Rows rows, __nv_bfloat16* out, unsigned blocksPerRow, PlaceOfPart* parts,
                    PlaceOfPart* nextParts, size_t places) {
  __shared__ SoftmaxSum ofRow;
  const unsigned block = blockIdx.x % blocksPerRow, t = threadIdx.x;
  for (size_t i = blockIdx.x * blockDim.x + t; i < places; i += gridDim.x * blockDim.x)
    nextParts[i].word = 0;

  const size_t atATime = gridDim.x / blocksPerRow;
  for (size_t index = blockIdx.x / blocksPerRow; index < rows.count; index += atATime) {
    const PartOfRow row = partOfBlock(rows, index, block, blocksPerRow);
    Kept<keptByBlocks> kept;
    kept.load(rows.data, row, t, blockDim.x);
    SoftmaxSum sum = joinBlock(kept.sum<32>(rows.data, row, t, blockDim.x));

    PlaceOfPart* const ofBlocks = parts + index * blocksPerRow;
    if (t == 0) ofBlocks[block].leave(sum);
    if (t < 32) {
      sum = SoftmaxSum::none();
      for (unsigned k = t; k < blocksPerRow; k += 32) sum.join(ofBlocks[k].waitFor());
      sum = joinLanes<SoftmaxSum, 32>(sum);
    }
    if (t == 0) ofRow = sum;
    __syncthreads();
    kept.write<32>(out, rows.data, row, Softmax(ofRow), t, blockDim.x);
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
