#include "measure/measure.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

#include "base/progress.h"
#include "measure/timer.h"

namespace {

// "sample 3 of 30", or nothing where there is but one.
std::string sampleName(unsigned round, unsigned warmUps, unsigned rounds) {
  if (round < warmUps) return ", warming up";
  if (rounds - warmUps == 1) return "";
  return fmt::format(", sample {} of {}", round - warmUps + 1, rounds - warmUps);
}

void sampleOnCpu(const Task& task, bool kept, StepResult* step) {
  if (task.prepare) task.prepare();
  const double ms = hostMilliseconds([&] { task.runAll(); });
  if (kept) step->kernelMs.push_back(ms);
  if (task.finish) task.finish();
  if (task.check) task.check(*step);
}

}  // namespace

void Task::runAll() const {
  if (run) run();
  for (const Part& part : parts) part.run();
}

void Stopwatch::sampleOnDevice(const Task&, const Sampling&, bool, StepResult*) {
  throw std::logic_error("this stopwatch times CPU code only");
}

std::vector<StepResult> Stopwatch::measure(const std::vector<Task>& tasks,
                                           const Sampling& sampling) {
  std::vector<StepResult> results;
  std::vector<size_t> first;  // of each task, the place of its step
  for (const Task& task : tasks) {
    first.push_back(results.size());
    results.push_back(task.step);
    for (const Task::Part& part : task.parts) results.push_back(part.step);
  }
  Progress progress(program_, [this] { return position(); });
  std::vector<size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::mt19937 random(1);
  for (unsigned round = 0; round < sampling.warmUps + sampling.samples; ++round) {
    if (sampling.shuffled) std::shuffle(order.begin(), order.end(), random);
    for (const size_t i : order) {
      StepResult* const step = &results[first[i]];
      const bool counted = countsOnly() && !tasks[i].onCpu;
      const unsigned warmUps = counted ? 0 : sampling.warmUps;
      const unsigned rounds = counted ? 1 : sampling.warmUps + sampling.samples;
      const bool slow = step->kernelMs.size() >= 3 && step->kernelMs.front() > sampling.slowMs;
      if (round >= rounds || slow) continue;
      progress.show(step->name + sampleName(round, warmUps, rounds));
      if (tasks[i].onCpu)
        sampleOnCpu(tasks[i], round >= warmUps, step);
      else
        sampleOnDevice(tasks[i], sampling, round >= warmUps, step);
    }
  }
  return results;
}
