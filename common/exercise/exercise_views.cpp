// What an exercise shows of a launch: its steps, its pictures and its counters. For the executor's
// backend only.
#include <fmt/core.h>

#include <algorithm>
#include <iostream>

#include "base/errors.h"
#include "cuda/device_array.h"
#include "draw/step_picture.h"
#include "draw/timeline.h"
#include "exercise/exercise_run.h"
#include "exercise/trial.h"
#include "program/explore_page.h"
#include "program/run.h"
#include "report/tables.h"

template <typename T>
int exploreExercise(const ExerciseRun<T>& run) {
  const Options& options = run.options;
  Exercise<T> exercise = run.exercise;
  if (!options.named.empty())
    throw Error(exitUsage, "--step: not with --exercise, which shows exercise.cuh");
  const Extent extent = run.smallExtent();
  if (extent.elements() > 1 << 20)
    throw Error(exitUsage, "--n: at most 2^20 with --explore, which shows the first blocks");
  const Extent timed = run.estimatedExtent();
  exercise.data = {[](uint32_t bits, size_t) { return T(bits % 10); }};  // to be read with ease
  const auto explored = [&](const std::string& title, const Exercise<T>& one) {
    return Explored{.title = title,
                    .about = extent.text(),
                    .launch = [=, seed = options.seed] { launchOnce(one, extent, seed); },
                    .timed =
                        [=] {
                          const simt::WithSettings settings(impatient(simt::settings(), timed));
                          launchUnchecked(one.call, timed);
                        },
                    .timedAbout = timed.text()};
  };
  std::vector<Explored> launches;
  if (exercise.start) {
    Exercise<T> start = exercise;
    start.call = [call = exercise.start](T* data, T* results, Extent given) {
      simt::setKernelName("exercise");  // without the namespace that keeps them apart
      call(data, results, given);
      simt::setKernelName("");
    };
    launches.push_back(explored("as it came", start));
    launches.back().isStart = true;
  }
  launches.push_back(explored(exercise.file(), exercise));
  return writeExplorePage(options, std::move(launches));
}

template <typename T>
int drawExercise(const ExerciseRun<T>& run) {
  const Extent extent = run.smallExtent();
  const std::string about =
      fmt::format("1 block of {} threads, {} elements", extent.block, extent.n);
  return drawLaunch(run.options, "exercise", about,
                    [&] { launchOnce(run.exercise, extent, run.options.seed); });
}

template <typename T>
int drawExerciseTimeline(const ExerciseRun<T>& run) {
  const Extent extent = run.estimatedExtent();
  return drawTimeline(run.options, "exercise.cuh", extent.text(),
                      [&] { launchUnchecked(run.exercise.call, extent); });
}

template <typename T>
void printExerciseCounters(const ExerciseRun<T>& run) {
  const Extent extent = run.asked(run.exercise.counted.at(0));
  std::cout << "\nAt " << extent.text() << ":\n";
  printCounters(countedExercise(run, extent), {.all = true});
}

template int exploreExercise(const ExerciseRun<int>&);
template int exploreExercise(const ExerciseRun<double>&);
template int drawExercise(const ExerciseRun<int>&);
template int drawExercise(const ExerciseRun<double>&);
template int drawExerciseTimeline(const ExerciseRun<int>&);
template int drawExerciseTimeline(const ExerciseRun<double>&);
template void printExerciseCounters(const ExerciseRun<int>&);
template void printExerciseCounters(const ExerciseRun<double>&);
