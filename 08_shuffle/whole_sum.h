// The lesson's sums: int32 elements, a 64-bit total. Compiled with their kernels, in whole_sum.cu.
#pragma once

#include "cuda/device_array.h"

// All of these leave the sum of n elements on the device and return where; it is valid until the
// next call. What they keep from call to call is of the device that was in use at the first, and
// not for two streams or threads at a time: that is SinglePass, an object for each.
const long long* singlePassSum(const int* data, size_t n, long long* total);
const long long* atomicPerBlockSum(const int* data, size_t n, long long*);
const long long* atomicTotalSum(const int* data, size_t n, long long* total);

// The blocks that they, and the step with gridStride, launch for n elements.
uint64_t singlePassBlocks(uint64_t n, unsigned block);
uint64_t atomicPerBlockBlocks(uint64_t n, unsigned block);
uint64_t atomicTotalBlocks(uint64_t n, unsigned block);
uint64_t gridStrideBlocks(uint64_t n, unsigned block);

// The shape of atomicPerBlock for n elements on the GPU in use: small blocks and one 16-byte load
// per thread for small inputs, so that many multiprocessors get some; 64 KiB for a block, at once
// or in two rounds of four loads, for large ones.
struct AtomicShape {
  unsigned threads, rounds, loads;
  uint64_t blocks;

  // Of a kernel's instances the one with these rounds of loads: 1 of 1, 1 of 4 or 2 of 4.
  template <typename Kernel>
  Kernel* among(Kernel* oneOfOne, Kernel* oneOfFour, Kernel* twoOfFour) const {
    return loads == 1 ? oneOfOne : rounds == 1 ? oneOfFour : twoOfFour;
  }
};
AtomicShape atomicPerBlockShape(uint64_t n);
// The blocks that cover n elements with so many threads and rounds of loads, and the sum by them.
AtomicShape shapeOf(uint64_t n, unsigned threads, unsigned rounds, unsigned loads);
const long long* sumInShape(const int* data, size_t n, const AtomicShape& shape);

// Two places for the total, in turn: every launch adds to one and clears the other.
class AlternatingTotals {
 public:
  AlternatingTotals() : totals_(2, "totals") {
    const unsigned long long none[2] = {};
    totals_.copyFromHost(none);
  }
  unsigned long long* next() {
    turn_ ^= 1;
    return totals_.data() + turn_;
  }
  unsigned long long* other() const { return totals_.data() + (turn_ ^ 1); }

 private:
  DeviceArray<unsigned long long> totals_;
  unsigned turn_ = 0;
};
