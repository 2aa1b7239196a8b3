// Kernels that are there once more, without instrumentation.
#pragma once

#include "simt/threads/thread_block.h"

namespace simt {

// While one lives, the call is of that code: for blocks that run plain. Where there is none, they
// run what is instrumented, whose calls are left out (left_out_calls.h).
class PlainKernel {
 public:
  explicit PlainKernel(const KernelCall& call);
  ~PlainKernel();
  PlainKernel(const PlainKernel&) = delete;
  PlainKernel& operator=(const PlainKernel&) = delete;

 private:
  const KernelCall& call_;
  const void** called_ = nullptr;
};

}  // namespace simt
