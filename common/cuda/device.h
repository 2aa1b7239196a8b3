// The device itself, under the same names on both backends.
#pragma once

#include "base/machine.h"
#include "cuda/backend.h"

// True when there is a device that this program can use: on the cpu backend always.
bool deviceAvailable();

// Makes this GPU the one to use and describes it; on the cpu backend describes the CPU. Throws
// Error (exitNoDevice) when there is no GPU, (exitUsage) when there is none of that number.
Machine selectDevice(int device, const std::string& program);

// Multiprocessors of the GPU in use; on the cpu backend those that the executor's settings say.
unsigned multiprocessors();

// True when the kernel was compiled for this compute capability (80 for 8.0) or a later one: only
// then does it contain what its source asks for under a test of __CUDA_ARCH__. On the cpu backend
// always.
bool compiledFor(const void* kernel, int capability);

// Reads so many bytes of device memory. With four times its size, L2 holds nothing else afterwards,
// and no line that still must be written back. Does not wait for the GPU. The executor has no
// caches: nothing is done there.
void flushCache(const char* data, size_t bytes);

// Keeps the GPU busy for some 20 microseconds without touching memory. Does not wait for it.
void keepBusy();
