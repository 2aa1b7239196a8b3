// Samples of kernels: times on a GPU, counts on the executor.
#pragma once

#include "cuda/device_array.h"
#include "measure/measure.h"

#ifndef GPU_BACKEND
#include "simt/run/executor.h"
#endif

class DeviceStopwatch : public Stopwatch {
 public:
  // Owns the buffer that flushes the machine's L2; a program makes one stopwatch and keeps it.
#ifdef GPU_BACKEND
  DeviceStopwatch(std::string program, const Machine& machine);
#else
  DeviceStopwatch(std::string program, const Machine& machine, simt::Settings executor);
#endif

  // The same as measure(), for tasks of a sum that share nothing they change: the executor counts
  // them in as many processes as there are cores.
  std::vector<StepResult> measureApart(const std::vector<Task>& tasks, const Sampling& sampling);

 protected:
  void sampleOnDevice(const Task& task, const Sampling& sampling, bool kept,
                      StepResult* step) override;
  bool countsOnly() const override;
  std::string position() const override;

 private:
#ifdef GPU_BACKEND
  void prepare(const Task& task, Before before);
  DeviceArray<char> flush_;
#else
  simt::Settings executor_;
#endif
};
