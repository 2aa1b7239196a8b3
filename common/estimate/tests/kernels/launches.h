// How the kernels are launched: what a sample of each does.
#pragma once

#include <vector>

#include "base/random.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "kernels.cuh"
#include "measure/measure.h"

// Two arrays of n elements: floats between 0 and 1, or integers below n, by who looks at them.
struct PublicArrays {
  DeviceArray<float> x, y;
  DeviceArray<unsigned> integers, results;
  // Where only launches are looked at, the floats stay 0: nothing depends on them.
  PublicArrays(size_t n, uint64_t seed, bool withFloats = true)
      : x(n, "x"), y(n, "y"), integers(n, "integers"), results(n, "results") {
    std::vector<unsigned> places(n);
    for (size_t i = 0; i < n; ++i) places[i] = unsigned(randomBits(seed, i) % n);
    integers.copyFromHost(places.data());
    if (!withFloats) return;
    results.copyFromHost(places.data());
    std::vector<float> values(n);
    for (size_t i = 0; i < n; ++i) values[i] = float(randomBits(seed, i) % 1024) / 1024;
    x.copyFromHost(values.data());
    y.copyFromHost(values.data());
  }
};

inline unsigned sideOf(size_t n) {  // of a square matrix with at most n elements, a multiple of 32
  unsigned s = 32;
  while (size_t(s) * 2 * s * 2 <= n) s *= 2;
  return s;
}

template <typename... Parameters, typename... Arguments>
Task taskFor(const std::string& name, uint64_t n, dim3 grid, unsigned block,
             void (*kernel)(Parameters...), Arguments... arguments) {
  const StepResult step{.lesson = "public_kernels",
                        .name = name,
                        .blocks = uint64_t(grid.x) * grid.y,
                        .n = n,
                        .block = block};
  return {.step = step,
          .run = [=] { launch(grid, dim3(block), kernel, Parameters(arguments)...); }};
}

inline std::vector<Task> streams(PublicArrays& a, size_t n) {
  const dim3 blocks(unsigned(n / 256));
  const float* const x = a.x.data();
  float* const y = a.y.data();
  std::vector<Task> tasks = {taskFor("copy", n, blocks, 256, copy, x, y, n),
                             taskFor("a·x + y", n, blocks, 256, axpy, x, y, n)};
  const size_t fewer = n / 16;
  const dim3 fewerBlocks(unsigned(fewer / 256));
  tasks.push_back(taskFor("1,024 multiply-adds, a chain", fewer, fewerBlocks, 256, multiplyAddChain,
                          x, y, fewer));
  tasks.push_back(taskFor("1,024 multiply-adds, four chains", fewer, fewerBlocks, 256,
                          multiplyAddFourChains, x, y, fewer));
  tasks.push_back(taskFor("chain of eight random loads", fewer, fewerBlocks, 256, dependentLoads,
                          (const unsigned*)a.integers.data(), a.results.data(), fewer));
  tasks.push_back(taskFor("stencil along a line", n, blocks, 256, stencilLine, x, y, n));
  tasks.push_back(taskFor("softmax of rows", n, dim3(unsigned(n / 1024)), 256, softmax, x, y));
  tasks.push_back(taskFor("histogram", n, dim3(unsigned(n / 4096)), 256, histogram,
                          (const unsigned*)a.integers.data(), a.results.data(), n));
  return tasks;
}

inline std::vector<Task> planes(PublicArrays& a, size_t n) {
  const float* const x = a.x.data();
  float* const y = a.y.data();
  const unsigned s = sideOf(n), less = std::min(sideOf(n / 4), 2048u);
  const uint64_t all = uint64_t(s) * s, product = uint64_t(less) * less;
  const dim3 strips(s / 32, s / 8), tiles(s / 32, s / 32);
  const float* const second = x + product;
  // Lesson 09 has one of this name, too.
  void (*const inTiles)(const float*, const float*, float*, unsigned) = productTiles;
  return {taskFor("stencil in a plane", all, strips, 256, stencilPlane, x, y, s, s),
          taskFor("transpose, naive", all, strips, 256, transposeNaive, x, y, s, s),
          taskFor("transpose, tiles", all, tiles, 256, transposeTiles, x, y, s, s),
          taskFor("matrix product, naive", product, dim3(less / 32, less / 8), 256, productNaive, x,
                  second, y, less),
          taskFor("matrix product, tiles", product, dim3(less / 16, less / 16), 256, inTiles, x,
                  second, y, less)};
}

inline std::vector<Task> scansAndSorts(PublicArrays& a, size_t n) {
  const int* const x = reinterpret_cast<const int*>(a.integers.data());
  int* const y = reinterpret_cast<int*>(a.results.data());
  const dim3 blocks(unsigned(n / 512)), half(unsigned(n / 1024));
  return {taskFor("scan, shared memory", n, blocks, 512, scanShared, x, y, n),
          taskFor("scan, shuffles", n, blocks, 512, scanShuffle, x, y, n),
          taskFor("bitonic sort of 1,024", n, half, 512, bitonicSort, x, y, n)};
}

// Each kernel once, on arrays of n elements, a power of two from 2^13 on.
inline std::vector<Task> publicKernels(PublicArrays& a, size_t n) {
  std::vector<Task> tasks = streams(a, n);
  for (const auto& more : {planes, scansAndSorts})
    for (Task& task : more(a, n)) tasks.push_back(std::move(task));
  return tasks;
}
