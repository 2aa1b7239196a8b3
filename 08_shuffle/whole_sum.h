// Calls the kernels that leave a total on the device, with the grid that suits the input.
#pragma once

#include <algorithm>
#include <bit>

#include "cuda/device.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "measure/step.h"
#include "shuffle.cuh"
#include "single_pass.cuh"

struct LaunchShape {
  unsigned grid, block;
};

// Blocks and threads for an input of this many bytes on a GPU with this many multiprocessors. Up to
// 64 KiB one block does it, with no others to count. Then small blocks, so that many
// multiprocessors get some; then as many large ones as fit at once (2,048 threads on each).
inline LaunchShape singlePassShape(size_t bytes, unsigned multiprocessors) {
  const size_t vectors = bytes / 16;
  if (vectors <= 4 * 1024)
    return {1, unsigned(std::clamp<size_t>(std::bit_ceil((vectors + 3) / 4), 128, 1024))};
  const unsigned block = vectors <= size_t(1) << 18 ? 256 : 512;
  const size_t tiles = (vectors + 4 * block - 1) / (4 * block);
  return {unsigned(std::min<size_t>(tiles, 2048 / block * multiprocessors)), block};
}

// Reduces arrays on the device with one launch each. Owns what the blocks share; one call at a
// time.
template <typename Operator, typename T>
class SinglePass {
 public:
  using Value = typename Operator::Value;

  SinglePass() : totals_(singlePassMostBlocks(), "blockTotals"), done_(1, "blocksDone") {
    const unsigned none = 0;
    done_.copyFromHost(&none);
  }

  // Leaves the total of n elements at *total. data and total are in device memory; data needs no
  // more alignment than a T. Does not wait for the kernel.
  void operator()(const T* data, size_t n, Value* total) {
    const LaunchShape shape = singlePassShape(n * sizeof(T), multiprocessors());
    launch(dim3(shape.grid), dim3(shape.block), singlePass<Operator, T>, data, n, totals_.data(),
           done_.data(), total);
  }

 private:
  // Of any card, not of this device alone: a time may be estimated for a larger one.
  static size_t singlePassMostBlocks() { return std::max(8192u, 8 * multiprocessors()); }
  DeviceArray<Value> totals_;
  DeviceArray<unsigned> done_;
};

// The lesson's sum: int32 elements, a 64-bit total. All of these leave it on the device and return
// where; it is valid until the next call.
inline const long long* singlePassSum(const int* data, size_t n, long long* total) {
  static SinglePass<Sum<long long>, int> sum;
  sum(data, n, total);
  return total;
}

inline uint64_t singlePassBlocks(uint64_t n, unsigned) {
  return singlePassShape(n * sizeof(int), multiprocessors()).grid;
}

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

// Small blocks for small inputs, so that many multiprocessors get some.
inline unsigned atomicPerBlockThreads(uint64_t n) { return n <= 1 << 20 ? 128 : 1024; }

inline uint64_t atomicPerBlockBlocks(uint64_t n, unsigned) {
  return std::max<uint64_t>(1, blocksFor(n, 16 * atomicPerBlockThreads(n)));
}

inline const long long* atomicPerBlockSum(const int* data, size_t n, long long*) {
  static AlternatingTotals totals;
  unsigned long long* const total = totals.next();
  launch(dim3(unsigned(atomicPerBlockBlocks(n, 0))), dim3(atomicPerBlockThreads(n)), atomicPerBlock,
         data, n, total, totals.other());
  return reinterpret_cast<const long long*>(total);
}

// As many blocks of gridStride as fit on the GPU at once; more where a 32-bit block sum could
// overflow (2^22 elements of 255 fit in it).
inline uint64_t gridStrideBlocks(uint64_t n, unsigned block) {
  const uint64_t fit = std::max<uint64_t>(2048 / block * multiprocessors(), n >> 22);
  return std::min(blocksFor(n, 16 * block), fit);
}
