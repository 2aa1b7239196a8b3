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

// How many bits wide the memory bus of the GPU in use is; 0 on the cpu backend.
unsigned memoryBusBits();

// How many blocks of so many threads of this kernel a multiprocessor of the GPU in use holds at
// once: its threads, registers and shared memory decide. The executor holds 2,048 threads on each.
unsigned blocksThatFit(const void* kernel, unsigned threads);

// True when the kernel was compiled for this compute capability (80 for 8.0) or a later one: only
// then does it contain what its source asks for under a test of __CUDA_ARCH__. On the cpu backend
// always.
bool compiledFor(const void* kernel, int capability);

// Reads so many bytes of device memory. With four times its size, L2 holds nothing else afterwards,
// and no line that still must be written back. Does not wait for the GPU. The executor has no
// caches: nothing is done there.
void flushCache(const char* data, size_t bytes);

// Makes the default stream wait until the host calls letGo(), so that everything launched between
// the two is queued before any of it runs; two milliseconds at most, should a launch itself need
// the GPU. The executor has no queue: nothing is done there.
void hold();
void letGo();

// Reads n elements from a 16-byte boundary on, with so many loads of 16 bytes for each thread of a
// block (4, 8 or 16), and does nothing with them but for what keeps the compiler from leaving the
// loads out. Elements from 0 to 255. GPU only.
void readAndDiscard(const int* data, size_t n, unsigned loads, unsigned threads);

// Launches a kernel that does nothing, in one block: what any launch takes. GPU only.
void launchNothing();
