// Barriers that not all threads of the block reach, or not the same one.
#include "sample.h"

__global__ void barrierInBranchOthersReturn(int* out) {
  if (threadIdx.x < 32) __syncthreads();  // FAULT
  out[threadIdx.x] = 1;
}
SAMPLE(barrierInBranchOthersReturn, 1, 64, missedBarrier, "the others return and never come")

__global__ void barrierAfterEarlyReturn(int* out, int n) {
  if (int(threadIdx.x) >= n - 984) return;
  __syncthreads();  // FAULT
  out[threadIdx.x] = 1;
}
SAMPLE(barrierAfterEarlyReturn, 1, 64, missedBarrier, "24 threads have returned before")

__global__ void barrierOftenerThanOthers(int* out) {
  for (unsigned i = 0; i < 1 + threadIdx.x / 32; ++i) __syncthreads();  // FAULT
  out[threadIdx.x] = 1;
}
SAMPLE(barrierOftenerThanOthers, 1, 64, missedBarrier, "warp 1 comes twice, warp 0 once")

__global__ void barrierAfterThreadsLeftTheLoop(int* out) {
  for (unsigned i = 0; i < 4; ++i) {
    if (threadIdx.x == i) return;
    __syncthreads();  // FAULT
    out[threadIdx.x] = int(i);
  }
}
SAMPLE(barrierAfterThreadsLeftTheLoop, 1, 64, missedBarrier, "each turn one thread fewer comes")

__global__ void barrierInBothBranches(int* out) {
  if (threadIdx.x < 32) {
    out[threadIdx.x] = 1;
    __syncthreads();  // FAULT
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();  // FAULT
  }
}
SAMPLE(barrierInBothBranches, 1, 64, barrier, "two barriers, and half of the block at each")

__device__ void publish(int* out, int value) {
  out[threadIdx.x] = value;
  __syncthreads();  // FAULT
}
__global__ void helperCalledFromTwoBranches(int* out) {
  if (threadIdx.x < 32)
    publish(out, 1);  // FAULT
  else
    publish(out + 64, 2);  // FAULT
  out[threadIdx.x] += 1;
}
SAMPLE(helperCalledFromTwoBranches, 1, 64, barrier, "one line, but reached by two calls")

__device__ __attribute__((noinline)) void meet() { __syncthreads(); }  // FAULT
__global__ void functionCalledFromTwoBranches(int* out) {
  if (threadIdx.x < 32) {
    out[threadIdx.x] = 1;
    meet();  // FAULT
  } else {
    meet();  // FAULT
    out[threadIdx.x] = 2;
  }
}
SAMPLE(functionCalledFromTwoBranches, 1, 64, barrier, "one instruction, but reached by two calls")

__global__ void barrierInLoopAndBehindIt(int* out) {
  for (unsigned i = 0; i < 1 + threadIdx.x / 32; ++i) {
    __syncthreads();  // FAULT
    out[threadIdx.x] = int(i);
  }
  __syncthreads();  // FAULT
}
SAMPLE(barrierInLoopAndBehindIt, 1, 64, barrier, "one warp waits in the loop, the other behind it")

__global__ void barrierInSwitch(int* out) {
  switch (threadIdx.x / 32) {
    case 0:
      out[threadIdx.x] = 1;
      __syncthreads();  // FAULT
      break;
    case 1:
      __syncthreads();  // FAULT
      out[threadIdx.x] = 2;
      break;
    default: break;
  }
  out[threadIdx.x] += 3;
}
SAMPLE(barrierInSwitch, 1, 64, barrier, "each case has a barrier of its own")

__global__ void countingBarrierBesidePlainOne(int* out) {
  if (threadIdx.x < 32)
    out[threadIdx.x] = __syncthreads_count(1);  // FAULT
  else
    __syncthreads();  // FAULT
}
SAMPLE(countingBarrierBesidePlainOne, 1, 64, barrier, "barriers of two kinds")

__global__ void barrierAfterBreak(int* out) {
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x >= 32 && i == 1) break;
    __syncthreads();  // FAULT
    out[threadIdx.x] = i;
  }
  __syncthreads();  // FAULT
  out[threadIdx.x] = 9;
}
SAMPLE(barrierAfterBreak, 1, 64, barrier, "a warp leaves the loop earlier")

__global__ void barrierInUnequalNestedTurns(int* out) {
  for (unsigned outer = 0; outer < 2; ++outer) {
    const unsigned turns = threadIdx.x < 32 ? outer + 1 : 2 - outer;
    for (unsigned i = 0; i < turns; ++i) __syncthreads();  // FAULT
    out[threadIdx.x] = int(outer);
  }
}
SAMPLE(barrierInUnequalNestedTurns, 1, 64, barrier, "three times each, but in different turns",
       .notYet = true)

__global__ void barrierInUniformBranch(int* out, int n) {
  if (n > 5) __syncthreads();
  out[threadIdx.x] = 1;
}
SAMPLE(barrierInUniformBranch, 1, 64, correct, "the condition is the same for all threads")

__global__ void barrierInUniformLoop(int* out, int n) {
  for (int i = 0; i < n - 1020; ++i) {
    out[(int(threadIdx.x) + i) % 64] = i;
    __syncthreads();
  }
}
SAMPLE(barrierInUniformLoop, 1, 64, correct, "every thread turns as often")

__device__ void waitForAll() { __syncthreads(); }
__global__ void helperCalledTwiceByAll(int* out) {
  out[threadIdx.x] = 1;
  waitForAll();
  out[63 - threadIdx.x] += 2;
  waitForAll();
  out[threadIdx.x] += 3;
}
SAMPLE(helperCalledTwiceByAll, 1, 64, correct, "all threads make both calls")

__global__ void wholeBlockReturns(int* out) {
  if (blockIdx.x == 1) return;
  __syncthreads();
  out[threadIdx.x + 64 * blockIdx.x] = 1;
}
SAMPLE(wholeBlockReturns, 3, 64, correct, "all threads of a block return, or none")

__global__ void loopUntilAllAreDone(int* out) {
  int left = int(threadIdx.x) % 5;
  while (__syncthreads_or(left > 0))
    if (left > 0) --left;
  out[threadIdx.x] = left;
}
SAMPLE(loopUntilAllAreDone, 1, 64, correct, "the barrier itself tells all threads to go on")

__global__ void returnAfterLastBarrier(int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 7;
  __syncthreads();
  if (threadIdx.x != 0) return;
  out[0] = total;
}
SAMPLE(returnAfterLastBarrier, 1, 64, correct, "nobody waits for threads that return now")
