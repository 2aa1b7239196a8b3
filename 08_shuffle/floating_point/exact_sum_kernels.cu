// The kernels of exact_sum.cuh for float and double, and one that brings their elements into
// another order.
#include "exact_sum.cuh"

#include "exact_sum.h"

// A prime step, which n is no multiple of, visits all elements.
template <typename T>
__global__ void reorder(const T* from, T* to, size_t n, uint64_t shift) {
  const uint64_t step = 2654435761;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x)
    to[i] = from[(i + shift) % n * step % n];
}

template <typename T>
auto ExactKernels<T>::sum() -> OfSum {
  return exactSum<T>;
}
template <typename T>
auto ExactKernels<T>::number() -> OfNumber {
  return exactNumber<T>;
}
template <typename T>
auto ExactKernels<T>::keepSubnormals() -> KeepSubnormals {
  return ::keepSubnormals<T>;
}
template <typename T>
auto ExactKernels<T>::reorder() -> Reorder {
  return ::reorder<T>;
}

template struct ExactKernels<float>;
template struct ExactKernels<double>;
