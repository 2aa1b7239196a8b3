// A step of lessons 02 to 08: one way to add up an array. Each is declared once, in the steps.h of
// its lesson, and chosen by name wherever else it is needed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/kernel.h"
#include "report/report.h"

// A kernel that leaves one partial sum per block in blockSums and may change data on the way.
using BlockSumKernel = void (*)(int* data, int* blockSums, size_t n);

struct Step {
  std::string lesson, name;
  std::string basedOn = {};  // the step it improves on, by name
  BlockSumKernel kernel = nullptr;
  BlockSumKernel (*kernelFor)(unsigned block) = nullptr;  // instead, to choose by block size
  unsigned elementsPerThread = 1;  // n elements need n / (elementsPerThread × block) blocks
  uint64_t (*blocksFor)(uint64_t n, unsigned block) = nullptr;  // or as many as this says
  // Instead of kernel: leaves the sum of n elements in device memory, at *total or at a place of
  // its own, and returns where.
  const long long* (*wholeSum)(const int* data, size_t n, long long* total) = nullptr;
  unsigned ownBlock = 0;  // the threads of a block, where they are always the same
  bool total32 = false;   // the wholeSum has 32 bits: it is right modulo 2^32
  bool estimable = true;  // false: it is more than kernels, and the timing model knows no more
  bool (*available)() = nullptr;  // whether this GPU can run it, where not all can
  Role role = Role::step;

  bool runsHere() const { return (kernel || kernelFor || wholeSum) && (!available || available()); }
};

// The blocks that n elements need: rounded up, so that no tail is dropped.
inline uint64_t blocksFor(uint64_t n, uint64_t elementsPerBlock) {
  return n / elementsPerBlock + (n % elementsPerBlock != 0);
}

// The blocks of the step's launch, and its kernel; not of steps with a wholeSum.
uint64_t gridOf(const Step& step, uint64_t n, unsigned block);
inline BlockSumKernel kernelOf(const Step& step, unsigned block) {
  return step.kernelFor ? step.kernelFor(block) : step.kernel;
}

// The steps of these names, in this order. A step whose basedOn is not among them is based on the
// step that was improved to that one, and so on. Throws std::invalid_argument for an unknown name.
std::vector<Step> selectSteps(const std::vector<Step>& ladder,
                              const std::vector<std::string>& names);
Step findStep(const std::vector<Step>& ladder, const std::string& name);

// All of them, one list after the other.
std::vector<Step> joinSteps(const std::vector<std::vector<Step>>& lists);
