#include "multi_gpu/cards_stopwatch.h"

#include <fmt/core.h>

#include "cuda/device.h"
#include "measure/timer.h"
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
  double exchange = 1e300;
  for (unsigned card = 0; card < step.gpus; ++card) {
    step.partMs[card].second.push_back(cards_.millisecondsBetween(card, 0, 1));
    if (step.partMs.size() > step.gpus)
      exchange = std::min(exchange, cards_.millisecondsBetween(card, 1, 2));
  }
  if (step.partMs.size() > step.gpus) step.partMs.back().second.push_back(exchange);
}

void CardsStopwatch::sampleOnDevice(const Task& task, Before, bool kept, StepResult* step) {
  for (const bool marking : {true, false}) {
    if (marking && step->partMs.empty()) continue;
    if (task.prepare) task.prepare();
    flush();
    cards_.setMarking(marking);
    const double ms = hostMilliseconds([&] { task.run(); });
    cards_.setMarking(false);
    if (kept && marking) addParts(*step);
    if (kept && !marking) step->kernelMs.push_back(ms);
    if (task.finish) task.finish();
    if (task.check) task.check(*step);
  }
}

#else

CardsStopwatch::CardsStopwatch(Cards&, const Options& options, const Report& report)
    : DeviceStopwatch(report.program, report.machine, executorSettings(options)) {}

#endif

std::vector<std::pair<std::string, std::vector<double>>> partsOf(unsigned gpus, bool exchange) {
  std::vector<std::pair<std::string, std::vector<double>>> parts;
  for (unsigned gpu = 0; gpu < gpus; ++gpu)
    parts.emplace_back(fmt::format("GPU {}", gpu), std::vector<double>());
  if (exchange) parts.emplace_back("NCCL", std::vector<double>());
  return parts;
}
