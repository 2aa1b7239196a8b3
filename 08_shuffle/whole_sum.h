// Calls the kernels that leave a total on the device, with the grid that suits the input.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>

#include "cuda/device.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "measure/step.h"
#include "shuffle.cuh"
#include "single_pass.cuh"

struct LaunchShape {
  unsigned grid, block;
};

// Blocks and threads for an input of this many bytes. Up to 64 KiB one block does it, with no
// others to count. Then small blocks, so that many multiprocessors get some; then as many large
// ones as the GPU holds at once. resident: how many that is, for a number of threads.
inline LaunchShape singlePassShape(size_t bytes,
                                   const std::function<unsigned(unsigned threads)>& resident) {
  const size_t vectors = bytes / 16;
  if (vectors <= 4 * 1024)
    return {1, unsigned(std::clamp<size_t>(std::bit_ceil((vectors + 3) / 4), 128, 1024))};
  const unsigned block = vectors <= size_t(1) << 18 ? 256 : 512;
  const size_t rounds = (vectors + 4 * block - 1) / (4 * block);
  return {unsigned(std::min<size_t>(rounds, resident(block))), block};
}

// The same for a kernel on the GPU in use.
inline LaunchShape singlePassShape(size_t bytes, const void* kernel) {
  return singlePassShape(
      bytes, [=](unsigned threads) { return blocksThatFit(kernel, threads) * multiprocessors(); });
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
    const LaunchShape shape = shapeFor(n);
    launch(dim3(shape.grid), dim3(shape.block), singlePass<Operator, T>, data, n, totals_.data(),
           done_.data(), total);
  }

  // The launch for n elements on the GPU in use.
  static LaunchShape shapeFor(size_t n) {
    return singlePassShape(n * sizeof(T), reinterpret_cast<const void*>(singlePass<Operator, T>));
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
  return SinglePass<Sum<long long>, int>::shapeFor(n).grid;
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

// The shape of atomicPerBlock: small blocks and one round for small inputs, so that many
// multiprocessors get some; two rounds, 64 KiB for a block of 512, for large ones.
struct AtomicShape {
  unsigned threads, rounds;
  uint64_t blocks;
};
inline AtomicShape atomicPerBlockShape(uint64_t n) {
  const unsigned threads = n <= 1 << 20 ? 128 : n <= 1 << 23 ? 256 : 512;
  const unsigned rounds = n <= 1 << 20 ? 1 : 2;
  return {threads, rounds, std::max<uint64_t>(1, blocksFor(n, uint64_t(16) * rounds * threads))};
}

inline uint64_t atomicPerBlockBlocks(uint64_t n, unsigned) { return atomicPerBlockShape(n).blocks; }

inline const long long* atomicPerBlockSum(const int* data, size_t n, long long*) {
  static AlternatingTotals totals;
  unsigned long long* const total = totals.next();
  const AtomicShape shape = atomicPerBlockShape(n);
  launch(dim3(unsigned(shape.blocks)), dim3(shape.threads),
         shape.rounds == 1 ? atomicPerBlock<1> : atomicPerBlock<2>, data, n, total, totals.other());
  return reinterpret_cast<const long long*>(total);
}

// As many blocks of gridStride as fit on the GPU at once; more where a 32-bit block sum could
// overflow (2^22 elements of 255 fit in it).
inline uint64_t gridStrideBlocks(uint64_t n, unsigned block) {
  const uint64_t fit =
      uint64_t(blocksThatFit(reinterpret_cast<const void*>(gridStride), block)) * multiprocessors();
  return std::min(blocksFor(n, 16 * block), std::max(fit, n >> 22));
}
