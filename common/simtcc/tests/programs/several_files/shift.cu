// nvcc: --relocatable-device-code=true
#include "shift.cuh"

__device__ int nextOf(int value) { return value + 1; }
__global__ void setShift(int by) { shift = by; }
extern "C" void changeShift(int by) { setShift<<<1, 1>>>(by); }
