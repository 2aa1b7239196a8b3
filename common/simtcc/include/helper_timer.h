// The stopwatch of NVIDIA's samples, for programs that came without it. It measures this CPU.
#pragma once

#include <chrono>

struct StopWatchInterface {
  std::chrono::steady_clock::time_point begin;
  float total = 0;  // milliseconds of finished intervals
  int intervals = 0;
  bool runs = false;

  float now() const {
    const std::chrono::duration<float, std::milli> passed =
        std::chrono::steady_clock::now() - begin;
    return runs ? total + passed.count() : total;
  }
};

inline bool sdkCreateTimer(StopWatchInterface** timer) {
  *timer = new StopWatchInterface;
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
  (*timer)->begin = std::chrono::steady_clock::now();
  (*timer)->runs = true;
  return true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
  (*timer)->total = (*timer)->now();
  (*timer)->runs = false;
  ++(*timer)->intervals;
  return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
  (*timer)->total = 0;
  (*timer)->intervals = 0;
  (*timer)->begin = std::chrono::steady_clock::now();
  return true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) { return (*timer)->now(); }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
  return (*timer)->intervals > 0 ? (*timer)->total / float((*timer)->intervals) : 0.0f;
}
