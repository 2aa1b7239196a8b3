// The CUDA names a kernel may use, for the host compiler: threads are fibers of the executor.
// What is not here does not compile, so a kernel never runs with another meaning than on a GPU.
#pragma once

#include "simt/device/memory_calls.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <type_traits>

#include "simt/device/atomics.h"
#include "simt/device/intrinsics.h"
#include "simt/device/primitives.h"
#include "simt/device/vectors.h"
#include "simt/device/warp.h"

#ifndef SIMT_TRANSLATED  // simtcc sees to these itself
#define __global__
#define __device__
#define __host__
#endif
#define __forceinline__ SIMT_ALWAYS_INLINE
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
// One OS thread runs all fibers of all blocks, one block at a time, so that a thread_local variable
// is exactly one per block. The unused neighbour keeps two shared arrays from touching.
#define SIMT_JOIN_(a, b) a##b
#define SIMT_JOIN(a, b) SIMT_JOIN_(a, b)
#ifdef __clang__
#define SIMT_STATIC thread_local
#else
#define SIMT_STATIC constinit thread_local  // g++ would guard a vector's initialisation otherwise
#endif
#ifndef SIMT_TRANSLATED
#define __shared__                                                          \
  [[maybe_unused]] thread_local char SIMT_JOIN(simt_gap_, __COUNTER__)[256] \
      __attribute__((used, aligned(256)));                                  \
  alignas(16) __attribute__((used)) SIMT_STATIC /* used: it need not be zero that nobody writes */
#endif

// Constant for the thread that reads them, so that the compiler does not treat them as memory
// accesses of the kernel; the executor sets them whenever it switches threads.
extern constinit thread_local const uint3 threadIdx, blockIdx, blockDim, gridDim;

// clang++ copies and clears structs by plain calls of these, which nothing announces: they go to
// the hooks instead.
#if defined(__clang__) && defined(__linux__)
#if __has_feature(thread_sanitizer)
__asm__(".set memcpy, __tsan_memcpy\n.set memmove, __tsan_memmove\n.set memset, __tsan_memset");
#endif
#endif

// In every build of a lesson: the executor is where kernels are tried.
#undef assert
#define assert(condition) \
  ((condition) ? (void)0 : simt::assertFailed(#condition, __FILE__, __LINE__))
