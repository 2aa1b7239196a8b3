// Runs CUDA kernels on the CPU: one fiber per thread, warps of 32, one block at a time, each thread
// up to its next barrier or warp operation. Counts memory traffic and finds faults on the way.
// Not thread-safe: launch kernels from one OS thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simt/device/vectors.h"
#include "simt/find/block_races.h"
#include "simt/find/fault.h"
#include "simt/find/settings.h"
#include "simt/hardware/counters.h"
#include "simt/run/device_arrays.h"
#include "simt/run/position.h"

namespace simt {

// What the launches since the last call found, mild faults included, in the order in which it was
// found: distinct ones only, and no more than a screenful of each launch.
std::vector<Fault> takeFaults();

// Counters of all launches since the last call.
Counters takeCounters();
void addCounters(const Counters& counted);  // what was counted elsewhere

// What the kernel of the next launches is called in reports; "" for the name of the function at its
// address.
void setKernelName(const std::string& name);

// Runs one launch. call(arguments) is the kernel for one thread; reads of the argumentBytes at
// arguments are the kernel's parameters and not counted. Throws the first Fault that is not mild,
// at the end of the launch where the kernel could go on; invalid sizes throw std::invalid_argument.
void run(dim3 grid, dim3 block, const void* kernel, void (*call)(void*), void* arguments,
         size_t argumentBytes);

// The same for a cooperative launch: its blocks run side by side, and gridBarrier() waits for all.
void runCooperatively(dim3 grid, dim3 block, const void* kernel, void (*call)(void*),
                      void* arguments, size_t argumentBytes);

}  // namespace simt
