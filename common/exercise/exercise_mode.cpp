// --exercise: checks the kernel in exercise.cuh, and says how far it is, or shows what it does.
#include <fmt/core.h>

#include <iostream>
#include <sstream>

#include "base/errors.h"
#include "exercise/exercise_run.h"
#include "exercise/kernel_prints.h"
#include "measure/workspace.h"
#include "program/run.h"
#include "report/result_file.h"
#ifndef GPU_BACKEND
#include "exercise/apart.h"
#include "program/estimates.h"
#endif

namespace {

// Shows what the kernel prints, if it does, of one small launch.
template <typename T>
void showPrints(const ExerciseRun<T>& run) {
  constexpr unsigned most = 200;  // lines
  const Extent extent = run.smallExtent();
  const std::string text = printedBy([&] {
#ifdef GPU_BACKEND
    launchOnce(run.exercise, extent, run.options.seed);
#else
    const simt::WithSettings settings(executorSettings(run.options));
    try {
      launchOnce(run.exercise, extent, run.options.seed);
    } catch (const simt::Fault&) {
      // It will be found again, and reported.
    }
#endif
  });
  if (text.empty()) return;
  std::cout << "The kernel prints, for " << extent.text() << ":\n";
  std::istringstream lines(text);
  unsigned count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    if (count < most) std::cout << line << '\n';
  if (count > most) std::cout << "… and " << count - most << " lines more\n";
}

// Prints whether the results are right, at what extents. Throws Error when one is wrong.
template <typename T>
void checkResults(const ExerciseRun<T>& run) {
  const Options& options = run.options;
  std::cout << "results: " << std::flush;
  std::optional<unsigned> block;
  if (options.blockGiven) block = options.block;
  const std::vector<Extent> extents = extentsOf(run.exercise, options.n, block);
  Trial trial{.seed = options.seed};
#ifndef GPU_BACKEND
  trial.executor = impatient(executorSettings(options), {options.n.value_or(0)});
#endif
  const std::string mistake = firstMistake(run.exercise, extents, trial);
  const bool hasGoals = !run.exercise.goals.empty();
  std::cout << (mistake.empty() ? "right"
                : hasGoals      ? "wrong; the goals wait until they are right\n"
                                : "wrong\n")
            << std::flush;
  if (!mistake.empty()) throw Error(exitWrong, mistake);
  std::cout << ", from " << extents.front().text() << " to " << extents.back().text();
}

#ifndef GPU_BACKEND
// Whoever needs less than the solution is told so.
template <typename T>
void tellABetterWay(const ExerciseRun<T>& run) {
  if (!run.exercise.solution) return;
  const Report counted = countedExercise(run, run.exercise.counted.at(0));
  const auto workOf = [&](const std::string& name) {
    const StepResult* const step = counted.find(name);
    if (!step || !step->counters) return 0.0;
    const Counters& c = *step->counters;
    return double(c.memoryRequests() + c.shuffles + c.shared_load_conflicts +
                  c.shared_store_conflicts) /
           double(counted.n) * 1000;
  };
  const double now = workOf("exercise.cuh now"), solved = workOf("solution.cuh");
  if (now > 0 && now < 0.9 * solved)
    std::cout << fmt::format(
        "A better way than solution.cuh, by these counts: {:.0f} requests and shuffles per 1,000 "
        "elements instead of {:.0f}\n",
        now, solved);
}
#endif

#ifndef GPU_BACKEND
// Compares what the reader has typed in with what the executor counts. Returns the exit code.
template <typename T>
int gradePrediction(const Exercise<T>& exercise) {
  const Prediction& prediction = *exercise.prediction;
  if (prediction.typed == 0) {
    std::cout << fmt::format("Type your number into {}, at exercise{}\n", exercise.file(),
                             exercise.number);
    return exitWrong;
  }
  if (prediction.typed == prediction.counted(countOf(exercise))) {
    std::cout << fmt::format("{:g}: the executor counts as many. Solved\n", prediction.typed);
    return exitRight;
  }
  std::cout << fmt::format(
      "{:g}: the executor counts {}", prediction.typed,
      prediction.typed > prediction.counted(countOf(exercise)) ? "fewer" : "more");
  for (const auto& [number, mistake] : prediction.ideas)
    if (number == prediction.typed) std::cout << ". " << mistake;
  std::cout << '\n';
  return exitWrong;
}
#endif

// Checks a small exercise, and grades it. Returns the exit code; throws Error when a result is
// wrong.
template <typename T>
int runSmallExercise(const ExerciseRun<T>& run) {
  const Exercise<T>& exercise = run.exercise;
  std::cout << fmt::format("Exercise {} ({}): {}\n", exercise.number, exercise.file(),
                           exercise.task);
  if (!exercise.prediction) {
    showPrints(run);
    checkResults(run.silent());
  }
#ifdef GPU_BACKEND
  std::cout << (exercise.prediction ? "" : "\n") << "The executor counts, and grades: build/cpu/"
            << exercise.program << '\n';
  return exitRight;
#else
  if (exercise.prediction) return gradePrediction(exercise);
  std::cout << ", under 5 schedules, no fault\n";
  const size_t met = gradeGoals(run.silent().exercise);
  if (run.options.allCounters) printExerciseCounters(run.silent());
  if (met < exercise.goals.size()) return exitWrong;
  std::cout << "Solved\n";
  return exitRight;
#endif
}

// Checks, and grades. Returns the exit code; throws Error when a result is wrong.
template <typename T>
int runExercise(const ExerciseRun<T>& run) {
  const Options& options = run.options;
  const Exercise<T>& exercise = run.exercise;
  const ExerciseRun<T> silent = run.silent();
#ifndef GPU_BACKEND
  checkCard(options);
  if (!options.explore.empty()) return exploreExercise(silent);
  if (options.modeFileOf == "--timeline") return drawExerciseTimeline(silent);
  if (!options.modeFile.empty()) return drawExercise(silent);
#endif
  if (exercise.number > 0) return runSmallExercise(run);
  Report report = startReport(options, exercise.program);
  if (options.n)  // throws when it does not fit
    chooseN(options.n, 0, report.machine,
            [&](uint64_t n) { return Workspace::needs(n, options.block, report.machine); });
  ResultFile file(options.json);
  printMachine(report);
  std::cout << "\nExercise (" << exercise.program << "/exercise.cuh): " << exercise.task << '\n';
  showPrints(run);
  checkResults(silent);
#ifdef GPU_BACKEND
  std::cout << '\n';
  const Extent timed = run.asked(exercise.timed);
  if (timed.n > 0) timeAll(run, timed, report);
  file.write(report);
  return exitRight;
#else
  std::cout << ", under 5 schedules, no fault\n";
  const size_t met = gradeGoals(silent.exercise), all = exercise.goals.size();
  std::cout << (met == all ? "all" : fmt::format("{} of {}", met, all)) << " goals met\n"
            << std::flush;
  if (met == all) tellABetterWay(silent);
  if (options.allCounters) printExerciseCounters(silent);
  if (!options.json.empty()) {
    Report counts = countedExercise(silent, run.asked(exercise.counted.at(0)));
    report.n = counts.n;
    report.block = counts.block;
    report.steps = std::move(counts.steps);
    file.write(report);
  }
  printExerciseEstimates(silent);
  return met == all ? exitRight : exitWrong;
#endif
}

// The same, and whoever has solved it has that kept: on the executor, which counts, and not where
// something else was asked for.
template <typename T>
int runExerciseApart(const ExerciseRun<T>& run) {
#ifdef GPU_BACKEND
  return runExercise(run);
#else
  const int code = runApart([&] { return runExercise(run); });
  const Options& options = run.options;
  const bool isGraded =
      options.explore.empty() && options.modeFile.empty() && !options.n && !options.blockGiven;
  if (isGraded && code == exitRight) keepSolved(run.exercise.program, run.exercise.number);
  return code;
#endif
}

}  // namespace

template <typename T>
Mode exerciseMode(const Exercise<T>& exercise, const std::string& lessonName,
                  const KernelCall<T>& lessonCall) {
  Mode mode{.flag = "--exercise",
            .help = "check and grade the kernel in exercise.cuh",
            .run = [=](const Options& options) {
              return runExerciseApart<T>({options, exercise, lessonName, lessonCall});
            }};
  mode.explore = true;
  mode.takesFileOf = {"--svg", "--timeline"};
  mode.leaveOut.emplace_back("--fast", "looks for faults and counts its goals");
  for (const std::string option : {"--rows", "--cols", "--batch"})
    mode.leaveOut.emplace_back(option, "chooses its own sizes");
  return mode;
}

Mode withSmall(Mode graded, const std::vector<Exercise<int>>& small, const std::string& lessonName,
               const KernelCall<int>& lessonCall) {
  if (small.empty()) return graded;
  graded.help += fmt::format(", or small exercise 1 to {} in practice.cuh", small.size());
  graded.numbers = unsigned(small.size());
  graded.run = [run = graded.run, small, lessonName, lessonCall](const Options& options) {
    if (options.number == 0) return run(options);
    if (!options.json.empty() || options.where || options.modeFileOf == "--timeline")
      throw Error(exitUsage, fmt::format("--exercise {}: not with --json, --where or --timeline",
                                         options.number));
    return runExerciseApart<int>({options, small.at(options.number - 1), lessonName, lessonCall});
  };
  return graded;
}

Mode exerciseMode(const Exercise<int>& exercise, const Step& lessonStep,
                  const std::vector<Exercise<int>>& small) {
  const KernelCall<int> call = callOf(lessonStep);
  return withSmall(exerciseMode(exercise, lessonStep.name, call), small, lessonStep.name, call);
}

template Mode exerciseMode(const Exercise<int>&, const std::string&, const KernelCall<int>&);
template Mode exerciseMode(const Exercise<double>&, const std::string&, const KernelCall<double>&);
