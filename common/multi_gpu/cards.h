// Several GPUs of one machine at work at the same time, under the same names on both backends.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/machine.h"
#include "cuda/device_array.h"

#ifdef GPU_BACKEND
#include <memory>

#include "cuda/mark.h"
#include "multi_gpu/crew.h"
#endif

// Copies count elements to page-locked host memory when all launches before have ended, and does
// not wait for that.
template <typename T>
void copyToHostLater(T* host, const T* device, size_t count) {
#ifdef GPU_BACKEND
  CUDA_CHECK(cudaMemcpyAsync(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
#else
  copyToHost(host, device, count);
#endif
}

// Fills device memory of the GPU in use from host memory.
template <typename T>
void copyFromHost(T* device, const T* host, size_t count) {
#ifdef GPU_BACKEND
  CUDA_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice));
#else
  std::memcpy(device, host, count * sizeof(T));
  simt::markWritten(device, count * sizeof(T));
#endif
}

// The GPUs from number 0 on, each with a thread of its own, to which it is the GPU in use. The
// executor imagines them: they share its memory and have their turns one after the other.
class Cards {
 public:
  // count 0: all there are, and on the executor 4. machine is that of GPU 0. Throws Error:
  // exitUsage when there are not as many or when they are not all alike, exitNoDevice when one
  // cannot be used.
  Cards(unsigned count, const Machine& machine, const std::string& program);
  ~Cards();
  Cards(const Cards&) = delete;
  Cards& operator=(const Cards&) = delete;

  unsigned count() const { return count_; }
  // Bytes that each of them has free: the least of all.
  size_t freeBytes() const { return freeBytes_; }

  // Calls work for the first so many cards at the same time, each on its own GPU, and returns when
  // they are done and the launches have ended, too. Where there is an afterAll, no card begins it
  // before all have come through work: for what uses the others' results. Throws what the first of
  // them threw; ends the program where they do not come back in so many seconds (crew.h); what is
  // for the line that says so.
  using Work = std::function<void(unsigned card)>;
  void run(unsigned cards, const Work& work, const Work& afterAll = {}, const char* what = "work",
           double seconds = 60);

  // Has a card note when all launches before have ended: place 0, 1 or 2. Only while marking is on,
  // as it takes time. And the milliseconds between two of them, once run() is back. The executor
  // notes nothing.
  void setMarking(bool on) { marking_ = on; }
  void mark(unsigned card, unsigned place);
  double millisecondsBetween(unsigned card, unsigned place, unsigned later) const;

 private:
  unsigned count_ = 0;
  size_t freeBytes_ = 0;
  bool marking_ = false;
#ifdef GPU_BACKEND
  void open(unsigned card);
  std::vector<std::unique_ptr<Mark[]>> marks_;  // of each card
  std::unique_ptr<Crew> crew_;
#endif
};
