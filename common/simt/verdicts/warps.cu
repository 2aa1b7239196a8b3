// Lanes of one warp: they run in no common step unless __syncwarp() makes them.
#include "sample.h"

__global__ void volatileWarpUnroll(const int* in, int* out) {
  __shared__ int tile[64];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];            // FAULT
  tile[t + 32] = in[t + 32];  // FAULT
  volatile int* const mine = tile + t;
  mine[0] = mine[0] + mine[32];  // FAULT
  mine[0] = mine[0] + mine[16];  // FAULT
  mine[0] = mine[0] + mine[8];   // FAULT
  mine[0] = mine[0] + mine[4];   // FAULT
  mine[0] = mine[0] + mine[2];   // FAULT
  mine[0] = mine[0] + mine[1];   // FAULT
  if (t == 0) out[0] = tile[0];  // FAULT
}
SAMPLE(volatileWarpUnroll, 1, 32, race, "volatile does not make a lane wait for another")

__global__ void warpTree(const int* in, int* out) {
  __shared__ int tile[32];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  __syncwarp();
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncwarp();
  }
  if (t == 0) out[0] = tile[0];
}
SAMPLE(warpTree, 1, 32, correct, "__syncwarp after each step")

__global__ void neighbourLaneWithoutSyncwarp(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = int(threadIdx.x);             // FAULT
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 32];  // FAULT
}
SAMPLE(neighbourLaneWithoutSyncwarp, 1, 32, race, "lanes of a warp need __syncwarp between")

__global__ void neighbourLaneWithSyncwarp(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = int(threadIdx.x);
  __syncwarp();
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 32];
}
SAMPLE(neighbourLaneWithSyncwarp, 1, 32, correct, "__syncwarp orders the lanes' accesses")

__global__ void shuffleIsNoBarrier(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = int(threadIdx.x);  // FAULT
  const int zero = __shfl_sync(~0u, 0, 0);
  out[threadIdx.x] = tile[31 - threadIdx.x] + zero;  // FAULT
}
SAMPLE(shuffleIsNoBarrier, 1, 32, race, "a shuffle orders no memory accesses")

__global__ void ballotIsNoBarrier(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = int(threadIdx.x);  // FAULT
  const unsigned all = __ballot_sync(~0u, 1);
  out[threadIdx.x] = tile[31 - threadIdx.x] + int(all);  // FAULT
}
SAMPLE(ballotIsNoBarrier, 1, 32, race, "a vote orders no memory accesses")

__global__ void syncwarpAcrossWarps(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = int(threadIdx.x);  // FAULT
  __syncwarp();
  out[threadIdx.x] = tile[63 - threadIdx.x];  // FAULT
}
SAMPLE(syncwarpAcrossWarps, 1, 64, race, "__syncwarp does not reach the other warp")

__global__ void syncwarpWithinWarps(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = int(threadIdx.x);
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x ^ 31];
}
SAMPLE(syncwarpWithinWarps, 1, 64, correct, "partners are in the same warp")

__global__ void halfWarpReadsTheOtherHalf(int* out) {
  __shared__ int tile[32];
  const unsigned t = threadIdx.x;
  tile[t] = int(t);  // FAULT
  if (t < 16)
    __syncwarp(0x0000ffff);
  else
    __syncwarp(0xffff0000);
  out[t] = tile[31 - t];  // FAULT
}
SAMPLE(halfWarpReadsTheOtherHalf, 1, 32, race, "each half waits only for itself")

__global__ void halfWarpReadsItself(int* out) {
  __shared__ int tile[32];
  const unsigned t = threadIdx.x;
  tile[t] = int(t);
  if (t < 16)
    __syncwarp(0x0000ffff);
  else
    __syncwarp(0xffff0000);
  out[t] = tile[t ^ 15];
}
SAMPLE(halfWarpReadsItself, 1, 32, correct, "each half reads what itself has written")

__global__ void warpWritesAfterOthersRead(int* out) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 1;
  __syncthreads();
  out[threadIdx.x] = word;  // FAULT
  __syncwarp();
  if (threadIdx.x == 0) word = 2;  // FAULT
}
SAMPLE(warpWritesAfterOthersRead, 1, 64, race, "its own warp has read, the other one perhaps not")

__global__ void warpPrivateSlices(int* out) {
  __shared__ int slices[4][32];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  slices[warp][lane] = int(lane);
  __syncwarp();
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    if (lane < stride) slices[warp][lane] += slices[warp][lane + stride];
    __syncwarp();
  }
  if (lane == 0) out[warp] = slices[warp][0];
}
SAMPLE(warpPrivateSlices, 1, 128, correct, "each warp has shared memory of its own")

__global__ void shuffleReduction(const int* in, int* out) {
  int sum = in[threadIdx.x];
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(~0u, sum, delta);
  if (threadIdx.x == 0) out[0] = sum;
}
SAMPLE(shuffleReduction, 1, 32, correct, "values go from register to register")

__global__ void warpLeaderWithoutSyncwarp(int* out) {
  __shared__ int leader[2];
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 7) leader[warp] = 3;  // FAULT
  out[threadIdx.x] = leader[warp];              // FAULT
}
SAMPLE(warpLeaderWithoutSyncwarp, 1, 64, race, "lanes do not wait for the one in the branch")
