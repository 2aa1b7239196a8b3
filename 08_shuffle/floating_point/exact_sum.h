// Calls exactSum of exact_sum.cuh with a grid that suits the input; and the same sum on the CPU.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "base/errors.h"
#include "cuda/device.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "exact_sum_limits.h"

// The exact sum of n elements, rounded once: to the nearest, the even one of two that are as near.
// A NaN, or infinities of both signs, give the NaN without a sign; infinities of one sign give that
// infinity, and so does a sum that is too large for T, whatever it has been on the way. A sum of 0
// is +0, also of nothing and of negative zeros.

// The kernels, in exact_sum_kernels.cu.
template <typename T>
struct ExactKernels {
  using OfSum = void (*)(const T* data, size_t n, WideNumber<T>* ofAllBlocks, unsigned* blocksDone,
                         T* total);
  using OfNumber = void (*)(const T* data, size_t n, WideNumber<T>* ofAllBlocks,
                            unsigned* blocksDone, WideNumber<T>* sum);
  using KeepSubnormals = void (*)(T smallest, bool* kept);
  using Reorder = void (*)(const T* from, T* to, size_t n, uint64_t shift);
  static OfSum sum();
  static OfNumber number();
  static KeepSubnormals keepSubnormals();
  static Reorder reorder();  // writes the same elements in another order
};

// Adds up arrays of float or double on the device with one launch each. Owns what the blocks share;
// one call at a time.
template <typename T>
class ExactSum {
 public:
  ExactSum() : ofAllBlocks_(1, "the sum so far"), blocksDone_(1, "blocksDone") {
    refuseFlushedSubnormals();
    const WideNumber<T> zero = {};
    const unsigned none = 0;
    ofAllBlocks_.copyFromHost(&zero);
    blocksDone_.copyFromHost(&none);
  }

  // Leaves the sum at *total. data and total are in device memory; data needs no more alignment
  // than a T. Does not wait for the kernel. Any grid and any block of whole warps gives the same.
  // Throws an Error for more than exactSumMost<T> elements.
  void operator()(const T* data, size_t n, T* total, unsigned grid, unsigned block) {
    refuseLonger(n);
    launch(dim3(grid), dim3(block), ExactKernels<T>::sum(), data, n, ofAllBlocks_.data(),
           blocksDone_.data(), total);
  }
  void operator()(const T* data, size_t n, T* total) {
    (*this)(data, n, total, gridFor(n), usualBlock);
  }

  // Leaves the sum itself at *sum, also on the device: such numbers of several GPUs are added limb
  // by limb, and then rounded().
  void number(const T* data, size_t n, WideNumber<T>* sum) {
    refuseLonger(n);
    launch(dim3(gridFor(n)), dim3(usualBlock), ExactKernels<T>::number(), data, n,
           ofAllBlocks_.data(), blocksDone_.data(), sum);
  }

  // One tile for each block, or as many blocks as the GPU in use holds at once.
  static constexpr unsigned usualBlock = 256;
  static unsigned gridFor(size_t n) {
    const auto kernel = reinterpret_cast<const void*>(ExactKernels<T>::sum());
    const size_t tile = usualBlock * size_t(exactSumElements<T>);
    const size_t resident = blocksThatFit(kernel, usualBlock) * multiprocessors();
    return unsigned(std::clamp<size_t>((n + tile - 1) / tile, 1, resident));
  }

 private:
  static void refuseLonger(size_t n) {
    if (n > exactSumMost<T>)
      throw Error(exitUsage, "exactSum: " + std::to_string(n) +
                                 " elements, but its integers hold " +
                                 std::to_string(exactSumMost<T>));
  }
  static void refuseFlushedSubnormals() {
    DeviceArray<bool> kept(1, "kept");
    launch(dim3(1), dim3(1), ExactKernels<T>::keepSubnormals(),
           std::numeric_limits<T>::denorm_min(), kept.data());
    bool isKept = false;
    kept.copyToHost(&isKept, 1);
    if (!isKept)
      throw Error(exitUsage,
                  "exactSum: subnormal numbers count as 0 here, and no sum of them is exact: "
                  "compile without --ftz=true and --use_fast_math");
  }

  DeviceArray<WideNumber<T>> ofAllBlocks_;
  DeviceArray<unsigned> blocksDone_;
};

// Adds so many times this element to the number: at most 512, as one term.
template <typename T>
void addElement(WideNumber<T>& number, T element, unsigned times = 1) {
  using Format = FormatOf<T>;
  using Bits = typename Format::Bits;
  constexpr Bits implicitBit = Bits(1) << Format::fractionBits;
  const Bits bits = std::bit_cast<Bits>(element);
  const unsigned field = unsigned(bits >> Format::fractionBits) & Format::largestField;
  const Bits fraction = bits & (implicitBit - 1);
  if (field == Format::largestField) {
    number.limbs[number.plusInfinity] += fraction != 0 || element > 0;
    number.limbs[number.minusInfinity] += fraction != 0 || element < 0;
    return;
  }
  const long long value = times * (long long)(field > 0 ? fraction | implicitBit : fraction);
  const unsigned bit = std::max(field, 1u);
  const LimbTerms terms = limbTerms(std::signbit(element) ? -value : value, bit);
  number.limbs[bit / 32] += terms.low;
  number.limbs[bit / 32 + 1] += terms.middle;
  number.limbs[bit / 32 + 2] += terms.high;
}

// The same sum by the CPU alone, from elements in host memory, one after the other.
template <typename T>
T exactSumOnCpu(const T* data, size_t n) {
  WideNumber<T> number = {};
  for (size_t i = 0; i < n; ++i) {
    addElement(number, data[i]);
    if (i % (mostTerms / 2) == 0) carry(number);
  }
  return rounded(number);
}
