// Reads of memory that nobody has written.
#include "sample.h"

__global__ void inputNeverWritten(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // FAULT
}
SAMPLE(inputNeverWritten, 1, 32, uninitialised, "the array was never filled",
       .first = First::unwritten)

__global__ void addsToUnwritten(int* out) {
  out[threadIdx.x] += 1;  // FAULT
}
SAMPLE(addsToUnwritten, 1, 32, uninitialised, "the sum has no start", .first = First::unwritten)

__global__ void atomicOnUnwritten(int* out) {
  atomicAdd(out, 1);  // FAULT
}
SAMPLE(atomicOnUnwritten, 1, 32, uninitialised, "the counter has no start",
       .first = First::unwritten)

__global__ void tileHalfWritten(int* out) {
  __shared__ int tile[64];
  if (threadIdx.x < 32) tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];  // FAULT
}
SAMPLE(tileHalfWritten, 1, 64, uninitialised, "the upper half of the tile has no values")

__global__ void tileFullyWritten(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x < 32 ? 1 : 0;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
SAMPLE(tileFullyWritten, 1, 64, correct, "zeros where there is no element")

__global__ void sharedMemoryOfTheBlockBefore(int* out) {
  __shared__ int kept[32];
  if (blockIdx.x == 0) kept[threadIdx.x] = 5;
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = kept[threadIdx.x];  // FAULT
}
SAMPLE(sharedMemoryOfTheBlockBefore, 2, 32, uninitialised, "each block has a new shared memory")

__global__ void sharedCounterWithoutStart(int* out) {
  __shared__ int count;
  atomicAdd(&count, 1);  // FAULT
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}
SAMPLE(sharedCounterWithoutStart, 1, 32, uninitialised, "shared memory does not start at zero")

__global__ void haloNeverWritten(const int* in, int* out) {
  __shared__ int tile[66];
  const unsigned t = threadIdx.x;
  tile[t + 1] = in[t];
  __syncthreads();
  out[t] = tile[t] + tile[t + 2];  // FAULT
}
SAMPLE(haloNeverWritten, 1, 64, uninitialised, "the tile's two ends have no values")

__global__ void writtenByAnotherThread(int* out) {
  out[63 - threadIdx.x] = 4;
  __syncthreads();
  out[threadIdx.x] += 1;
}
SAMPLE(writtenByAnotherThread, 1, 64, correct, "written by another thread, before the barrier",
       .first = First::unwritten)

__global__ void writtenInTheNextPhase(int* out) {
  __shared__ int word;
  const int early = threadIdx.x == 0 ? word : 0;  // FAULT
  __syncthreads();
  if (threadIdx.x == 1) word = 1;
  __syncthreads();
  out[threadIdx.x] = word + early;
}
SAMPLE(writtenInTheNextPhase, 1, 64, uninitialised, "written, but behind the barrier")
