// Atomics within a block, and what they do not protect.
#include "sample.h"

__global__ void plainIncrement(int* count) {
  *count += 1;  // FAULT
}
SAMPLE(plainIncrement, 1, 64, race, "a read and a write with nothing between threads")

__global__ void atomicIncrement(int* count) { atomicAdd(count, 1); }
SAMPLE(atomicIncrement, 2, 64, correct, "one atomic update each")

__global__ void readBesideAtomics(int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, 1);                  // FAULT
  if (threadIdx.x == 0) out[0] = total;  // FAULT
}
SAMPLE(readBesideAtomics, 1, 64, race, "others may still add when thread 0 reads")

__global__ void readAfterAtomics(int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = total;
}
SAMPLE(readAfterAtomics, 1, 64, correct, "a barrier between the sum and its use")

__global__ void resetBesideAtomics(int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;  // FAULT
  atomicAdd(&total, 1);             // FAULT
  __syncthreads();
  if (threadIdx.x == 0) out[0] = total;
}
SAMPLE(resetBesideAtomics, 1, 64, race, "others may add before thread 0 has set it to 0")

__global__ void sharedHistogram(const int* in, int* out) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x] % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
SAMPLE(sharedHistogram, 2, 64, correct, "atomics in shared memory, then in global memory")

__global__ void histogramWithoutAtomics(const int* in, int* out) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[in[threadIdx.x] % 16] += 1;  // FAULT
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
SAMPLE(histogramWithoutAtomics, 1, 64, race, "two threads add to one bin")

__global__ void histogramResetTooLate(const int* in, int* out) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;  // FAULT
  atomicAdd(&bins[in[threadIdx.x] % 16], 1);    // FAULT
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
SAMPLE(histogramResetTooLate, 1, 64, race, "no barrier between clearing and counting")

__global__ void maximumWithoutAtomic(const int* in, int* best) {
  if (in[threadIdx.x] > *best) *best = in[threadIdx.x];  // FAULT
}
SAMPLE(maximumWithoutAtomic, 1, 64, race, "a check and a write that others come between")

__global__ void maximumByAtomic(const int* in, int* best) { atomicMax(best, in[threadIdx.x]); }
SAMPLE(maximumByAtomic, 1, 64, correct, "check and write in one")

__global__ void plainStoreBesideCas(int* owner, int* out) {
  if (threadIdx.x < 63)
    out[threadIdx.x] = atomicCAS(owner, 0, int(threadIdx.x) + 1);  // FAULT
  else
    *owner = 0;  // FAULT
}
SAMPLE(plainStoreBesideCas, 1, 64, race, "a plain store is no release of what a CAS has taken")

__global__ void addByCas(float* sum) {
  int* const bits = reinterpret_cast<int*>(sum);
  int old = atomicAdd(bits, 0), assumed;
  do {
    assumed = old;
    union {
      int i;
      float f;
    } value{assumed};
    value.f += 1;
    old = atomicCAS(bits, assumed, value.i);
  } while (old != assumed);
}
SAMPLE(addByCas, 1, 64, correct, "the loop goes on until nobody came between")

__global__ void casStartsWithPlainRead(unsigned* sum) {
  unsigned old = *sum, assumed;  // FAULT
  do {
    assumed = old;
    old = atomicCAS(sum, assumed, assumed * 2 + 1);  // FAULT
  } while (old != assumed);
}
SAMPLE(casStartsWithPlainRead, 1, 64, benignRace,
       "the plain read is only a guess that the atomic checks; the Programming Guide does it")

__global__ void slotsByTicket(int* next, int* out) {
  const int slot = atomicAdd(next, 1);
  out[slot] = int(threadIdx.x);
}
SAMPLE(slotsByTicket, 2, 64, correct, "every thread draws a number of its own")

__global__ void slotsWithoutTicket(int* next, int* out) {
  const int slot = *next;  // FAULT
  *next = slot + 1;        // FAULT
  out[slot] = int(threadIdx.x);
}
SAMPLE(slotsWithoutTicket, 1, 64, race, "two threads draw the same number")

__global__ void firstComeByExchange(int* taken, int* out) {
  if (atomicExch(taken, 1) == 0) out[0] = int(threadIdx.x);
}
SAMPLE(firstComeByExchange, 2, 64, correct, "one thread only finds it free")

__global__ void wideStoreOverAtomics(unsigned long long* words) {
  int* const low = reinterpret_cast<int*>(words);
  if (threadIdx.x < 63)
    atomicAdd(low + 1, 1);  // FAULT
  else
    words[0] = 0;  // FAULT
}
SAMPLE(wideStoreOverAtomics, 1, 64, race, "an 8-byte store covers the 4 bytes of an atomic")

__global__ void atomicsOnNeighbours(int* out) { atomicAdd(&out[threadIdx.x], int(threadIdx.x)); }
SAMPLE(atomicsOnNeighbours, 1, 64, correct, "each on an element of its own")
