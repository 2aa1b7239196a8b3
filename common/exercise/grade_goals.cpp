// Counts what an exercise does, and grades that.
#include "base/errors.h"
#include "cuda/device_array.h"
#include "exercise/trial.h"

// Counts what the kernel does at an extent, where its results must be right, too.
template <typename T>
static Count countOf(const Exercise<T>& exercise, Extent extent) {
  const std::vector<T> values = exerciseData(exercise, extent, {1});
  const std::vector<T> expected = exercise.reference(values, extent);
  DeviceArray<T> data(values.size(), "data"), results(expected.size(), "results");
  data.copyFromHost(values.data());
  results.poison();
  const Count count = countLaunches([&] { exercise.call(data.data(), results.data(), extent); },
                                    {data.data(), values.size(), sizeof(T)},
                                    {results.data(), expected.size(), sizeof(T)}, extent);
  std::vector<T> got(expected.size());
  results.copyToHost(got.data(), got.size());
  const std::string difference = differenceOf(got, expected, extent);
  if (!difference.empty()) throw Error(exitWrong, difference);
  const std::string hidden = hiddenFrom(count, expected.size());
  if (!hidden.empty()) throw Error(exitWrong, hidden);
  return count;
}

template <typename T>
size_t gradeGoals(const Exercise<T>& exercise) {
  std::vector<Count> counts;
  for (const Extent& extent : exercise.counted) counts.push_back(countOf(exercise, extent));
  return gradeCounts(exercise.goals, counts);
}

template size_t gradeGoals(const Exercise<int>&);
template size_t gradeGoals(const Exercise<double>&);
