// Addresses in shared memory, for the GPU compiler: PTX that programs write by hand is PTX here.
#pragma once

#include "simt/device/warp.h"

SIMT_DEVICE size_t __cvta_generic_to_shared(const void* pointer) {
  size_t address;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(pointer));
  return address;
}
SIMT_DEVICE void* __cvta_shared_to_generic(size_t address) {
  void* pointer;
  asm("cvta.shared.u64 %0, %1;" : "=l"(pointer) : "l"(address));
  return pointer;
}
