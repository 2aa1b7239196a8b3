// Samples of work on several GPUs: by the host's clock, from the first launch to the end of all.
#pragma once

#include <memory>
#include <vector>

#include "measure/device_stopwatch.h"
#include "multi_gpu/cards.h"
#include "program/options.h"

#ifdef GPU_BACKEND

// A sample's run is one Cards::run. Every L2 is flushed before. What the task's step names in
// partMs is timed in a run of its own, by marks: "GPU 0" and so on from mark 0 to 1 of that one,
// and "NCCL" from mark 1 to 2 of the one that waited least for others.
class CardsStopwatch : public Stopwatch {
 public:
  CardsStopwatch(Cards& cards, const Options& options, const Report& report);

  // Called alike by all processes, each of which has the cards that are here.
  std::vector<StepResult> measure(const std::vector<Task>& tasks, const Sampling& sampling);

 protected:
  void sampleOnDevice(const Task& task, const Sampling& sampling, bool kept,
                      StepResult* step) override;

 private:
  void flush();
  void addParts(StepResult& step) const;
  Cards& cards_;
  std::vector<std::unique_ptr<DeviceArray<char>>> flush_;
};

#else

class CardsStopwatch : public DeviceStopwatch {
 public:
  CardsStopwatch(Cards& cards, const Options& options, const Report& report);

  std::vector<StepResult> measure(const std::vector<Task>& tasks, const Sampling& sampling);

 private:
  Cards& cards_;
};

#endif

// The parts that a step on so many GPUs has, for StepResult::partMs.
std::vector<std::pair<std::string, std::vector<double>>> partsOf(unsigned gpus, bool exchange);
