#include <algorithm>
#include <utility>

#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "exercise/misused_elements.h"
#include "exercise/trial.h"
#ifndef GPU_BACKEND
#include "measure/in_parallel.h"
#endif

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

KernelCall<int> callOf(const PracticeAnswer& answer, unsigned elementsPerThread) {
  return callOf(Step{.lesson = "",
                     .name = "",
                     .kernel = answer.kernel,
                     .kernelFor = answer.kernelFor,
                     .elementsPerThread = elementsPerThread});
}

namespace {

// What tells that a wrong result counts a 0 that is none of its elements, or nothing: the result is
// what the reference makes of a 0 behind the last element, or in place of whichever of the block's.
template <typename T>
std::string countedZero(const Exercise<T>& exercise, Extent extent, std::vector<T> values, T got,
                        size_t result, size_t results) {
  if (extent.columns > 0) return "";
  std::vector<T> padded = values;
  padded.push_back(0);
  padded = exercise.reference(padded, {extent.n + 1, extent.block});
  if (padded.size() == results && got == padded[result])
    return ": 0 was written where nothing was due, past the last element, and counts";
  const size_t perBlock = size_t(exercise.elementsPerThread) * extent.block;
  const size_t blocks = (extent.n + perBlock - 1) / perBlock;
  const size_t first = result / std::max<size_t>(1, results / blocks) * perBlock;
  if (results % blocks != 0 || first + 3 > extent.n) return "";
  const size_t last = std::min(extent.n, first + perBlock) - 1;
  for (const size_t i : {first, (first + last) / 2, last}) {
    const T kept = std::exchange(values[i], T(0));
    if (kept == T(0) || exercise.reference(values, extent)[result] != got) return "";
    values[i] = kept;
  }
  return ": 0 counts, which none of its elements is";
}

// Runs the kernel once and says what was wrong, or nothing.
template <typename T>
std::string mistakeIn(const Exercise<T>& exercise, Extent extent, DataChoice choice) {
  const std::vector<T> values = exerciseData(exercise, extent, choice);
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
  const std::optional<size_t> wrong = firstWrong(got, expected);
  if (!wrong) return "";
  std::string mistake = differenceOf(got, expected, extent);
  if (isUnwritten(got[*wrong]) || !exercise.addsElements) return mistake;
  const std::string zero =
      countedZero(exercise, extent, values, got[*wrong], *wrong, expected.size());
  return mistake + (zero.empty() ? misusedElements(exercise, extent, *wrong) : zero);
}

#ifndef GPU_BACKEND

template <typename T>
std::string mistakeUnder(const Exercise<T>& exercise, Extent extent, DataChoice choice,
                         const Trial& trial, simt::Schedule schedule) {
  simt::Settings settings = trial.executor;
  settings.schedule = schedule;
  const simt::WithSettings scope(settings);
  return mistakeIn(exercise, extent, choice);
}

// With all kinds of data, under several schedules.
template <typename T>
std::string mistakeAt(const Exercise<T>& exercise, Extent extent, const Trial& trial) {
  using Order = simt::Schedule::Order;
  const std::vector<std::pair<simt::Schedule, std::string>> schedules = {
      {trial.executor.schedule, ""},
      {{Order::reverse, 1}, ", --schedule reverse"},
      {{Order::random, 1}, ", --schedule random:1"},
      {{Order::random, 2}, ", --schedule random:2"},
      {{Order::random, 3}, ", --schedule random:3"}};
  for (size_t k = 0; k < std::max(schedules.size(), exercise.data.size()); ++k) {
    const auto& [schedule, name] = schedules[k % schedules.size()];
    const std::string mistake = mistakeUnder(exercise, extent, {trial.seed, k}, trial, schedule);
    if (mistake.empty()) continue;
    // The order of the threads is named where it matters.
    const std::string first =
        mistakeUnder(exercise, extent, {trial.seed, k}, trial, trial.executor.schedule);
    return first.empty() ? mistake + name : first;
  }
  return "";
}

#endif

}  // namespace

template <typename T>
std::vector<Extent> extentsOf(const Exercise<T>& exercise, std::optional<uint64_t> n,
                              std::optional<unsigned> block) {
  std::vector<Extent> extents = exercise.extents;
  if (!extents.empty()) return extents;
  const std::vector<size_t> lengths = {0, 1, 31, 32, 33, 511, 512, 513, 997, 4099, (1 << 13) + 7};
  const std::vector<unsigned> blocks = {32, 64, 128, 256, 512, 1024};
  for (const size_t length : n ? std::vector<size_t>{*n} : lengths)
    for (const unsigned size : block ? std::vector<unsigned>{*block} : blocks)
      extents.push_back({length, size});
  return extents;
}

template <typename T>
std::string firstMistake(const Exercise<T>& exercise, const std::vector<Extent>& extents,
                         const Trial& trial) {
  std::string mistake;
#ifdef GPU_BACKEND
  const size_t rounds = std::max<size_t>(5, exercise.data.size());
  for (size_t i = 0; i < extents.size() && mistake.empty(); ++i)
    for (size_t k = 0; k < rounds && mistake.empty(); ++k)
      mistake = mistakeIn(exercise, extents[i], {trial.seed, k});
#else
  constexpr size_t small = 1024;  // elements; most mistakes show there
  const auto large =
      std::ranges::find_if(extents, [](const Extent& extent) { return extent.elements() > small; });
  for (auto extent = extents.begin(); extent != large && mistake.empty(); ++extent)
    mistake = mistakeAt(exercise, *extent, trial);
  if (!mistake.empty()) return mistake;
  const std::vector<std::string> mistakes =
      inParallel(size_t(extents.end() - large), [&](size_t i, unsigned workers) {
        Trial here = trial;
        if (workers > 0) here.executor.workers = workers;
        return mistakeAt(exercise, large[long(i)], here);
      });
  for (const std::string& found : mistakes)
    if (mistake.empty()) mistake = found;
  if (mistake.empty() && exercise.large)
    mistake = mistakeInLarge(exercise, *exercise.large, {trial.seed, 0});
#endif
  return mistake;
}

#define FOR_ELEMENTS(T)                                                               \
  template std::vector<Extent> extentsOf(const Exercise<T>&, std::optional<uint64_t>, \
                                         std::optional<unsigned>);                    \
  template std::string firstMistake(const Exercise<T>&, const std::vector<Extent>&, const Trial&);
FOR_ELEMENTS(int)
FOR_ELEMENTS(double)
