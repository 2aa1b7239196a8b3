// What the steps of a sum share: the input, a copy of it that kernels may destroy, and room for the
// results.
#pragma once

#include "cuda/device_array.h"
#include "measure/input.h"
#include "measure/measure.h"
#include "measure/memory_budget.h"
#include "measure/step.h"

class Workspace {
 public:
  // input and block as the steps get them; input may go once the workspace is made.
  Workspace(const Input& input, unsigned block);

  // The task that runs the step on fresh data, with poisoned results, fetches what it left and
  // compares the total with the input's sum. Valid as long as the workspace is.
  Task taskFor(const Step& step);

  // Runs the step once, untimed: the total that it leaves. Throws simt::Fault on the executor.
  int64_t totalOf(const Step& step);

  uint64_t blocks(const Step& step) const;

  // For n elements, at this block size.
  static Needs needs(uint64_t n, unsigned block, const Machine& machine);

 private:
  void prepare();
  void run(const Step& step);
  int64_t fetch(const Step& step);

  size_t n_;
  unsigned block_;
  int64_t expected_;
  DeviceArray<int> original_, data_, blockSums_;
  DeviceArray<long long> total_;
  HostArray<int> hostSums_;
  HostArray<long long> hostTotal_;
  const long long* wholeTotal_ = nullptr;  // where the last step with a wholeSum left it
};

#ifdef GPU_BACKEND
// cub::DeviceReduce::Sum with a 64-bit total, the yardstick, and with one of 32 bits.
Step librarySum();
Step librarySum32();

// All of them, and one by atomics where this CUB has it. The yardstick is the last.
std::vector<Step> librarySums();

// Reading the input and adding up nothing, in a few shapes: the fastest is what the memory gives.
std::vector<Step> roofSteps();

// How fast the GPU in use reads, in GB/s: the fastest of these shapes on 1 GiB, or on what its
// memory has room for, L2 flushed before each of some samples.
double readRate(const std::string& program, const Machine& machine, unsigned samples);
#endif
