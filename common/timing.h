// The one place that knows how to time a step.
#pragma once

#include <chrono>

#include "check.h"
#include "counters.h"

#ifndef __CUDACC__
#include "simt/executor.h"
#endif

// One run of a step: milliseconds on a GPU, and for functions on the CPU; counts on the executor.
struct Sample {
  double kernelMs = 0, answerMs = 0;
  Counters counters;
};

#ifdef __CUDACC__

class Event {
 public:
  Event() { CUDA_CHECK(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record() { CUDA_CHECK(cudaEventRecord(event_)); }
  double millisecondsSince(const Event& start) const {
    float ms = 0;
    CUDA_CHECK(cudaEventSynchronize(event_));
    CUDA_CHECK(cudaEventElapsedTime(&ms, start.event_, event_));
    return ms;
  }

 private:
  cudaEvent_t event_{};
};

#endif

// Runs kernel() and then finish(), which fetches the answer to the host. kernelMs is the kernel
// alone (between CUDA events; on the CPU by its clock), answerMs all of it by the host's clock.
template <typename Kernel, typename Finish>
Sample timeOnce(Kernel&& kernel, Finish&& finish) {
  using Clock = std::chrono::steady_clock;
  const auto milliseconds = [](Clock::duration d) {
    return std::chrono::duration<double, std::milli>(d).count();
  };
  Sample sample;
#ifdef __CUDACC__
  static Event start, stop;
  CUDA_CHECK(cudaDeviceSynchronize());
  const auto begin = Clock::now();
  start.record();
  kernel();
  stop.record();
  finish();
  sample.answerMs = milliseconds(Clock::now() - begin);
  sample.kernelMs = stop.millisecondsSince(start);
#else
  simt::takeCounters();
  const auto begin = Clock::now();
  kernel();
  const auto end = Clock::now();
  finish();
  sample.answerMs = milliseconds(Clock::now() - begin);
  sample.kernelMs = milliseconds(end - begin);
  sample.counters = simt::takeCounters();
#endif
  return sample;
}
