// Lesson 08: what joins two values to one. Kernels apply it, and host code asks for its identity.
#pragma once

#include <limits>

#include "cuda/kernel.h"

// What an operator needs: its identity, which is also the result for no elements, and how it joins
// two values. T is the type of the total. Minimum and maximum of floating-point numbers compare,
// and every comparison with NaN is false: whether a NaN among the values shows is not said.
template <typename T>
struct Sum {
  using Value = T;
  static constexpr T identity = 0;
  __device__ static T combine(T a, T b) { return a + b; }
};

template <typename T>
struct Product {
  using Value = T;
  static constexpr T identity = 1;
  __device__ static T combine(T a, T b) { return a * b; }
};

template <typename T>
struct Minimum {
  using Value = T;
  using Limits = std::numeric_limits<T>;
  static constexpr T identity = Limits::has_infinity ? Limits::infinity() : Limits::max();
  __device__ static T combine(T a, T b) { return b < a ? b : a; }
};

template <typename T>
struct Maximum {
  using Value = T;
  using Limits = std::numeric_limits<T>;
  static constexpr T identity = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  __device__ static T combine(T a, T b) { return a < b ? b : a; }
};
