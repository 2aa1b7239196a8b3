// Device arrays, as programs make them.
#pragma once

#include <cstddef>
#include <string>

namespace simt {

// A device array: zero-cost to reach from kernels, fenced off from its neighbours, aligned to 256
// bytes as cudaMalloc aligns. Contents count as unwritten until markWritten or a kernel's store.
void* allocate(size_t bytes, size_t elementSize, const std::string& name);
void release(void* array);
void markWritten(const void* array, size_t bytes);
void markUnwritten(const void* array, size_t bytes);

// The same for memory of the host that kernels may use: a __device__ variable, say. It counts as
// written. Loads from what is constant are not counted.
void adoptVariable(const void* variable, size_t bytes, size_t elementSize, const std::string& name,
                   bool isConstant);
void forgetVariable(const void* variable);

}  // namespace simt
