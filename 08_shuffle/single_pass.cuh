// Lesson 08: the speed of light. One launch that leaves the total of any n elements, at any
// alignment, on the device: for sum, minimum, maximum and product.
#pragma once

#include <cuda/atomic>

#include "cuda/kernel.h"
#include "reduction_operators.h"
#include "vectors.cuh"

// The elements of a vector, joined to a value one after the other.
template <typename Operator, typename Vector, typename Value = typename Operator::Value>
__device__ Value combineVector(Value value, const Vector& v) {
  value = Operator::combine(Operator::combine(value, Value(v.x)), Value(v.y));
  if constexpr (requires { v.z; })
    value = Operator::combine(Operator::combine(value, Value(v.z)), Value(v.w));
  return value;
}

// One thread's share: four 16-byte loads in flight, then on to the block's next round.
template <typename Operator, typename T, typename Value = typename Operator::Value>
__device__ Value threadTotal(const T* data, size_t n) {
  constexpr T none = T(Operator::identity);  // stands in for elements behind the end
  static_assert(Value(none) == Operator::identity);
  const Vectors<T> vectors(data, n);
  Value value = Operator::combine(vectors.leftBefore(none), vectors.leftAfter(none));
  const size_t round = 4 * blockDim.x;
  for (size_t begin = blockIdx.x * round; begin < vectors.count; begin += gridDim.x * round) {
    typename Vectors<T>::Vector v[4];
    vectors.load(v, begin + threadIdx.x, begin + round <= vectors.count, none);
    for (unsigned k = 0; k < 4; ++k) value = combineVector<Operator>(value, v[k]);
  }
  return value;
}

// The total of a warp in its lane 0, and of a block of whole warps in its thread 0.
template <typename Operator, typename Value = typename Operator::Value>
__device__ Value warpTotal(Value value) {
  for (unsigned delta = 16; delta > 0; delta /= 2)
    value = Operator::combine(value, __shfl_down_sync(0xffffffff, value, delta));
  return value;
}

template <typename Operator, typename Value = typename Operator::Value>
__device__ Value blockTotal(Value value) {
  __shared__ Value warpTotals[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warpTotal<Operator>(value);
  if (lane == 0) warpTotals[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < blockDim.x / 32 ? warpTotals[lane] : Operator::identity;
    value = warpTotal<Operator>(value);
  }
  return value;
}

// In an ordinary launch no block may wait for another: nothing promises that all are on the GPU at
// once (a cooperative launch does, with other costs). But each can count itself when it is done,
// and the one that finds all others counted knows that their totals are there. It adds them up,
// always in the same order, so a floating-point total is the same in every run, whichever block is
// last.
//
// The counter both publishes this block's total and makes those of the blocks before it visible:
// memory_order_acq_rel. The last block sets it back, so the next launch needs no memset.
template <typename Operator, typename Value = typename Operator::Value>
__device__ void finish(Value value, Value* blockTotals, unsigned* blocksDone, Value* total) {
  __shared__ bool isLast;
  value = blockTotal<Operator>(value);
  if (threadIdx.x == 0) {
    blockTotals[blockIdx.x] = value;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> done(*blocksDone);
    isLast = done.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
    if (isLast) *blocksDone = 0;
  }
  __syncthreads();
  if (!isLast) return;

  value = Operator::identity;
  for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x)
    value = Operator::combine(value, blockTotals[block]);
  value = blockTotal<Operator>(value);
  if (threadIdx.x == 0) *total = value;
}

// What a kernel may take. By itself the compiler keeps to 32 registers on 8.0 and 9.0, where four
// blocks of 512 then fit; for the others it takes up to 64, and one or two fit. 40 let three fit.
#if defined(__CUDA_ARCH__) && CUDART_VERSION >= 12040 && \
    (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1000)
#define SINGLE_PASS_BOUNDS __maxnreg__(40)
#else
#define SINGLE_PASS_BOUNDS __launch_bounds__(1024)
#endif

// Changed since gridStride: any operator and type, and the last block to finish adds up what the
// others left, so the total is on the device when the kernel ends. blockTotals holds a value per
// block; *blocksDone is 0 before the first launch and after every one. A single block needs
// neither.
//
// Look at: atomics, one per block, and the answer: nothing is left for the host to add.
template <typename Operator, typename T, typename Value = typename Operator::Value>
__global__ void SINGLE_PASS_BOUNDS singlePass(const T* data, size_t n, Value* blockTotals,
                                              unsigned* blocksDone, Value* total) {
  Value value = threadTotal<Operator>(data, n);
  if (gridDim.x == 1) {
    value = blockTotal<Operator>(value);
    if (threadIdx.x == 0) *total = value;
  } else {
    finish<Operator>(value, blockTotals, blocksDone, total);
  }
}
