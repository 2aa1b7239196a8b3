// Wide accesses: their address must be a multiple of their size.
#include "sample.h"

__global__ void int2AtOddElement(const int* in, int* out) {
  const int2 pair = *reinterpret_cast<const int2*>(in + threadIdx.x);  // FAULT
  out[threadIdx.x] = pair.x + pair.y;
}
SAMPLE(int2AtOddElement, 1, 32, misaligned, "8 bytes at a multiple of 4")

__global__ void int2AtEvenElement(const int* in, int* out) {
  const int2 pair = *reinterpret_cast<const int2*>(in + 2 * threadIdx.x);
  out[threadIdx.x] = pair.x + pair.y;
}
SAMPLE(int2AtEvenElement, 1, 32, correct, "8 bytes at a multiple of 8")

__global__ void float4AtTwo(const float* in, float* out) {
  const float4 four = *reinterpret_cast<const float4*>(in + 4 * threadIdx.x + 2);  // FAULT
  out[threadIdx.x] = four.x + four.w;
}
SAMPLE(float4AtTwo, 1, 32, misaligned, "16 bytes at a multiple of 8")

__global__ void intAtOddByte(const char* in, int* out) {
  out[threadIdx.x] = *reinterpret_cast<const int*>(in + 4 * threadIdx.x + 1);  // FAULT
}
SAMPLE(intAtOddByte, 1, 32, misaligned, "an int at an odd address")

__global__ void doubleAtOffsetFour(double* a) {
  a[threadIdx.x] = 1;  // FAULT
}
SAMPLE(doubleAtOffsetFour, 1, 32, misaligned, "the array itself begins at an odd place",
       .first = First::offByFour)

__global__ void vectorAfterBytes(int* out) {
  __shared__ char raw[264];
  int2* const pairs = reinterpret_cast<int2*>(raw + 4);
  pairs[threadIdx.x] = make_int2(1, 2);  // FAULT
  __syncthreads();
  out[threadIdx.x] = raw[8 * threadIdx.x + 4];
}
SAMPLE(vectorAfterBytes, 1, 32, misaligned, "shared memory cut up without regard to alignment")

__global__ void vectorsFromTheStart(int* out) {
  __shared__ int4 quads[16];
  char* const raw = reinterpret_cast<char*>(quads);
  int2* const pairs = reinterpret_cast<int2*>(raw);
  pairs[threadIdx.x] = make_int2(1, 2);
  __syncthreads();
  out[threadIdx.x] = raw[8 * threadIdx.x];
}
SAMPLE(vectorsFromTheStart, 1, 32, correct, "pairs from the start of an aligned array")
