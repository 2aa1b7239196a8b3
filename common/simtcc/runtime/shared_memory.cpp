// Memory that a library's algorithms, which run on the host, share with the device.
#include <cstdlib>
#include <new>

#include "simt/memory/arrays.h"
#include "simt/run/block.h"
#include "simt/run/device_arrays.h"
#include "simtcc/include/shared_memory_of_libraries.h"
#include "simtcc/runtime/host_access.h"
#include "simtcc/runtime/runtime.h"

namespace simt {

bool shareDeviceMemory(const char* library) {
  const RuntimeLock locked;
  if (!isOpenToHost())
    for (const Array* array : allArrays())
      markWritten(reinterpret_cast<const void*>(array->begin), array->end - array->begin);
  openToHost();
  reportOtherUse(
      std::string("Algorithms of ") + library +
      " run on the host: they are not counted, and not searched for faults. The device's "
      "memory counts as written, and the host may touch it.");
  return true;
}

void* allocateShared(size_t bytes) {
  if (isInKernel()) return std::malloc(bytes);
  void* memory = nullptr;
  if (bytes > 0 && cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal, {"vector", 4}) != 0)
    throw std::bad_alloc();
  return memory;
}

void freeShared(void* memory) {
  if (isInKernel()) return std::free(memory);
  cudaFree(memory);
}

}  // namespace simt
