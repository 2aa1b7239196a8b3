// Lesson 08: a sum of floats or doubles that is exact until it is rounded once, at the end. So it
// has the same bits for any order of the elements, any grid and block, and on any GPU.
#pragma once

#ifdef __FAST_MATH__
#error "exact_sum.cuh: -ffast-math changes the order of additions: compile without it"
#endif

#include <cuda/atomic>

#include "../vectors.cuh"
#include "cuda/kernel.h"
#include "exact_sum_limits.h"

// 2 to the power of exponent, which must be that of a normal number.
__device__ inline double powerOfTwo(int exponent) {
  return __longlong_as_double((long long)(1023 + exponent) << 52);
}

// Adds value * 2^bit of every lane of the warp to the number, with three atomics.
template <typename T>
__device__ void addWarp(WideNumber<T>& number, long long value, unsigned bit) {
  for (unsigned delta = 16; delta > 0; delta /= 2)
    value += __shfl_down_sync(0xffffffff, value, delta);
  if (threadIdx.x % 32 != 0 || value == 0) return;
  const LimbTerms terms = limbTerms(value, bit);
  atomicAdd(&number.limbs[bit / 32], terms.low);
  atomicAdd(&number.limbs[bit / 32 + 1], terms.middle);
  atomicAdd(&number.limbs[bit / 32 + 2], terms.high);
}

// Notes an infinity or a NaN among this thread's elements.
template <typename T>
__device__ void addSpecial(WideNumber<T>& number, double value) {
  if (!(value < 0)) atomicAdd(&number.limbs[WideNumber<T>::plusInfinity], 1ull);
  if (!(value > 0)) atomicAdd(&number.limbs[WideNumber<T>::minusInfinity], 1ull);
}

// What a thread has added up of the window whose exponent fields are lowest to lowest + width, in
// units of 2^lowest. That is as wide as sums and errors are exact: a double has 53 bits. An integer
// takes over what a tile gave, and holds the sums of exactSumTiles, also when those of a warp are
// joined. What is said of bounds holds for either sign.
template <typename T>
struct WindowSum;

// 32 floats of a tile, as doubles. Each is a whole number of at most 1 + width + 23 bits, and so
// their sum is one of at most 53.
template <>
struct WindowSum<float> {
  static constexpr unsigned width = windowWidth<float>;
  static constexpr long long mostOfTile = exactSumElements<float> * ((1LL << 24) - 1) << width;
  static_assert(mostOfTile <= 1LL << 53);                           // exact in a double
  static_assert(mostOfTile <= INT64_MAX / (exactSumTiles * 32LL));  // and in a warp's integer
  unsigned lowest = 0;
  long long whole = 0;
  double sum = 0;

  __device__ void add(float x) { sum += x; }
  __device__ void endTile(WideNumber<float>& number) {
    if (isfinite(sum))
      whole += (long long)(sum * powerOfTwo(150 - int(lowest)));
    else
      addSpecial(number, sum);
    sum = 0;
  }
  __device__ void moveTo(unsigned next, WideNumber<float>& number) {
    addWarp(number, whole, lowest);
    whole = 0;
    lowest = next;
  }
};

// 16 doubles of a tile, scaled so that they are below 2^(1 + width) and multiples of 2^-52. high
// begins so large that it keeps multiples of a quarter, whatever it gets; what it rounds off is a
// double again, of at most an eighth, and exactly that as often as ties come. 16 of those are 2^53
// units: still a double, but too much for the integer of a warp. So of what low has, quarters go to
// high's integer before lanes are joined.
template <>
struct WindowSum<double> {
  static constexpr unsigned width = windowWidth<double>;
  static constexpr double start = 0x1.8p50;
  static constexpr long long highOfTile = exactSumElements<double> * (1LL << (1 + width + 2));
  static constexpr long long lowOfTile = exactSumElements<double> * (1LL << (52 - 3));
  static_assert(highOfTile <= 1LL << (49 + 2));  // so high is 2^50 to 2^51, and its last bit 2^-2
  static_assert(lowOfTile <= 1LL << 53);
  static_assert(exactSumTiles * lowOfTile <= 1LL << 58);  // the integers of a thread, and of a warp
  static_assert(exactSumTiles * highOfTile + (1LL << 8) <= INT64_MAX / 32);
  unsigned lowest = 0;
  long long wholeHigh = 0, wholeLow = 0;
  double high = start, low = 0;

  __device__ void add(double x) {
    const double scaled = x * powerOfTwo(1023 - int(lowest)), sum = high + scaled;
    low += scaled - (sum - high);
    high = sum;
  }
  __device__ void endTile(WideNumber<double>& number) {
    if (isfinite(high)) {
      wholeHigh += (long long)((high - start) * 0x1p2);
      wholeLow += (long long)(low * 0x1p52);
    } else {
      addSpecial(number, high);
    }
    high = start;
    low = 0;
  }
  __device__ void moveTo(unsigned next, WideNumber<double>& number) {
    constexpr long long quarter = 1LL << 50;
    addWarp(number, wholeHigh + (wholeLow >> 50), lowest + 50);
    addWarp(number, wholeLow & (quarter - 1), lowest);
    wholeHigh = wholeLow = 0;
    lowest = next;
  }
};

// The field of x's exponent, and the smallest number >= 0 that has it.
__device__ inline unsigned exponentField(float x) { return __float_as_uint(x) >> 23; }
__device__ inline unsigned exponentField(double x) { return unsigned(__double2hiint(x)) >> 20; }
__device__ inline void smallestOf(unsigned field, float& x) { x = __uint_as_float(field << 23); }
__device__ inline void smallestOf(unsigned field, double& x) {
  x = __hiloint2double(int(field << 20), 0);
}

// The larger of two numbers, or the first where the second is a NaN.
__device__ inline float larger(float a, float b) { return max(a, b); }
__device__ inline double larger(double a, double b) { return b > a ? b : a; }

// The elements of a vector, one after the other.
template <typename Vector, typename T>
__device__ void split(const Vector& v, T* x) {
  x[0] = v.x;
  x[1] = v.y;
  if constexpr (requires { v.z; }) {
    x[2] = v.z;
    x[3] = v.w;
  }
}

// The largest value of the warp, in all lanes.
template <typename T>
__device__ T warpLargest(T value) {
  for (unsigned delta = 16; delta > 0; delta /= 2)
    value = larger(value, __shfl_xor_sync(0xffffffff, value, delta));
  return value;
}

// Adds the warp's elements, count of each thread: first those of the window below the largest,
// which nearly always are all, then what is left likewise. Windows begin at every eighth exponent
// only, so that they seldom change. Comparisons with a NaN are false: it is never the largest, and
// always in the first window.
template <typename T, unsigned count>
__device__ void addElements(WideNumber<T>& number, WindowSum<T>& sum, T (&x)[count]) {
  T largest = 0, limit;
#pragma unroll
  for (unsigned k = 0; k < count; ++k) largest = larger(largest, fabs(x[k]));
  do {
    const unsigned field = exponentField(warpLargest(largest)), width = WindowSum<T>::width;
    const unsigned lowest = field > width ? (field - width + 7) / 8 * 8 : 0;
    if (lowest != sum.lowest) sum.moveTo(lowest, number);
    smallestOf(lowest, limit);
    largest = 0;
#pragma unroll
    for (unsigned k = 0; k < count; ++k) {
      const bool isLeft = fabs(x[k]) < limit;
      sum.add(isLeft ? T(0) : x[k]);
      x[k] = isLeft ? x[k] : T(0);
      largest = larger(largest, fabs(x[k]));
    }
    sum.endTile(number);
  } while (__any_sync(0xffffffff, largest > 0));
}

// Whether comparisons and conversions keep the smallest number there is: as nvcc's --ftz=true
// compiles them for float, they take it for 0.
template <typename T>
__global__ void keepSubnormals(T smallest, bool* kept) {
  *kept = smallest > T(0) && double(smallest) > 0;
}

// Joins the block's number to that of all blocks, and tells whether this block was the last to. For
// it, takes the number of all blocks and leaves 0 there for the next launch.
template <typename T>
__device__ bool joinBlocks(WideNumber<T>& number, WideNumber<T>& ofAllBlocks,
                           unsigned* blocksDone) {
  __shared__ bool isLast;
  __syncthreads();
  for (unsigned k = threadIdx.x; k < WideNumber<T>::size; k += blockDim.x)
    if (number.limbs[k] != 0) atomicAdd(&ofAllBlocks.limbs[k], number.limbs[k]);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> done(*blocksDone);
    isLast = done.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
    if (isLast) *blocksDone = 0;
  }
  __syncthreads();
  if (!isLast) return false;
  for (unsigned k = threadIdx.x; k < WideNumber<T>::size; k += blockDim.x)
    number.limbs[k] = atomicExch(&ofAllBlocks.limbs[k], 0ull);
  __syncthreads();
  return true;
}

// The exact sum of the elements, in the block that is the last to finish: tells whether this is it.
// number is its shared memory, of anything. The block has a multiple of 32 threads.
template <typename T>
__device__ bool addUp(WideNumber<T>& number, const T* data, size_t n, WideNumber<T>* ofAllBlocks,
                      unsigned* blocksDone) {
  for (unsigned k = threadIdx.x; k < number.size; k += blockDim.x) number.limbs[k] = 0;
  __syncthreads();
  const Vectors<T> vectors(data, n);
  WindowSum<T> sum;
  if (blockIdx.x == 0) {
    T x[2] = {vectors.leftBefore(0), vectors.leftAfter(0)};
    addElements(number, sum, x);
  }
  const size_t tile = size_t(exactSumLoads) * blockDim.x;
  unsigned tiles = 1;
  for (size_t begin = blockIdx.x * tile; begin < vectors.count; begin += gridDim.x * tile) {
    typename Vectors<T>::Vector v[exactSumLoads];
    vectors.load(v, begin + threadIdx.x, begin + tile <= vectors.count, T(0));
    T x[exactSumElements<T>];
    for (unsigned k = 0; k < exactSumLoads; ++k) split(v[k], x + k * vectors.perVector);
    addElements(number, sum, x);
    if (++tiles % exactSumTiles == 0) sum.moveTo(sum.lowest, number);
  }
  sum.moveTo(0, number);
  return joinBlocks(number, *ofAllBlocks, blocksDone);
}

// Changed since singlePass: what threads and blocks hand on are no rounded sums but whole numbers
// of a unit that does not depend on the data. Integers may be added in any order. ofAllBlocks and
// *blocksDone are 0 before the first launch and after every one.
//
// Look at: atomics, and bits under any schedule.
template <typename T>
__global__ void __launch_bounds__(256, 3)
    exactSum(const T* data, size_t n, WideNumber<T>* ofAllBlocks, unsigned* blocksDone, T* total) {
  __shared__ WideNumber<T> number;
  if (addUp(number, data, n, ofAllBlocks, blocksDone) && threadIdx.x == 0) *total = rounded(number);
}

// Changed since exactSum: the sum is left as it is, to be added to those of other GPUs. Its limbs
// have 32 bits, so that 2^31 such numbers can be added limb by limb.
template <typename T>
__global__ void __launch_bounds__(256, 3)
    exactNumber(const T* data, size_t n, WideNumber<T>* ofAllBlocks, unsigned* blocksDone,
                WideNumber<T>* sum) {
  __shared__ WideNumber<T> number;
  if (!addUp(number, data, n, ofAllBlocks, blocksDone)) return;
  if (threadIdx.x == 0) carry(number);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < number.size; k += blockDim.x) sum->limbs[k] = number.limbs[k];
}
