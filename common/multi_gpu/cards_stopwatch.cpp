#include "multi_gpu/cards_stopwatch.h"

#include <fmt/core.h>

#include <algorithm>

#include "cuda/device.h"
#include "program/run.h"

#ifdef GPU_BACKEND

CardsStopwatch::CardsStopwatch(Cards& cards, const Options&, const Report& report)
    : Stopwatch(report.program), cards_(cards), flush_(cards.count()) {
  cards_.run(cards_.count(), [&](unsigned card) {
    flush_[card] =
        std::make_unique<DeviceArray<char>>(4 * report.machine.l2Bytes, "the cache flush");
    flush_[card]->poison();
  });
}

void CardsStopwatch::flush() {
  cards_.run(cards_.count(), [&](unsigned card) {
    flushCache(flush_[card]->data(), flush_[card]->size());
    CUDA_CHECK(cudaDeviceSynchronize());
  });
}

void CardsStopwatch::addParts(StepResult& step) const {
  const std::vector<double> work = cards_.millisecondsBetween(step.gpus, 0, 1);
  for (unsigned card = 0; card < step.gpus; ++card) step.partMs[card].second.push_back(work[card]);
  if (step.partMs.size() == step.gpus) return;
  const std::vector<double> exchange = cards_.millisecondsBetween(step.gpus, 1, 2);
  step.partMs.back().second.push_back(*std::ranges::min_element(exchange));
}

void CardsStopwatch::sampleOnDevice(const Task& task, const Sampling&, bool kept,
                                    StepResult* step) {
  for (const bool marking : {true, false}) {
    if (marking && step->partMs.empty()) continue;
    if (task.prepare) task.prepare();
    flush();
    cards_.setMarking(marking);
    task.run();
    cards_.setMarking(false);
    if (kept && marking) addParts(*step);
    if (kept && !marking) step->kernelMs.push_back(cards_.lastMilliseconds());
    if (task.finish) task.finish();
    if (task.check) task.check(*step);
  }
}

std::vector<StepResult> CardsStopwatch::measure(const std::vector<Task>& tasks,
                                                const Sampling& sampling) {
  return Stopwatch::measure(tasks, sampling);
}

#else

CardsStopwatch::CardsStopwatch(Cards& cards, const Options& options, const Report& report)
    : DeviceStopwatch(report.program, report.machine, executorSettings(options)), cards_(cards) {}

// Each process has counted what its card did.
std::vector<StepResult> CardsStopwatch::measure(const std::vector<Task>& tasks,
                                                const Sampling& sampling) {
  std::vector<StepResult> steps = DeviceStopwatch::measure(tasks, sampling);
  for (StepResult& step : steps) {
    std::vector<Counters> all(cards_.count());
    for (unsigned card = 0; card < cards_.count(); ++card)
      if (cards_.isHere(card)) all[card] = step.counters.value_or(Counters());
    if (!cards_.ranks().several() || !step.counters) continue;
    cards_.share(all);
    step.counters.emplace();
    for (const Counters& counters : all) *step.counters += counters;
  }
  return steps;
}

#endif

std::vector<std::pair<std::string, std::vector<double>>> partsOf(unsigned gpus, bool exchange) {
  std::vector<std::pair<std::string, std::vector<double>>> parts;
  for (unsigned gpu = 0; gpu < gpus; ++gpu)
    parts.emplace_back(fmt::format("GPU {}", gpu), std::vector<double>());
  if (exchange) parts.emplace_back("NCCL", std::vector<double>());
  return parts;
}
