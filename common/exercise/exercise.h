// --exercise: a lesson's exercise grades itself. The kernel in exercise.cuh runs at awkward lengths
// and is compared with a loop on the CPU. The executor also looks for faults under several
// schedules, and counts how far the goals are; a GPU times it beside one of the lesson's kernels.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exercise/goals.h"
#include "exercise/practice.h"
#include "measure/step.h"
#include "program/options.h"
#include "program/solved.h"

// Device pointers; launches nothing where there is nothing to do.
template <typename T>
using KernelCall = std::function<void(T* data, T* results, Extent extent)>;

// A number to predict: a reader types it in, and the executor counts.
struct Prediction {
  double typed;
  std::function<double(const Count& c)> counted;
  std::vector<std::pair<double, std::string>> ideas;  // wrong numbers, and what is wrong with each
};

// Element i of the data, made from 32 random bits.
template <typename T>
using Datum = std::function<T(uint32_t bits, size_t i)>;
// Kinds of data for sums, all positive or all negative: numbers below 2^20, whose sum over a block
// is an int and does not fit in less; of doubles, thirds, which no float holds.
template <typename T>
std::vector<Datum<T>> dataToAdd();
// Kinds of data in which any element of a block may be the largest or the smallest, of one sign or
// of both: not beyond ±2^30, so that a difference is an int.
std::vector<Datum<int>> dataToCompare();

template <typename T>
struct Exercise {
  std::string program = {}, task = {};
  KernelCall<T> call;
  std::function<std::vector<T>(const std::vector<T>& data, Extent extent)> reference;
  std::vector<Goal> goals = {};
  unsigned elementsPerThread = 1;  // which the call takes
  bool addsElements = true;        // so that a wrong result tells which of them it lacks
  std::vector<Datum<T>> data = dataToAdd<T>();  // kinds that take turns
  std::vector<Extent> extents = {};             // to check; empty: arrays of awkward lengths
  // Where the goals are met: at all of these, and with such blocks wherever in whatever grid.
  std::vector<Extent> counted = {{1 << 14, 512}};
  std::vector<unsigned> chanceBlocks = {512, 128, 256, 1024};
  std::optional<Extent> large = Extent{(size_t(1) << 32) + 1000003};  // beyond indices of 32 bits
  Extent timed = {1 << 26};
  // What the exercise came as, and a kernel that meets all goals, for their estimated times; or
  // nothing.
  KernelCall<T> start = {}, solution = {};
  unsigned number = 0;  // of a small exercise, in practice.cuh; 0: in exercise.cuh
  std::optional<Prediction> prediction = {};  // instead of a kernel of the reader's

  std::string file() const { return program + (number > 0 ? "/practice.cuh" : "/exercise.cuh"); }
};

// The small exercises of a lesson, which get their numbers: checked and counted at few lengths, and
// so at once.
std::vector<Exercise<int>> smallExercises(const std::string& program,
                                          std::vector<Exercise<int>> exercises);

// The exercise with those two.
template <typename T>
Exercise<T> withEnds(Exercise<T> exercise, const Exercise<T>& start, const Exercise<T>& solution) {
  exercise.start = start.call;
  exercise.solution = solution.call;
  return exercise;
}

// The call of a kernel with elementsPerThread × block elements for each block.
KernelCall<int> callOf(const Step& step);
KernelCall<int> callOf(BlockSumKernel kernel, unsigned elementsPerThread = 1);
KernelCall<int> callOf(const PracticeAnswer& answer, unsigned elementsPerThread = 1);

// result(part) for each part of so many elements, of which the last one may be shorter.
template <typename Result>
std::vector<int> forEachPart(const std::vector<int>& data, size_t size, Result&& result) {
  std::vector<int> results;
  for (size_t i = 0; i < data.size(); i += size)
    results.push_back(result(std::span(data).subspan(i, std::min(size, data.size() - i))));
  return results;
}

// References: the sum of each block's elements, as the lessons' own kernels leave it; of each
// thread's, which lie a block apart; and of each warp's 32 in a row.
std::function<std::vector<int>(const std::vector<int>& data, Extent extent)> sumsOfBlocks(
    unsigned elementsPerThread);
std::function<std::vector<int>(const std::vector<int>& data, Extent extent)> sumsOfThreads(
    unsigned elementsPerThread);
std::function<std::vector<int>(const std::vector<int>& data, Extent extent)> sumsOfWarps();

// The mode --exercise of a lesson's program, and with a number behind it its small exercises. A GPU
// times the exercise beside a kernel of the lesson that reads the same data.
template <typename T>
Mode exerciseMode(const Exercise<T>& exercise, const std::string& lessonName,
                  const KernelCall<T>& lessonCall);
Mode exerciseMode(const Exercise<int>& exercise, const Step& lessonStep,
                  const std::vector<Exercise<int>>& small = {});
// That mode of the graded exercise, with the small ones; --counters has a kernel of the lesson that
// reads the same data beside them, where there is one.
Mode withSmall(Mode graded, const std::vector<Exercise<int>>& small,
               const std::string& lessonName = "", const KernelCall<int>& lessonCall = {});
