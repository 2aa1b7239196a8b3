// Streams for kernels that may run at the same time. The executor runs every launch at once and in
// order, which is one of the orders that streams allow.
#pragma once

#include <algorithm>
#include <vector>

#include "cuda/backend.h"

#ifdef GPU_BACKEND
#include "cuda/check.h"

struct Stream {
  cudaStream_t handle = nullptr;  // the default stream
};

// Streams beside the default one; the first has the highest priority. fork() makes them wait for
// what the default stream was given so far, and join() makes it wait for them. Throws Error.
class Streams {
 public:
  explicit Streams(unsigned count) : streams_(count), events_(count + 1) {
    int lowest = 0, highest = 0;
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    for (unsigned i = 0; i < count; ++i)
      CUDA_CHECK(cudaStreamCreateWithPriority(&streams_[i].handle, cudaStreamNonBlocking,
                                              std::min(lowest, highest + int(i))));
    for (cudaEvent_t& event : events_)
      CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  ~Streams() {
    for (const Stream& stream : streams_) cudaStreamDestroy(stream.handle);
    for (const cudaEvent_t event : events_) cudaEventDestroy(event);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  Stream operator[](unsigned i) const { return streams_[i]; }
  void fork() {
    CUDA_CHECK(cudaEventRecord(events_.back()));
    for (const Stream& stream : streams_)
      CUDA_CHECK(cudaStreamWaitEvent(stream.handle, events_.back()));
  }
  void join() {
    for (size_t i = 0; i < streams_.size(); ++i) {
      CUDA_CHECK(cudaEventRecord(events_[i], streams_[i].handle));
      CUDA_CHECK(cudaStreamWaitEvent(nullptr, events_[i]));
    }
  }

 private:
  std::vector<Stream> streams_;
  std::vector<cudaEvent_t> events_;
};

#else

struct Stream {};

class Streams {
 public:
  explicit Streams(unsigned) {}
  Stream operator[](unsigned) const { return {}; }
  void fork() {}
  void join() {}
};

#endif
