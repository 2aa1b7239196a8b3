#pragma once
#include <cuda_runtime.h>

extern __device__ int shift;
namespace constants {
extern __constant__ int factor;
}
__device__ int nextOf(int value);
#ifdef __cplusplus
extern "C" {
#endif
void launchTwice(int *values, int n);
void changeShift(int by);
#ifdef __cplusplus
}
#endif
