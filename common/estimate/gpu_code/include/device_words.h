// CUDA's words, before anything else: clang's own headers ask for them.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __cluster_dims__(...)
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...)

#include <stdlib.h>
extern "C" {
__device__ void* malloc(size_t bytes);
__device__ void free(void* memory);
__device__ int printf(const char* format, ...);
}
