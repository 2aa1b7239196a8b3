// Lesson 08: 16-byte loads, four int or two double at once, from an array that begins anywhere.
#pragma once

#include "cuda/kernel.h"

// clang-format off
template <typename T> struct VectorOf;
template <> struct VectorOf<int> { using type = int4; };
template <> struct VectorOf<float> { using type = float4; };
template <> struct VectorOf<long long> { using type = longlong2; };
template <> struct VectorOf<double> { using type = double2; };
// clang-format on

// An array as 16-byte vectors, which must be aligned to 16 bytes, and the elements left over: those
// before the first such boundary and those behind the last vector, fewer than a vector each.
template <typename T>
struct Vectors {
  using Vector = typename VectorOf<T>::type;
  static constexpr size_t perVector = sizeof(Vector) / sizeof(T);
  const T *before, *after;
  unsigned countBefore, countAfter;
  const Vector* first;
  size_t count;

  __device__ Vectors(const T* data, size_t n) : before(data) {
    const size_t unaligned = (0 - reinterpret_cast<uintptr_t>(data)) % 16 / sizeof(T);
    countBefore = unsigned(min(n, unaligned));
    countAfter = unsigned((n - countBefore) % perVector);
    first = reinterpret_cast<const Vector*>(data + countBefore);
    count = (n - countBefore) / perVector;
    after = data + (n - countAfter);
  }

  // Vector i, or one full of none behind the end.
  __device__ Vector at(size_t i, T none) const {
    if (i < count) return first[i];
    if constexpr (perVector == 4)
      return {none, none, none, none};
    else
      return {none, none};
  }

  // The left-over element for this thread of the grid, or none: there are at most six.
  __device__ T leftOver(T none) const {
    const size_t t = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (t < countBefore) return before[t];
    return t - countBefore < countAfter ? after[t - countBefore] : none;
  }
};
