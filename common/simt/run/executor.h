// Runs CUDA kernels on the CPU: one fiber per thread, warps of 32, one block at a time, each thread
// up to its next barrier or warp operation. Counts memory traffic and finds faults on the way.
// Several OS threads may launch kernels at a time, on arrays of their own; settings, and a trace
// that is asked for, are all launches'.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simt/device/vectors.h"
#include "simt/find/fault.h"
#include "simt/find/settings.h"
#include "simt/hardware/counters.h"
#include "simt/run/device_arrays.h"
#include "simt/run/results.h"

namespace simt {

// Runs one launch. call(arguments) is the kernel for one thread; reads of the argumentBytes at
// arguments are the kernel's parameters and not counted. Throws the first Fault that is not mild,
// at the end of the launch where the kernel could go on; invalid sizes throw std::invalid_argument.
void run(dim3 grid, dim3 block, const void* kernel, void (*call)(void*), void* arguments,
         size_t argumentBytes);

// The same for a cooperative launch: its blocks run side by side, and gridBarrier() waits for all.
void runCooperatively(dim3 grid, dim3 block, const void* kernel, void (*call)(void*),
                      void* arguments, size_t argumentBytes);

// The same for a launch in clusters, which divide the grid: the blocks of each run side by side,
// and clusterBarrier() waits for all of them.
void runInClusters(dim3 cluster, dim3 grid, dim3 block, const void* kernel, void (*call)(void*),
                   void* arguments, size_t argumentBytes);

}  // namespace simt
