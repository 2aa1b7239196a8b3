// What an exercise takes on a card: as it came, as it is in exercise.cuh now, and solved. A kernel
// that has been timed on the card has its recorded time and no other; of one that has not, the
// timing model says what it would take, unless it is wrong about those that have.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/table.h"
#include "base/text.h"
#include "cuda/device_array.h"
#include "estimate/card.h"
#include "exercise/exercise_run.h"
#include "exercise/trial.h"
#include "program/estimates.h"
#include "program/recorded_kernels.h"
#include "report/tables.h"

namespace {

const std::string start = "exercise.cuh as it came", now = "exercise.cuh now",
                  solution = "solution.cuh";

// By how much an estimate may be off a recorded time before nobody is shown estimates like it.
constexpr double mostOff = 0.25;
// What is faster by less may as well not be.
constexpr double clearlyFaster = 1.05;

template <typename T>
struct NamedCall {
  std::string name;
  KernelCall<T> call;
};

template <typename T>
std::vector<NamedCall<T>> callsOf(const ExerciseRun<T>& run) {
  std::vector<NamedCall<T>> calls = {{start, run.exercise.start},
                                     {now, run.exercise.call},
                                     {solution, run.exercise.solution},
                                     {run.lessonName, run.lessonCall}};
  std::erase_if(calls, [](const NamedCall<T>& one) { return !one.call; });
  return calls;
}

// The times of these kernels that were recorded on the card of the options, by the rows' names.
template <typename T>
class Recorded {
 public:
  explicit Recorded(const ExerciseRun<T>& run) {
    const estimate::Card card = estimate::findCard(run.options.card);
    const std::string file = "exercise_" + run.exercise.program.substr(0, 2) + ".json";
    if (card.key.empty() || run.exercise.counted.at(0).columns > 0) return;
    const std::optional<Report> times = recordNamed(card.key + "_" + file),
                                counts = recordNamed("cpu_" + file);
    if (!times || !counts || !times->machine.name.starts_with(card.name)) return;
    file_ = card.key + "_" + file;
    extent_ = {times->n, times->block};
    const Report counted = countedExercise(run, {counts->n, counts->block});
    for (const StepResult& step : counted.steps)
      for (const StepResult& then : counts->steps) {
        const StepResult* const timed = times->find(then.name);
        if (timed && timed->isTimed() && then.name != now && step.counters &&
            step.counters == then.counters && (step.name == now || step.name == then.name))
          ms_.emplace_back(step.name, spreadOf(timed->kernelMs).median);
      }
  }
  bool isEmpty() const { return ms_.empty(); }
  const std::string& file() const { return file_; }
  Extent extent() const { return extent_; }
  double of(const std::string& name) const {
    for (const auto& [step, ms] : ms_)
      if (step == name) return ms;
    return 0;
  }

 private:
  std::string file_;
  Extent extent_ = {0};
  std::vector<std::pair<std::string, double>> ms_;
};

double estimated(const Report& report, const std::string& name) {
  const StepResult* const step = report.find(name);
  return step && step->estimate ? step->estimate->ms : 0;
}

// What the model says of these calls, as the options want it, where it is wanted.
template <typename T>
Report estimatesOf(const ExerciseRun<T>& run, const std::vector<NamedCall<T>>& calls, Extent extent,
                   const Options& options,
                   const std::function<bool(const std::string& name)>& isWanted) {
  Report report{.program = run.exercise.program, .block = extent.block};
  std::vector<EstimatedTask> tasks;
  for (const auto& [name, call] : calls) {
    const bool hasBase = run.exercise.start && (name == now || name == solution);
    report.steps.push_back(
        {.lesson = run.exercise.program, .name = name, .basedOn = hasBase ? start : ""});
    if (isWanted(name))
      tasks.push_back({name, [call = call, extent] { launchUnchecked(call, extent); }});
  }
  if (!tasks.empty()) addEstimates(report, tasks, extent.elements(), options);
  return report;
}

// Why nothing that the model says of such kernels is shown, or nothing.
template <typename T>
std::string doubts(const ExerciseRun<T>& run, const Recorded<T>& recorded, const Report& report,
                   Extent extent) {
  Report judged = report;
  if (extent.n != recorded.extent().n || extent.block != recorded.extent().block) {
    Options options = run.options;
    options.where = false;
    judged = estimatesOf(run, callsOf(run), recorded.extent(), options,
                         [](const std::string& name) { return name == start || name == solution; });
  }
  for (const std::string& name : {start, solution}) {
    const double ms = recorded.of(name), says = estimated(judged, name);
    if (ms > 0 && says > 0 && std::abs(says / ms - 1) > mostOff)
      return fmt::format(
          "No estimate of exercise.cuh now: of {} at {} the timing model says {:.4f} ms, and the "
          "card took {:.4f}.\n",
          name, recorded.extent().text(), says, ms);
  }
  return "";
}

void printBesideRecorded(const Report& report, const std::function<double(std::string)>& recordedMs,
                         bool doubted) {
  Table table;
  table.add({"kernel", "recorded ms", "estimated ms"});
  for (const StepResult& step : report.steps) {
    const double ms = recordedMs(step.name), says = estimated(report, step.name);
    table.add({step.name, ms > 0 ? fixed(ms, 4) : "–",
               ms == 0 && says > 0 && !doubted ? fixed(says, 4) : "–"});
  }
  table.print();
}

// Whoever finds a better way than the solution is told so.
void praise(const Report& report) {
  const double ms = estimated(report, now), solved = estimated(report, solution);
  if (ms > 0 && solved > clearlyFaster * ms)
    std::cout << fmt::format(
        "By the timing model, exercise.cuh now is {:.2f} × as fast as solution.cuh: a better "
        "way.\n",
        solved / ms);
}

}  // namespace

template <typename T>
Report countedExercise(const ExerciseRun<T>& run, Extent extent) {
  const std::vector<T> values = exerciseData(run.exercise, extent, {run.options.seed});
  const size_t count = run.exercise.reference(values, extent).size();
  Report report{.program = run.exercise.program, .n = extent.elements(), .block = extent.block};
  for (const NamedCall<T>& one : callsOf(run)) {
    DeviceArray<T> data(values.size(), "data");
    DeviceArray<T> results(std::max(count, values.size() / 32 + 1), "results");
    data.copyFromHost(values.data());
    const std::optional<Counters> counted =
        countsOf([&] { one.call(data.data(), results.data(), extent); });
    report.steps.push_back({.lesson = run.exercise.program,
                            .name = one.name,
                            .blocks = simt::position().blocks,
                            .counters = counted});
  }
  return report;
}

template <typename T>
void printExerciseEstimates(const ExerciseRun<T>& run) {
  const Options& options = run.options;
  const Extent extent = run.estimatedExtent();
  if (!options.estimate || extent.n == 0) return;
  const Recorded<T> recorded(run);
  const bool atRecorded =
      extent.n == recorded.extent().n && extent.block == recorded.extent().block;
  const bool isKnown = atRecorded && recorded.of(now) > 0;
  std::cout << '\n';
  const Report report =
      estimatesOf(run, callsOf(run), extent, options, [&](const std::string& name) {
        if (isKnown) return options.where && name == now;
        return !atRecorded || recorded.of(name) == 0 || name == start || name == solution;
      });
  const std::string doubt =
      recorded.isEmpty() || isKnown ? "" : doubts(run, recorded, report, extent);
  if (atRecorded && !recorded.isEmpty()) {
    std::cout << fmt::format("On an {} at {}; recorded is what was measured ({}):\n",
                             estimate::findCard(options.card).name, extent.text(), recorded.file());
    printBesideRecorded(
        report, [&](const std::string& name) { return recorded.of(name); }, !doubt.empty());
  } else if (doubt.empty()) {
    printEstimates(
        report, [](const StepResult&) { return 0.0; }, "× as it came");
  }
  std::cout << doubt;
  if (doubt.empty() && !isKnown) praise(report);
}

template Report countedExercise(const ExerciseRun<int>&, Extent);
template Report countedExercise(const ExerciseRun<double>&, Extent);
template void printExerciseEstimates(const ExerciseRun<int>&);
template void printExerciseEstimates(const ExerciseRun<double>&);
