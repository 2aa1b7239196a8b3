// nvcc: --relocatable-device-code=true
// also: several_files/shift.cu several_files/main.cpp
// Device functions and variables of one file in the kernels of another, and host code of a third.
#include "several_files/shift.cuh"

__device__ int shift = 5;
__constant__ int constants::factor = 2;

extern "C" __global__ void twice(int *values, int n) {
  const int i = threadIdx.x;
  if (i < n) values[i] = nextOf(values[i]) * constants::factor + shift;
}
extern "C" void launchTwice(int *values, int n) { twice<<<1, 32>>>(values, n); }
// prints: 7
// prints: 116
