// __syncthreads() between threads that exchange values: there, or missing.
#include "sample.h"

__global__ void reverseWithoutBarrier(const int* in, int* out) {
  __shared__ int tile[64];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];        // FAULT
  out[t] = tile[63 - t];  // FAULT
}
SAMPLE(reverseWithoutBarrier, 1, 64, race, "another warp's element may not be written yet")

__global__ void reverseWithBarrier(const int* in, int* out) {
  __shared__ int tile[64];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[63 - t];
}
SAMPLE(reverseWithBarrier, 1, 64, correct, "a barrier between write and read")

__global__ void broadcastWithoutBarrier(const int* in, int* out) {
  __shared__ int first;
  if (threadIdx.x == 0) first = in[0];  // FAULT
  out[threadIdx.x] = first;             // FAULT
}
SAMPLE(broadcastWithoutBarrier, 1, 64, race, "the others do not wait for thread 0")

__global__ void broadcastByTheLastWithoutBarrier(const int* in, int* out) {
  __shared__ int last;
  if (threadIdx.x == 63) last = in[63];  // FAULT
  out[threadIdx.x] = last;               // FAULT
}
SAMPLE(broadcastByTheLastWithoutBarrier, 1, 64, race,
       "the writer comes last, and still it is a race, not a read of unwritten memory")

__global__ void broadcastWithBarrier(const int* in, int* out) {
  __shared__ int first;
  if (threadIdx.x == 0) first = in[0];
  __syncthreads();
  out[threadIdx.x] = first;
}
SAMPLE(broadcastWithBarrier, 1, 64, correct, "the others wait for thread 0")

__global__ void treeWithoutBarrier(const int* in, int* out) {
  __shared__ int tile[128];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  for (unsigned stride = 64; stride > 0; stride /= 2)
    if (t < stride) tile[t] += tile[t + stride];  // FAULT
  if (t == 0) out[0] = tile[0];                   // FAULT
}
SAMPLE(treeWithoutBarrier, 1, 128, race, "each step reads what the step before has written")

__global__ void treeWithBarrier(const int* in, int* out) {
  __shared__ int tile[128];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  for (unsigned stride = 64; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t == 0) out[0] = tile[0];
}
SAMPLE(treeWithBarrier, 1, 128, correct, "a barrier after each step")

__global__ void tileReusedTooSoon(const int* in, int* out) {
  __shared__ int tile[64];
  const unsigned t = threadIdx.x;
  int sum = 0;
  for (unsigned k = 0; k < 4; ++k) {
    tile[t] = in[k * 64 + t];  // FAULT
    __syncthreads();
    sum += tile[63 - t];  // FAULT
  }
  out[t] = sum;
}
SAMPLE(tileReusedTooSoon, 1, 64, race, "the next turn writes while others still read")

__global__ void tileReusedInTime(const int* in, int* out) {
  __shared__ int tile[64];
  const unsigned t = threadIdx.x;
  int sum = 0;
  for (unsigned k = 0; k < 4; ++k) {
    tile[t] = in[k * 64 + t];
    __syncthreads();
    sum += tile[63 - t];
    __syncthreads();
  }
  out[t] = sum;
}
SAMPLE(tileReusedInTime, 1, 64, correct, "a barrier before and one after the reads")

__global__ void twoTilesInTurn(const int* in, int* out) {
  __shared__ int tiles[2][64];
  const unsigned t = threadIdx.x;
  int sum = 0;
  for (unsigned k = 0; k < 4; ++k) {
    tiles[k % 2][t] = in[k * 64 + t];
    __syncthreads();
    sum += tiles[k % 2][63 - t];
  }
  out[t] = sum;
}
SAMPLE(twoTilesInTurn, 1, 64, correct, "two tiles in turn need one barrier a turn")

__global__ void scanWithOneBarrier(int* out) {
  __shared__ int sums[64];
  const unsigned t = threadIdx.x;
  sums[t] = 1;
  __syncthreads();
  for (unsigned d = 1; d < 64; d *= 2) {
    const int left = t >= d ? sums[t - d] : 0;  // FAULT
    sums[t] += left;                            // FAULT
    __syncthreads();
  }
  out[t] = sums[t];
}
SAMPLE(scanWithOneBarrier, 1, 64, race, "a scan in place writes what a neighbour still reads")

__global__ void scanWithTwoBarriers(int* out) {
  __shared__ int sums[64];
  const unsigned t = threadIdx.x;
  sums[t] = 1;
  __syncthreads();
  for (unsigned d = 1; d < 64; d *= 2) {
    const int left = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += left;
    __syncthreads();
  }
  out[t] = sums[t];
}
SAMPLE(scanWithTwoBarriers, 1, 64, correct, "all have read before anybody writes")

__global__ void transposeWithoutBarrier(const int* in, int* out) {
  __shared__ int tile[16][17];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];   // FAULT
  out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];  // FAULT
}
SAMPLE(transposeWithoutBarrier, 1, dim3(16, 16), race, "rows are read as columns by other warps")

__global__ void transposeWithBarrier(const int* in, int* out) {
  __shared__ int tile[16][17];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
SAMPLE(transposeWithBarrier, 1, dim3(16, 16), correct, "the whole tile is there before it is read")

__global__ void globalExchangeWithoutBarrier(int* a, int* out) {
  const unsigned t = threadIdx.x;
  a[t] = int(t);       // FAULT
  out[t] = a[63 - t];  // FAULT
}
SAMPLE(globalExchangeWithoutBarrier, 1, 64, race, "the same in global memory")

__global__ void globalExchangeWithBarrier(int* a, int* out) {
  const unsigned t = threadIdx.x;
  a[t] = int(t);
  __syncthreads();
  out[t] = a[63 - t];
}
SAMPLE(globalExchangeWithBarrier, 1, 64, correct, "a barrier orders global memory in a block, too")

__global__ void twoThreadsWriteOneSlot(int* out) {
  __shared__ int slots[32];
  const unsigned t = threadIdx.x;
  slots[t % 32] = int(t);  // FAULT
  __syncthreads();
  out[t] = slots[t % 32];
}
SAMPLE(twoThreadsWriteOneSlot, 1, 64, race, "which of two different values stays is open")

__global__ void counterResetTooSoon(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 5;
  __syncthreads();
  out[threadIdx.x] = count;         // FAULT
  if (threadIdx.x == 0) count = 0;  // FAULT
}
SAMPLE(counterResetTooSoon, 1, 64, race, "reset while other warps may still have to read it")

__global__ void indirectIndexCollides(const int* in, int* out) {
  const int bin = in[threadIdx.x] / 2;
  out[bin] = in[threadIdx.x];  // FAULT
}
SAMPLE(indirectIndexCollides, 1, 64, race, "two threads compute the same index from data")

__global__ void indirectIndexIsAPermutation(const int* in, int* out) {
  const int place = in[threadIdx.x] * 5 % 64;
  out[place] = in[threadIdx.x];
}
SAMPLE(indirectIndexIsAPermutation, 1, 64, correct, "every thread has a place of its own")

__global__ void ownElementsOnly(const int* in, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.x] * 2;
}
SAMPLE(ownElementsOnly, 1, 64, correct, "who reads what only he wrote needs no barrier")
