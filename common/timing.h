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

#ifdef __CUDACC__
// Milliseconds of kernel() alone: between CUDA events that are queued while the GPU is still busy
// with prepare(), so that the time the host takes for a launch is not in them.
template <typename Prepare, typename Kernel>
double timeKernel(Prepare&& prepare, Kernel&& kernel) {
  static Event start, stop;
  prepare();
  start.record();
  kernel();
  stop.record();
  return stop.millisecondsSince(start);
}
#endif

// Runs prepare(), kernel() and finish(), which fetches the answer to the host. kernelMs is the
// kernel alone, answerMs the kernel and finish() by the host's clock; on a GPU in a second run,
// that starts when the GPU is idle.
template <typename Prepare, typename Kernel, typename Finish>
Sample timeOnce(Prepare&& prepare, Kernel&& kernel, Finish&& finish) {
  using Clock = std::chrono::steady_clock;
  const auto milliseconds = [](Clock::duration d) {
    return std::chrono::duration<double, std::milli>(d).count();
  };
  Sample sample;
#ifdef __CUDACC__
  sample.kernelMs = timeKernel(prepare, kernel);
  prepare();
  CUDA_CHECK(cudaDeviceSynchronize());
  const auto begin = Clock::now();
  kernel();
  finish();
  sample.answerMs = milliseconds(Clock::now() - begin);
#else
  prepare();
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
