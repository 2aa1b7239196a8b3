// A run of --exercise, and its parts.
#pragma once

#include "exercise/grader.h"
#include "report/report.h"

// What a run is made of.
template <typename T>
struct ExerciseRun {
  const Options& options;  // what it was asked for
  Exercise<T> exercise;    // its kernel is the one in exercise.cuh
  std::string lessonName;  // the lesson's own kernel, which reads the same data
  KernelCall<T> lessonCall;

  // The same, but what the kernel prints goes nowhere: it runs hundreds of times.
  ExerciseRun silent() const;

  // The extent, with the n and the block that were asked for.
  Extent asked(Extent extent) const;
  // That of --explore and --svg, and of what the kernel prints: two warps are enough to see that
  // one of them rests.
  Extent smallExtent() const;
  // That of estimated times.
  Extent estimatedExtent() const;
};

// Launches the exercise on its own data. The executor loses its patience within seconds.
template <typename T>
void launchOnce(const Exercise<T>& exercise, Extent extent, uint64_t seed);
// Launches the kernel on any data: nobody asks what the results are.
template <typename T>
void launchUnchecked(const KernelCall<T>& call, Extent extent);

#ifdef GPU_BACKEND

// Prints the median times of the exercise as it came, now and solved, and of the lesson's kernel,
// samples in turn. Leaves them in the report.
template <typename T>
void timeAll(const ExerciseRun<T>& run, Extent extent, Report& report);

#else

// The executor, but a loop without end ends within seconds.
simt::Settings impatient(simt::Settings settings, Extent extent);

// The modes that show a launch instead of checking it: each returns the exit code. The first has
// what exercise.cuh came as beside it.
template <typename T>
int exploreExercise(const ExerciseRun<T>& run);
template <typename T>
int drawExercise(const ExerciseRun<T>& run);
template <typename T>
int drawExerciseTimeline(const ExerciseRun<T>& run);

// What is counted of the exercise as it came, now and solved, and of the lesson's kernel.
template <typename T>
Report countedExercise(const ExerciseRun<T>& run, Extent extent);
// Prints every counter of the exercise, beside those of the lesson's kernel.
template <typename T>
void printExerciseCounters(const ExerciseRun<T>& run);
// Prints what the exercise would take on the card of the options beside what it came as, a solution
// and the lesson's kernel.
template <typename T>
void printExerciseEstimates(const ExerciseRun<T>& run);

#endif
