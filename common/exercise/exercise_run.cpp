// What the parts of a run share: its extents, and its launches.
#include "exercise/exercise_run.h"

#include <algorithm>

#include "cuda/device_array.h"
#include "exercise/kernel_prints.h"
#include "exercise/trial.h"
#ifdef GPU_BACKEND
#include "cuda/check.h"
#endif

template <typename T>
ExerciseRun<T> ExerciseRun<T>::silent() const {
  ExerciseRun<T> run = *this;
  run.exercise.call = [call = exercise.call](T* data, T* results, Extent extent) {
    const SilentOutput silence;
    call(data, results, extent);
#ifdef GPU_BACKEND
    CUDA_CHECK(cudaDeviceSynchronize());  // only then has it printed
#endif
  };
  return run;
}

template <typename T>
Extent ExerciseRun<T>::asked(Extent extent) const {
  if (options.n) extent.n = *options.n;
  if (options.blockGiven) extent.block = options.block;
  return extent;
}

template <typename T>
Extent ExerciseRun<T>::smallExtent() const {
  if (exercise.extents.empty()) return asked({64 * exercise.elementsPerThread, 64});
  return asked(*std::ranges::min_element(
      exercise.extents, {}, [](Extent e) { return e.elements() >= 64 ? e.elements() : SIZE_MAX; }));
}

template <typename T>
Extent ExerciseRun<T>::estimatedExtent() const {
  return asked(exercise.timed);
}

#ifndef GPU_BACKEND
simt::Settings impatient(simt::Settings settings, Extent extent) {
  settings.patience = 1 << 24;
  settings.longestComputation = 0;
  settings.mostTurns = std::max<uint64_t>(1 << 16, 4 * extent.elements());
  return settings;
}
#endif

template <typename T>
void launchOnce(const Exercise<T>& exercise, Extent extent, uint64_t seed) {
  const std::vector<T> values = exerciseData(exercise, extent, {seed});
  DeviceArray<T> data(values.size(), "data");
  DeviceArray<T> results(exercise.reference(values, extent).size(), "results");
  data.copyFromHost(values.data());
  results.poison();
#ifdef GPU_BACKEND
  exercise.call(data.data(), results.data(), extent);
  CUDA_CHECK(cudaDeviceSynchronize());
#else
  const simt::WithSettings settings(impatient(simt::settings(), extent));
  exercise.call(data.data(), results.data(), extent);
#endif
}

template <typename T>
void launchUnchecked(const KernelCall<T>& call, Extent extent) {
  DeviceArray<T> data(extent.elements(), "data"), results(extent.elements(), "results");
  call(data.data(), results.data(), extent);
}

template struct ExerciseRun<int>;
template struct ExerciseRun<double>;
template void launchOnce(const Exercise<int>&, Extent, uint64_t);
template void launchOnce(const Exercise<double>&, Extent, uint64_t);
template void launchUnchecked(const KernelCall<int>&, Extent);
template void launchUnchecked(const KernelCall<double>&, Extent);
