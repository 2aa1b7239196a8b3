// Milliseconds: of launches by the GPU's own events, and of CPU code by the host's clock.
#pragma once

#include <chrono>

#include "cuda/backend.h"

#ifdef GPU_BACKEND
#include "cuda/check.h"

// A moment on the default stream.
class Mark {
 public:
  Mark() { CUDA_CHECK(cudaEventCreate(&event_)); }
  ~Mark() { cudaEventDestroy(event_); }
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;
  void record() { CUDA_CHECK(cudaEventRecord(event_)); }
  // Waits until the GPU has come to this mark.
  double millisecondsSince(const Mark& start) const {
    float ms = 0;
    CUDA_CHECK(cudaEventSynchronize(event_));
    CUDA_CHECK(cudaEventElapsedTime(&ms, start.event_, event_));
    return ms;
  }

 private:
  cudaEvent_t event_{};
};
#endif

template <typename Body>
double hostMilliseconds(Body&& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}
