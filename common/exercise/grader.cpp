#include "exercise/grader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>

#include "base/text.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "exercise/misused_elements.h"
#include "measure/input.h"

std::string Extent::text() const {
  return columns > 0 ? fmt::format("{} × {}", n, columns)
                     : fmt::format("n = {}, block {}", countName(n), block);
}

Goal perBlock(const std::string& what, uint64_t Counters::*counter, double atMost, unsigned block) {
  return {fmt::format("{} per block of {}", what, block),
          [counter](const Count& c) { return double(c.*counter) / c.blocks; }, atMost, block};
}

Goal perThousand(const std::string& what, double (*counter)(const Counters& c), double atMost) {
  return {what + " per 1,000 elements",
          [counter](const Count& c) { return counter(c) / c.elements * 1000; }, atMost};
}

KernelCall<int> callOf(const Step& step) {
  return [step](int* data, int* results, Extent s) {
    const auto grid = unsigned(blocksFor(s.n, uint64_t(step.elementsPerThread) * s.block));
    const auto kernel = step.kernelFor ? step.kernelFor(s.block) : step.kernel;
    if (grid > 0) launch(dim3(grid), dim3(s.block), kernel, data, results, s.n);
  };
}

KernelCall<int> callOf(BlockSumKernel kernel, unsigned elementsPerThread) {
  return callOf(
      Step{.lesson = "", .name = "", .kernel = kernel, .elementsPerThread = elementsPerThread});
}

template <typename T>
std::vector<T> exerciseData(const Exercise<T>& exercise, Extent extent, uint64_t seed) {
  const Input input = makeInput(extent.elements(), seed);
  std::vector<T> data(input.values.get(), input.values.get() + input.n);
  for (T& value : data)
    value = extent.n % 2 == 0 ? value + exercise.lowest : -value - exercise.lowest;
  return data;
}

namespace {

// What DeviceArray::poison leaves.
template <typename T>
bool isPoison(T value) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof value);
  return std::ranges::all_of(bytes, [](unsigned char byte) { return byte == 0xA5; });
}

// Runs the kernel once and says what was wrong, or nothing.
template <typename T>
std::string mistakeIn(const Exercise<T>& exercise, Extent extent, uint64_t seed) {
  const std::vector<T> values = exerciseData(exercise, extent, seed);
  const std::vector<T> expected = exercise.reference(values, extent);
  DeviceArray<T> data(values.size(), "data"), results(expected.size(), "results");
  data.copyFromHost(values.data());
  results.poison();
#ifdef GPU_BACKEND
  exercise.call(data.data(), results.data(), extent);
#else
  try {
    exercise.call(data.data(), results.data(), extent);
  } catch (const simt::Fault& fault) {
    return extent.text() + ": " + fault.what();
  }
#endif
  std::vector<T> got(expected.size());
  results.copyToHost(got.data(), got.size());
  const auto shown = [](T value) {
    return std::is_integral_v<T> ? fmt::format("{}", value) : fmt::format("{:g}", double(value));
  };
  const auto differs = [](T a, T b) {
    return !(std::abs(double(a) - double(b)) <= 1e-12 * std::abs(double(b)));
  };
  for (size_t i = 0; i < got.size(); ++i) {
    if (!differs(got[i], expected[i])) continue;
    const std::string which = fmt::format("{}: result {} of {}", extent.text(), i, got.size());
    if (isPoison(got[i]))
      return fmt::format("{} was never written: it should be {}", which, shown(expected[i]));
    return fmt::format("{} is {} instead of {}.", which, shown(got[i]), shown(expected[i])) +
           misusedElements(exercise, extent, i);
  }
  return "";
}

}  // namespace

template <typename T>
std::vector<Extent> extentsOf(const Exercise<T>& exercise, std::optional<uint64_t> n,
                              std::optional<unsigned> block) {
  std::vector<Extent> extents = exercise.extents;
  std::vector<size_t> lengths = {0, 1, 31, 32, 33, 511, 512, 513, 997, 4099, (1 << 16) + 7};
  std::vector<unsigned> blocks = {32, 64, 512, 1024};
  if (n) lengths = {*n};
  if (block) blocks = {*block};
  if (extents.empty())
    for (const size_t length : lengths)
      for (const unsigned size : blocks) extents.push_back({length, size});
  return extents;
}

template <typename T>
std::string firstMistake(const Exercise<T>& exercise, const std::vector<Extent>& extents,
                         const Trial& trial) {
  std::string mistake;
#ifdef GPU_BACKEND
  for (size_t i = 0; i < extents.size() && mistake.empty(); ++i)
    mistake = mistakeIn(exercise, extents[i], trial.seed);
#else
  using Order = simt::Schedule::Order;
  const std::vector<std::pair<simt::Schedule, std::string>> schedules = {
      {trial.executor.schedule, ""},
      {{Order::reverse, 1}, ", --schedule reverse"},
      {{Order::random, 1}, ", --schedule random:1"},
      {{Order::random, 2}, ", --schedule random:2"},
      {{Order::random, 3}, ", --schedule random:3"}};
  for (size_t i = 0; i < extents.size() && mistake.empty(); ++i)
    for (size_t k = 0; k < schedules.size() && mistake.empty(); ++k) {
      simt::Settings settings = trial.executor;
      settings.schedule = schedules[k].first;
      const simt::WithSettings scope(settings);
      mistake = mistakeIn(exercise, extents[i], trial.seed);
      if (!mistake.empty()) mistake += schedules[k].second;
    }
#endif
  return mistake;
}

#ifndef GPU_BACKEND

// What the goal counts. The kernel is known to be right.
template <typename T>
static double valueOf(const Exercise<T>& exercise, const Goal& goal) {
  Extent extent = exercise.counted;
  extent.block = goal.block;
  const std::vector<T> values = exerciseData(exercise, extent, 1);
  DeviceArray<T> data(values.size(), "data");
  DeviceArray<T> results(exercise.reference(values, extent).size(), "results");
  data.copyFromHost(values.data());
  simt::takeCounters();
  exercise.call(data.data(), results.data(), extent);
  const auto elements = double(extent.elements());
  return goal.value(
      {simt::takeCounters(), elements / (exercise.elementsPerThread * extent.block), elements});
}

template <typename T>
size_t gradeGoals(const Exercise<T>& exercise) {
  const auto number = [](double v) { return fixed(v, v == std::floor(v) ? 0 : v < 1 ? 3 : 1); };
  size_t met = 0;
  for (const Goal& goal : exercise.goals) {
    const double value = valueOf(exercise, goal);
    std::cout << goal.what << ": " << number(value) << ", goal "
              << (goal.atMost > 0 ? "at most " : "") << number(goal.atMost) << ": ";
    if (value <= goal.atMost)
      std::cout << "met\n";
    else
      std::cout << "not yet"
                << (goal.atMost > 0 ? " (" + fixed(value / goal.atMost, 1) + " × too many)" : "")
                << '\n';
    met += value <= goal.atMost;
  }
  return met;
}

#endif

#define FOR_ELEMENTS(T)                                                                            \
  template std::vector<Extent> extentsOf(const Exercise<T>&, std::optional<uint64_t>,              \
                                         std::optional<unsigned>);                                 \
  template std::string firstMistake(const Exercise<T>&, const std::vector<Extent>&, const Trial&); \
  template std::vector<T> exerciseData(const Exercise<T>&, Extent, uint64_t);
FOR_ELEMENTS(int)
FOR_ELEMENTS(double)
#ifndef GPU_BACKEND
template size_t gradeGoals(const Exercise<int>&);
template size_t gradeGoals(const Exercise<double>&);
#endif
