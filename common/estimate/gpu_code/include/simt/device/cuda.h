// What kernels may use, for the GPU compiler (clang's device side, without the CUDA Toolkit): the
// names of simt/device/cuda.h, which this folder stands in front of, as instructions of PTX.
#pragma once

#include <bit>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <type_traits>

#include "simt/device/vectors.h"

#include <__clang_cuda_builtin_vars.h>

#define SIMT_AS_DIM3(name)                                                          \
  __attribute__((device)) inline __cuda_builtin_##name##_t::operator dim3() const { \
    return dim3(x, y, z);                                                           \
  }
SIMT_AS_DIM3(threadIdx)
SIMT_AS_DIM3(blockIdx)
SIMT_AS_DIM3(blockDim)
SIMT_AS_DIM3(gridDim)
#undef SIMT_AS_DIM3

// What clang looks for where a kernel is launched; device code alone is made.
struct CUstream_st;
int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, CUstream_st* stream = nullptr);
extern "C" int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                           void* stream = nullptr);

#include "simt/device/atomics.h"
#include "simt/device/copies.h"
#include "simt/device/device_mathematics.h"
#include "simt/device/warp.h"
#pragma clang force_cuda_host_device begin
#define __ffs executors__ffs
#define __funnelshift_l executors__funnelshift_l
#define __funnelshift_r executors__funnelshift_r
#define __mulhi executors__mulhi
#define __sad executors__sad
#define __umulhi executors__umulhi
#define __usad executors__usad
#include "simt/device/intrinsics.h"
#undef __ffs
#undef __funnelshift_l
#undef __funnelshift_r
#undef __mulhi
#undef __sad
#undef __umulhi
#undef __usad
#include "simt/device/rounded.h"
#pragma clang force_cuda_host_device end

static __attribute__((device)) inline clock_t clock() { return clock_t(clock64()); }

// Not stopped at: the executor has told of what fails.
#undef assert
#define assert(condition) ((void)(condition))
namespace simt {
SIMT_BOTH void assertFailed(const char*, const char*, int) {}
}  // namespace simt
