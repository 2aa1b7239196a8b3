// The frozen set: launches that were written and timed before the timing model was run on them.
// Nothing here is ever changed or taken out for the model's sake; new ones are added behind.
// common/results/*_frozen.json have their times, and the hash of the kernels that were timed.
#pragma once

#include <cmath>
#include <functional>
#include <type_traits>
#include <vector>

#include "base/format.h"
#include "base/random.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "measure/measure.h"
#include "places.cuh"

namespace frozen {

// What the arrays hold, so that any element's result can be computed by itself.
inline float valueX(size_t i) { return float(randomBits(1, i) % 1024) / 1024; }
inline float valueY(size_t i) { return float(randomBits(2, i) % 1024) / 1024; }
inline unsigned integerAt(size_t i) { return unsigned(randomBits(3, i)); }
inline double doubleAt(size_t i) { return double(randomBits(4, i) % 1024) / 1024; }
// Two halves from 0.5 to 0.75.
inline unsigned halvesAt(size_t i) {
  return 0x38003800u | (unsigned(randomBits(5, i)) & 0x01ff01ffu);
}
inline double halfValue(unsigned bits) {  // of a normal number
  const double size = std::ldexp(1 + double(bits & 1023) / 1024, int(bits >> 10 & 31) - 15);
  return bits & 0x8000 ? -size : size;
}
inline unsigned char byteAt(size_t i) {
  return static_cast<unsigned char>(integerAt(i / 4) >> (8 * (i % 4)));
}

// n elements of 4 bytes each: a power of two from 2^13 on.
struct Arrays {
  size_t n;
  DeviceArray<float> x, y, out;
  DeviceArray<unsigned> integers, halves, bins;
  DeviceArray<double> doubles;
  // Where only launches are looked at, the floats stay 0: no address and no turn depends on them.
  explicit Arrays(size_t count, bool withFloats = true)
      : n(count),
        x(n, "x"),
        y(n, "y"),
        out(n, "out"),
        integers(n, "integers"),
        halves(n / 2, "halves"),
        bins(1024, "bins"),
        doubles(n / 2, "doubles") {
    fill(integers, integerAt);
    if (withFloats) {
      fill(x, valueX);
      fill(y, valueY);
      fill(halves, halvesAt);
      fill(doubles, doubleAt);
    }
#if !defined(GPU_BACKEND) && !defined(__CUDA__)
    simt::adoptVariable(&weights, sizeof weights, sizeof(float), "weights", true);
#endif
  }
#if !defined(GPU_BACKEND) && !defined(__CUDA__)
  ~Arrays() { simt::forgetVariable(&weights); }
#endif

 private:
  template <typename T>
  static void fill(DeviceArray<T>& array, T (*value)(size_t)) {
    std::vector<T> all(array.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = value(i);
    array.copyFromHost(all.data());
  }
};

using Check = std::function<void(StepResult&)>;
using Expected = std::function<double(size_t)>;

// Looks at all of few results, and at others of many in each sample. found: what is compared;
// expected: not a number where anything may be.
template <typename T>
Check resultsAre(
    const T* results, size_t count, Expected expected, double within = 0,
    std::type_identity_t<std::function<double(T)>> found = [](T value) { return double(value); }) {
  return [=, sample = uint64_t(0)](StepResult& step) mutable {
    const bool all = count <= 4096;
    const size_t looked = all ? count : 64;
    ++sample;
    for (size_t k = 0; k < looked; ++k) {
      const size_t i = all ? k : randomBits(sample, k) % count;
      T value;
      copyToHost(&value, results + i, 1);
      const double have = found(value), want = expected(i);
      if (std::isnan(want) || std::abs(have - want) <= within * std::max(1.0, std::abs(want)))
        continue;
      step.ok = false;
      step.fault = fmt::format("{}: {} instead of {}", i, have, want);
      return;
    }
  };
}

struct What {
  std::string kind;
  std::string name;  // variants of one thing have the same words before a colon
  uint64_t n;
  std::function<void()> prepare = {};  // instead of a poisoned out
};

struct Shape {
  dim3 grid, block;
  size_t sharedBytes = 0;
  Shape(dim3 blocks, dim3 threads, size_t shared = 0)
      : grid(blocks), block(threads), sharedBytes(shared) {}
  // As many blocks as these threads need.
  Shape(size_t threads, unsigned perBlock, size_t shared = 0)
      : grid(unsigned((threads + perBlock - 1) / perBlock)), block(perBlock), sharedBytes(shared) {}
};

#ifdef GPU_BACKEND
template <typename... Parameters, typename... Arguments>
void launchWithShared(const Shape& shape, void (*kernel)(Parameters...), Arguments... arguments) {
  if (shape.sharedBytes > 48 * 1024)
    CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    int(shape.sharedBytes)));
  kernel<<<shape.grid, shape.block, shape.sharedBytes>>>(Parameters(arguments)...);
  CUDA_CHECK(cudaGetLastError());
}
#else
template <typename... Parameters, typename... Arguments>
void launchWithShared(const Shape& shape, void (*kernel)(Parameters...), Arguments... arguments) {
#ifndef __CUDA__  // where only the kernels' code is made
  simt::setDynamicShared(shape.sharedBytes);
#endif
  launch(shape.grid, shape.block, kernel, Parameters(arguments)...);
#ifndef __CUDA__
  simt::setDynamicShared(0);
#endif
}
#endif

class List {
 public:
  explicit List(Arrays& arrays, const std::string& set = "frozen") : set_(set), arrays_(arrays) {}
  template <typename... Parameters, typename... Arguments>
  void add(const What& what, const Shape& shape, Check check, void (*kernel)(Parameters...),
           Arguments... arguments) {
    StepResult step{.lesson = set_ + ": " + what.kind, .name = what.name};
    step.blocks = uint64_t(shape.grid.x) * shape.grid.y * shape.grid.z;
    step.n = what.n;
    step.block = shape.block.x * shape.block.y * shape.block.z;
    tasks.push_back(
        {.step = step,
         .prepare = what.prepare ? what.prepare : [&out = arrays_.out] { out.poison(); },
         .run = [=] { launchWithShared(shape, kernel, Parameters(arguments)...); },
         .check = std::move(check)});
  }
  std::vector<Task> tasks;

 private:
  const std::string set_;
  Arrays& arrays_;
};

inline unsigned sideOf(size_t n) {  // of a square of at most n elements, a power of two
  unsigned side = 1;
  while (size_t(side) * 2 * side * 2 <= n) side *= 2;
  return side;
}

}  // namespace frozen
