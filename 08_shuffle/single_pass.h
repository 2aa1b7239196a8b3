// Calls the kernel of single_pass.cuh, which is compiled by itself, with the grid that suits the
// input.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>

#include "cuda/device.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "reduction_operators.h"

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

// The kernel for an operator and elements of a type. Those of all types are in
// single_pass_kernels.cu, compiled by themselves; that of the lesson's sum is in whole_sum.cu.
template <typename Operator, typename T, typename Value = typename Operator::Value>
struct SinglePassKernel {
  using Pointer = void (*)(const T* data, size_t n, Value* blockTotals, unsigned* blocksDone,
                           Value* total);
  static Pointer pointer();
};

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
    launch(dim3(shape.grid), dim3(shape.block), SinglePassKernel<Operator, T>::pointer(), data, n,
           totals_.data(), done_.data(), total);
  }

  // The launch for n elements on the GPU in use.
  static LaunchShape shapeFor(size_t n) {
    return singlePassShape(n * sizeof(T),
                           reinterpret_cast<const void*>(SinglePassKernel<Operator, T>::pointer()));
  }

 private:
  // Of any card, not of this device alone: a time may be estimated for a larger one.
  static size_t singlePassMostBlocks() { return std::max(8192u, 8 * multiprocessors()); }
  DeviceArray<Value> totals_;
  DeviceArray<unsigned> done_;
};
