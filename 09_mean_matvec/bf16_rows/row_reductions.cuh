// Lesson 09, further: what layers of neural networks need of every row of a matrix of bfloat16: its
// mean and variance, and the largest element and the sum that a softmax divides by.
//
// A bfloat16 is the upper half of a float: eight exponent bits, eight bits of precision. It is a
// format to store; what is added up is float.
#pragma once

#include <cfloat>
#include <cmath>
#include <cuda/atomic>

#include "bf16_matrix.h"

// ---- What is known of a part of a row, and how two parts are joined. OfThread is what a thread
// has of its own elements; outside() is what elements that are not of the row are taken for.

// How many elements, their mean, and the sum of their squared differences from it.
struct Moments {
  float count, mean, squares;
  __device__ static Moments none() { return {0, 0, 0}; }

  // Sums of the elements, and of their squares, less one of them. What cancels in the variance of a
  // thread's elements is lost for these few alone, whatever the row's other elements are.
  struct OfThread {
    float shift, count = 0, sum = 0, squares = 0;
    __device__ explicit OfThread(float ofRow) : shift(ofRow) {}
    __device__ void begin(float ownElement) { shift = ownElement; }
    __device__ float outside() const { return shift; }
    template <unsigned n>
    __device__ void take(const float (&x)[n], unsigned inRow = n) {
      count += float(inRow);
      for (const float element : x) {
        const float y = element - shift;
        sum += y;
        squares += y * y;
      }
    }
    __device__ Moments known() const {
      const float mean = count > 0 ? sum / count : 0;
      return {count, shift + mean, fmaxf(squares - sum * mean, 0)};
    }
  };

  // Chan's: the two means are apart, too.
  __device__ void join(Moments other) {
    const float n = count + other.count, apart = other.mean - mean;
    const float share = n > 0 ? other.count / n : 0;
    mean += apart * share;
    squares += other.squares + apart * apart * count * share;
    count = n;
  }
  __device__ Moments ofLaneBehind(unsigned delta, unsigned lanes) const {
    return {__shfl_down_sync(0xffffffff, count, delta, lanes),
            __shfl_down_sync(0xffffffff, mean, delta, lanes),
            __shfl_down_sync(0xffffffff, squares, delta, lanes)};
  }
  // The mean and the variance.
  __device__ float2 result() const { return make_float2(mean, squares / count); }
};

// e to the x by the one instruction that a GPU has for it, which knows powers of two.
__device__ inline float exponential(float x) { return exp2f(x * 1.44269504f); }

// The largest element, and the sum of exp(element - largest), in one read: where a larger element
// comes, what was summed so far shrinks. Eight elements at a time, so that it is asked once for
// all.
struct SoftmaxSum {
  float largest, sum;
  __device__ static SoftmaxSum none() { return {-FLT_MAX, 0}; }

  struct OfThread;
  template <unsigned n>
  __device__ void take(const float (&x)[n]) {
    float most = largest;
    for (const float element : x) most = fmaxf(most, element);
    sum *= exponential(largest - most);
    for (const float element : x) sum += exponential(element - most);
    largest = most;
  }
  __device__ void join(SoftmaxSum other) {
    const float most = fmaxf(largest, other.largest);
    sum = sum * exponential(largest - most) + other.sum * exponential(other.largest - most);
    largest = most;
  }
  __device__ SoftmaxSum ofLaneBehind(unsigned delta, unsigned lanes) const {
    return {__shfl_down_sync(0xffffffff, largest, delta, lanes),
            __shfl_down_sync(0xffffffff, sum, delta, lanes)};
  }
  __device__ float2 result() const { return make_float2(largest, sum); }
};
struct SoftmaxSum::OfThread : SoftmaxSum {
  __device__ explicit OfThread(float = 0) : SoftmaxSum(none()) {}
  __device__ void begin(float) {}
  __device__ static float outside() { return -INFINITY; }
  template <unsigned n>
  __device__ void take(const float (&x)[n], unsigned = n) {
    SoftmaxSum::take(x);
  }
  __device__ SoftmaxSum known() const { return *this; }
};

// ---- A part of a row: the elements from begin on and below end, as one of so many threads gets
// them. Eight elements come with one load of 16 bytes, and four loads are in flight.

__device__ inline void toFloats(float (&x)[8], uint4 v) {
  const unsigned words[4] = {v.x, v.y, v.z, v.w};
  for (unsigned k = 0; k < 4; ++k) {
    x[2 * k] = __uint_as_float(words[k] << 16);
    x[2 * k + 1] = __uint_as_float(words[k] & 0xffff0000);
  }
}

template <typename OfThread>
__device__ void takeVectors(OfThread& part, const uint4* vectors, unsigned count, unsigned thread,
                            unsigned threads) {
  for (unsigned round = 0; round < count; round += 4 * threads) {
    const bool whole = round + 4 * threads <= count;  // only the last round may not be
    uint4 v[4];
    float x[8];
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned i = round + k * threads + thread;
      if (whole || i < count) v[k] = vectors[i];
    }
    for (unsigned k = 0; k < 4; ++k) {
      if (!whole && round + k * threads + thread >= count) break;
      toFloats(x, v[k]);
      if (round == 0 && k == 0) part.begin(x[0]);
      part.take(x);
    }
  }
}

// Before the first whole vector of eight and behind the last there are up to seven elements each.
// `lanes` of the threads, or the first eight, take them one by one.
template <unsigned lanes, typename OfThread>
__device__ void takeEnds(OfThread& part, const __nv_bfloat16* data, size_t begin, size_t first,
                         size_t last, size_t end, unsigned thread) {
  constexpr unsigned each = lanes < 8 ? 8 / lanes : 1;
  float x[2 * each];
  unsigned inRow = 0;
  for (unsigned k = 0; k < each; ++k) {
    const size_t before = begin + thread + k * lanes, behind = last + thread + k * lanes;
    inRow += (before < first) + (behind < end);
    x[k] = before < first ? __bfloat162float(data[before]) : part.outside();
    x[each + k] = behind < end ? __bfloat162float(data[behind]) : part.outside();
  }
  part.take(x, inRow);
}

template <typename Reduction, unsigned lanes>
__device__ Reduction partOfRow(const __nv_bfloat16* data, size_t begin, size_t end, unsigned thread,
                               unsigned threads, float anElement) {
  const size_t first = min(end, (begin + 7) / 8 * 8), last = max(first, end / 8 * 8);
  typename Reduction::OfThread part(anElement);
  takeVectors(part, reinterpret_cast<const uint4*>(data) + first / 8, unsigned((last - first) / 8),
              thread, threads);
  if (lanes <= 8 || thread < 8) takeEnds<lanes>(part, data, begin, first, last, end, thread);
  return part.known();
}

// ---- Parts are joined by shuffles: of a few lanes in their first, of a block in thread 0.

template <typename Reduction, unsigned lanes>
__device__ Reduction joinLanes(Reduction part) {
  for (unsigned delta = lanes / 2; delta > 0; delta /= 2)
    part.join(part.ofLaneBehind(delta, lanes));
  return part;
}

template <typename Reduction>
__device__ Reduction joinBlock(Reduction part) {
  __shared__ Reduction ofWarps[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  part = joinLanes<Reduction, 32>(part);
  if (lane == 0) ofWarps[warp] = part;
  __syncthreads();
  if (warp == 0) {
    part = lane < blockDim.x / 32 ? ofWarps[lane] : Reduction::none();
    part = joinLanes<Reduction, 32>(part);
  }
  return part;
}

// ---- Short rows: as many lanes for each as it has work for, so that all lanes are busy.
template <typename Reduction, unsigned lanes>
__global__ void __launch_bounds__(256, 5) rowsByLanes(Rows rows, float2* results) {
  const size_t row = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / lanes;
  const bool exists = row < rows.count;
  const size_t begin = exists ? row * rows.length : 0, end = exists ? begin + rows.length : 0;
  Reduction part = partOfRow<Reduction, lanes>(rows.data, begin, end, threadIdx.x % lanes, lanes,
                                               __bfloat162float(rows.data[begin]));
  part = joinLanes<Reduction, lanes>(part);
  if (exists && threadIdx.x % lanes == 0) results[row] = part.result();
}

// ---- Long rows: blocks for each, and the last of them to finish joins what they left, as in
// lesson 08. blocksDone has a counter for each row, 0 before the first launch and after every one.
// It joins them in their order, so that a row has the same result in every run.
template <typename Reduction>
__global__ void __launch_bounds__(512, 3)
    rowsByBlocks(Rows rows, float2* results, unsigned blocksPerRow, Reduction* parts,
                 unsigned* blocksDone) {
  __shared__ bool isLast;
  const size_t row = blockIdx.x / blocksPerRow, block = blockIdx.x % blocksPerRow;
  const size_t begin = row * rows.length, end = begin + rows.length;
  // Whole vectors to each block: only the ends of the row are not.
  const size_t share = ((end - begin / 8 * 8 + 7) / 8 + blocksPerRow - 1) / blocksPerRow * 8;
  const size_t from = begin / 8 * 8 + block * share;
  Reduction part =
      partOfRow<Reduction, 32>(rows.data, max(begin, from), min(end, from + share), threadIdx.x,
                               blockDim.x, __bfloat162float(rows.data[begin]));
  part = joinBlock(part);
  if (blocksPerRow > 1) {
    if (threadIdx.x == 0) {
      parts[blockIdx.x] = part;
      cuda::atomic_ref<unsigned, cuda::thread_scope_device> done(blocksDone[row]);
      isLast = done.fetch_add(1, cuda::memory_order_acq_rel) == blocksPerRow - 1;
      if (isLast) blocksDone[row] = 0;
    }
    __syncthreads();
    if (!isLast) return;
    part = Reduction::none();
    for (unsigned k = threadIdx.x; k < blocksPerRow; k += blockDim.x)
      part.join(parts[row * blocksPerRow + k]);
    part = joinBlock(part);
  }
  if (threadIdx.x == 0) results[row] = part.result();
}
