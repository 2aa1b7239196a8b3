// Reads of memory that nobody has written.
#include <cuda/atomic>

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

// ---- What a whole kernel never writes

__global__ void sharedArrayThatNobodyWrites(int* out) {
  __shared__ int tile[32];
  out[threadIdx.x] = tile[threadIdx.x];  // FAULT
}
SAMPLE(sharedArrayThatNobodyWrites, 1, 32, uninitialised, "no thread ever writes to it")

__global__ void sharedNumberThatNobodyWrites(int* out) {
  __shared__ int offset;
  out[threadIdx.x] = offset + 1;  // FAULT
}
SAMPLE(sharedNumberThatNobodyWrites, 1, 32, uninitialised, "the same with a number")

__global__ void sharedVectorThatNobodyWrites(float4* out) {
  __shared__ float4 offset;
  out[threadIdx.x] = offset;  // FAULT
}
SAMPLE(sharedVectorThatNobodyWrites, 1, 32, uninitialised, "the same with a vector")

__device__ int fromTableThatNobodyWrites(unsigned i) {
  __shared__ int table[4][8];
  return table[i / 8][i % 8];  // FAULT
}
__global__ void sharedTableThatNobodyWrites(int* out) {
  out[threadIdx.x] = fromTableThatNobodyWrites(threadIdx.x);
}
SAMPLE(sharedTableThatNobodyWrites, 1, 32, uninitialised,
       "the same in a function, with two dimensions")

__global__ void onlyItsNeighborIsWritten(int* out) {
  __shared__ int written[32];
  __shared__ int unwritten[32];
  written[threadIdx.x] = 1;
  out[threadIdx.x] = written[threadIdx.x] + unwritten[threadIdx.x];  // FAULT
}
SAMPLE(onlyItsNeighborIsWritten, 1, 32, uninitialised, "two arrays are declared, and one is filled")

// ---- Atomics as first stores

__global__ void exchangeAsFirstStore(int* out) {
  atomicExch(out + threadIdx.x, 1);
  out[threadIdx.x] += 1;
}
SAMPLE(exchangeAsFirstStore, 1, 32, correct, "an exchange whose old value nobody uses is a store",
       .first = First::unwritten)

__global__ void exchangeAsFirstStoreOfAFlag(int* out) {
  __shared__ int flag;
  if (threadIdx.x == 0) atomicExch(&flag, 0);
  __syncthreads();
  atomicAdd(&flag, 1);
  __syncthreads();
  out[threadIdx.x] = flag;
}
SAMPLE(exchangeAsFirstStoreOfAFlag, 1, 64, correct, "the same in shared memory")

__global__ void exchangeOfAFloatAsFirstStore(float* out) {
  atomicExch_block(out + threadIdx.x, 1.5f);
  out[threadIdx.x] *= 2;
}
SAMPLE(exchangeOfAFloatAsFirstStore, 1, 32, correct, "the same with a float, for a block",
       .first = First::unwritten)

__global__ void atomicReferenceAsFirstStore(int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> word(out[threadIdx.x]);
  word.store(1);
  out[32 + threadIdx.x] = word.load();
}
SAMPLE(atomicReferenceAsFirstStore, 1, 32, correct, "the same with an atomic reference",
       .first = First::unwritten)

__global__ void exchangeWhoseOldValueIsUsed(int* words, int* out) {
  out[threadIdx.x] = atomicExch(words + threadIdx.x, 1);  // FAULT
}
SAMPLE(exchangeWhoseOldValueIsUsed, 1, 32, uninitialised, "what was there is passed on",
       .first = First::unwritten)

__global__ void exchangeThatDecides(int* words, int* out) {
  if (atomicExch(words + threadIdx.x, 1) == 0) out[threadIdx.x] = 1;  // FAULT
}
SAMPLE(exchangeThatDecides, 1, 32, uninitialised, "what was there decides",
       .first = First::unwritten)

__global__ void exchangeOfAReferenceIsUsed(int* words, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> word(words[threadIdx.x]);
  out[threadIdx.x] = word.exchange(1);  // FAULT
}
SAMPLE(exchangeOfAReferenceIsUsed, 1, 32, uninitialised, "the same with an atomic reference",
       .first = First::unwritten)

__global__ void maximumOfUnwritten(int* words) {
  atomicMax(words + threadIdx.x, 1);  // FAULT
}
SAMPLE(maximumOfUnwritten, 1, 32, uninitialised, "the greater of 1 and what was there",
       .first = First::unwritten)
