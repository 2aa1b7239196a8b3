// Copies to shared memory that a thread begins and waits for, for the GPU compiler.
#pragma once

#include "simt/device/warp.h"

namespace simt {

SIMT_DEVICE void beginCopy(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  size_t shared;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(shared) : "l"(to));
  if (zeros == 0 && bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(unsigned(shared)), "l"(from)
                 : "memory");
  } else if (zeros == 0 && bytes == 8) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(unsigned(shared)), "l"(from)
                 : "memory");
  } else if (zeros == 0 && bytes == 4) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(unsigned(shared)), "l"(from)
                 : "memory");
  } else {
    for (size_t i = 0; i < bytes; ++i)
      static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
    for (size_t i = bytes; i < bytes + zeros; ++i) static_cast<char*>(to)[i] = 0;
  }
}
SIMT_DEVICE void commitCopies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
SIMT_DEVICE void waitForCopies(unsigned prior) {
  if (prior == 0)
    asm volatile("cp.async.wait_group 0;" ::: "memory");
  else
    asm volatile("cp.async.wait_group 1;" ::: "memory");
}
SIMT_DEVICE void waitForAllCopies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

}  // namespace simt
