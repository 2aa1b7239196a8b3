// For the gpu backend only: when the GPU came to a place in its default stream.
#pragma once

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
