// Races that lose nothing: formally undefined, told apart from those that do harm.
#include "sample.h"

__global__ void foundFlag(const int* in, int* found) {
  if (in[threadIdx.x] % 3 == 0) *found = 1;  // FAULT
}
SAMPLE(foundFlag, 1, 64, benignRace, "all write the same value")

__global__ void foundFlagByManyBlocks(const int* in, int* found) {
  if (in[threadIdx.x] % 3 == 0) *found = 1;  // FAULT
}
SAMPLE(foundFlagByManyBlocks, 4, 32, benignRace, "the same between blocks")

__global__ void foundFlagInSharedMemory(const int* in, int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[threadIdx.x] > 40) found = 1;  // FAULT
  __syncthreads();
  out[threadIdx.x] = found;
}
SAMPLE(foundFlagInSharedMemory, 1, 64, benignRace,
       "the same in shared memory, read behind a barrier")

__global__ void checkBeforeAtomicMax(const int* in, int* best) {
  const int v = in[threadIdx.x];
  if (v > *best) atomicMax(best, v);  // FAULT
}
SAMPLE(checkBeforeAtomicMax, 1, 64, benignRace, "the check only saves atomics; the atomic decides")

__global__ void checkBeforeAtomicMaxByBlocks(const int* in, int* best) {
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (v > *best) atomicMax(best, v);  // FAULT
}
SAMPLE(checkBeforeAtomicMaxByBlocks, 4, 32, benignRace, "the same between blocks")

__global__ void byteFlags(const int* in, unsigned char* marked) {
  marked[in[threadIdx.x] / 4] = 1;  // FAULT
}
SAMPLE(byteFlags, 1, 64, benignRace, "four threads write the same byte, and the same value")

__global__ void flagOfDifferentValues(const int* in, int* found) {
  if (in[threadIdx.x] % 3 == 0) *found = in[threadIdx.x];  // FAULT
}
SAMPLE(flagOfDifferentValues, 1, 64, race, "which value stays is open")

__global__ void flagReadWithoutBarrier(const int* in, int* found, int* out) {
  if (in[threadIdx.x] == 50) *found = 1;  // FAULT
  out[threadIdx.x] = *found;              // FAULT
}
SAMPLE(flagReadWithoutBarrier, 1, 64, race, "some see the flag and some do not")

__global__ void flagByAtomic(const int* in, int* found) {
  if (in[threadIdx.x] % 3 == 0) atomicOr(found, 1);
}
SAMPLE(flagByAtomic, 2, 64, correct, "the flag is set by an atomic")

__global__ void flagByBarrier(const int* in, int* found) {
  const int any = __syncthreads_or(in[threadIdx.x] % 3 == 0);
  if (threadIdx.x == 0) *found = any;
}
SAMPLE(flagByBarrier, 1, 64, correct, "one thread writes what the barrier has found")

__global__ void checkThenPlainWrite(const int* in, int* best) {
  const int v = in[threadIdx.x];
  if (v > atomicMax(best, 0)) *best = v;  // FAULT
}
SAMPLE(checkThenPlainWrite, 1, 64, race, "the check is atomic and the write is not")
