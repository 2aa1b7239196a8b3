// --exercise: a lesson's exercise grades itself. The kernel in exercise.cuh runs at awkward lengths
// and is compared with a loop on the CPU. The executor also looks for faults under several
// schedules, and counts how far the goals are; a GPU times it beside one of the lesson's kernels.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/counts.h"
#include "measure/input.h"
#include "measure/step.h"
#include "program/options.h"

// What a kernel works on: an array of n elements, or a matrix of n rows.
struct Extent {
  size_t n;
  unsigned block = 512;
  size_t columns = 0;  // of a matrix, else 0

  size_t elements() const { return columns > 0 ? n * columns : n; }
  std::string text() const;
};

// The counters of a launch, and what to divide them by.
struct Count : Counters {
  double blocks, elements;
};

struct Goal {
  std::string what;
  std::function<double(const Count& c)> value;
  double atMost;
  unsigned block = 512;  // the block size at which it is counted
};

Goal perBlock(const std::string& what, uint64_t Counters::*counter, double atMost,
              unsigned block = 512);
Goal perThousand(const std::string& what, double (*counter)(const Counters& c), double atMost);

// Device pointers; launches nothing where there is nothing to do.
template <typename T>
using KernelCall = std::function<void(T* data, T* results, Extent extent)>;

template <typename T>
struct Exercise {
  std::string program, task;
  KernelCall<T> call;
  std::function<std::vector<T>(const std::vector<T>& data, Extent extent)> reference;
  std::vector<Goal> goals;
  unsigned elementsPerThread = 1;    // in a block of the extent that is counted
  T lowest = 0;                      // the data are random integers from lowest to lowest + 255,
                                     // with the other sign where n is odd
  std::vector<Extent> extents = {};  // to check; empty: arrays of awkward lengths
  Extent counted = {1 << 16};        // whole blocks; the goals say of what size
  Extent timed = {1 << 26};
  KernelCall<T> goal = {};  // a kernel that meets all goals, for its estimated time; may be empty
};

// The call of a kernel with elementsPerThread × block elements for each block.
KernelCall<int> callOf(const Step& step);
KernelCall<int> callOf(BlockSumKernel kernel, unsigned elementsPerThread = 1);

// result(part) for each part of so many elements, of which the last one may be shorter.
template <typename Result>
std::vector<int> forEachPart(const std::vector<int>& data, size_t size, Result&& result) {
  std::vector<int> results;
  for (size_t i = 0; i < data.size(); i += size)
    results.push_back(result(std::span(data).subspan(i, std::min(size, data.size() - i))));
  return results;
}

// The mode --exercise of a lesson's program. A GPU times the exercise beside a kernel of the lesson
// that reads the same data.
template <typename T>
Mode exerciseMode(const Exercise<T>& exercise, const std::string& lessonName,
                  const KernelCall<T>& lessonCall);
Mode exerciseMode(const Exercise<int>& exercise, const Step& lessonStep);
