// Warp operations: masks, lanes that have returned, lanes that never come.
#include "sample.h"

__global__ void laneThatNeverComes(int* out) {
  if (threadIdx.x != 9) out[threadIdx.x] = __shfl_sync(~0u, 1, 0);  // FAULT
  __syncwarp(~0u);                                                  // FAULT
}
SAMPLE(laneThatNeverComes, 1, 32, warpOperation, "lane 9 waits elsewhere", .hangs = true)

__global__ void callerNotInMask(int* out) {
  out[threadIdx.x] = __shfl_sync(1u, 1, 0);  // FAULT
}
SAMPLE(callerNotInMask, 1, 32, warpOperation, "a lane must name itself in its mask", .hangs = true)

__global__ void lanesWithDifferentMasks(int* out) {
  const unsigned mask = threadIdx.x < 16 ? 0xffffffffu : 0xffff0000u;
  out[threadIdx.x] = int(__ballot_sync(mask, 1));  // FAULT
  __syncwarp();                                    // FAULT
}
SAMPLE(lanesWithDifferentMasks, 1, 32, warpOperation, "one half names lanes that name others",
       .hangs = true)

__global__ void shuffleOrBarrier(int* out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_sync(~0u, 1, 0);  // FAULT
  else
    __syncthreads();  // FAULT
}
SAMPLE(shuffleOrBarrier, 1, 32, warpOperation, "half of the mask waits at a barrier", .hangs = true)

__global__ void shuffleFromReturnedLane(const int* in, int* out) {
  const unsigned t = threadIdx.x;
  if (t >= 24) return;
  int sum = in[t];
  sum += __shfl_down_sync(~0u, sum, 16);  // FAULT
  out[t] = sum;                           // FAULT
}
SAMPLE(shuffleFromReturnedLane, 1, 32, warpOperation, "lanes 24 to 31 have no value to give")

__global__ void shuffleFromLaneOutsideMask(const int* in, int* out) {
  if (threadIdx.x < 8) out[threadIdx.x] = __shfl_sync(0xffu, in[threadIdx.x], 20);  // FAULT
}
SAMPLE(shuffleFromLaneOutsideMask, 1, 32, warpOperation, "lane 20 takes no part in the shuffle")

__global__ void shuffleFromMissingLane(const int* in, int* out) {
  out[threadIdx.x] = __shfl_sync(~0u, in[threadIdx.x], 30);  // FAULT
}
SAMPLE(shuffleFromMissingLane, 1, 20, warpOperation, "the block has no lane 30")

__global__ void shuffleOfOddWidth(int* out) {
  out[threadIdx.x] = __shfl_sync(~0u, int(threadIdx.x), 0, 12);  // FAULT
}
SAMPLE(shuffleOfOddWidth, 1, 32, warpOperation, "the width must be a power of two")

__global__ void ballotAfterReturn(int* out, int n) {
  if (int(threadIdx.x) >= n - 1000) return;
  out[threadIdx.x] = int(__ballot_sync(~0u, threadIdx.x % 2));
}
SAMPLE(ballotAfterReturn, 1, 32, correct, "lanes that have returned are not waited for")

__global__ void syncwarpAfterReturn(int* out, int n) {
  __shared__ int tile[32];
  const unsigned t = threadIdx.x;
  if (int(t) >= n - 1000) return;
  tile[t] = int(t);
  __syncwarp();
  out[t] = tile[23 - t];
}
SAMPLE(syncwarpAfterReturn, 1, 32, correct, "lanes that have returned are not waited for")

__global__ void shuffleFromLiveLaneAfterReturn(int* out, int n) {
  if (int(threadIdx.x) >= n - 1000) return;
  out[threadIdx.x] = __shfl_sync(~0u, int(threadIdx.x), 3);
}
SAMPLE(shuffleFromLiveLaneAfterReturn, 1, 32, correct, "the value comes from a lane that is there")

__global__ void shuffleFromReturnedLaneUnused(const int* in, int* out, int n) {
  const int t = int(threadIdx.x), live = n - 1000;
  if (t >= live) return;
  const int own = in[t], right = __shfl_down_sync(~0u, own, 1);
  out[t] = t + 1 < live ? own + right : own;
}
SAMPLE(shuffleFromReturnedLaneUnused, 1, 32, correct,
       "the last lane gets an undefined value and does not use it", .notYet = true)

__global__ void reduceAfterReturn(int* out, int n) {
  if (int(threadIdx.x) >= n - 1000) return;
  out[threadIdx.x] = __any_sync(~0u, threadIdx.x == 5) + __all_sync(~0u, threadIdx.x < 24);
}
SAMPLE(reduceAfterReturn, 1, 32, correct, "votes are among the lanes that are there")

__global__ void maskFromBallot(const int* in, int* out) {
  const int lane = int(threadIdx.x);
  const unsigned mask = __ballot_sync(~0u, in[lane] % 3 == 0);
  if (in[lane] % 3 == 0) out[lane] = __shfl_sync(mask, lane, __ffs(int(mask)) - 1);
}
SAMPLE(maskFromBallot, 1, 32, correct, "exactly the lanes of the mask enter the branch")

__global__ void twoHalvesTwoMasks(int* out) {
  const int lane = int(threadIdx.x);
  if (lane < 16)
    out[lane] = __shfl_xor_sync(0x0000ffffu, lane, 1);
  else
    out[lane] = __shfl_xor_sync(0xffff0000u, lane, 2);
}
SAMPLE(twoHalvesTwoMasks, 1, 32, correct, "each half is complete")

__global__ void shuffleInPartialWarp(const int* in, int* out) {
  int sum = in[threadIdx.x];
  for (unsigned delta = 4; delta > 0; delta /= 2) sum += __shfl_xor_sync(0xffu, sum, int(delta));
  out[threadIdx.x] = sum;
}
SAMPLE(shuffleInPartialWarp, 1, 8, correct, "a block of eight, and a mask of eight")

__global__ void shuffleInLoopOfUnequalTurns(int* out) {
  const int lane = int(threadIdx.x);
  int sum = 0;
  for (int i = 0; i < 2 + lane % 2; ++i) sum += __shfl_xor_sync(~0u, lane, 1);  // FAULT
  out[lane] = sum;
  __syncwarp();  // FAULT
}
SAMPLE(shuffleInLoopOfUnequalTurns, 1, 32, warpOperation, "odd lanes come once more than even ones",
       .hangs = true)
