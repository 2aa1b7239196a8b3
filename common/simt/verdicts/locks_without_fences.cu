// Locks whose owner goes on without a fence: what the last owner wrote is seen on the GPUs there
// are, but nothing promises it. And what looks like one and is not.
#include <cuda/atomic>

#include "sample.h"

__global__ void lockWithoutFenceBehind(int* mutex, int* sum) {
  while (atomicCAS(mutex, 0, 1) != 0) {  // FAULT
  }
  *sum += 1;  // FAULT
  __threadfence();
  atomicExch(mutex, 0);
}
SAMPLE(lockWithoutFenceBehind, 2, 32, missingFence, "a fence before it is given back, none behind")

__global__ void lockWithoutFenceBehindInOneBlock(int* mutex, int* sum) {
  while (atomicCAS(mutex, 0, 1) != 0) {  // FAULT
  }
  *sum += 1;  // FAULT
  __threadfence();
  atomicExch(mutex, 0);
}
SAMPLE(lockWithoutFenceBehindInOneBlock, 1, 64, missingFence, "the same among threads of a block")

__global__ void lockByExchangeWithoutFenceBehind(int* mutex, int* sum) {
  while (atomicExch(mutex, 1) != 0) {  // FAULT
  }
  *sum += 1;  // FAULT
  __threadfence();
  atomicExch(mutex, 0);
}
SAMPLE(lockByExchangeWithoutFenceBehind, 2, 32, missingFence, "the same, taken by an exchange")

__global__ void lockTriedWithoutFenceBehind(int* mutex, int* sum) {
  for (bool done = false; !done;) {
    if (atomicCAS(mutex, 0, 1) != 0) continue;  // FAULT
    *sum += 1;                                  // FAULT
    __threadfence();
    atomicExch(mutex, 0);
    done = true;
  }
}
SAMPLE(lockTriedWithoutFenceBehind, 2, 32, missingFence, "the same, tried again and again")

__global__ void lockGivenBackByCompareAndSwap(int* mutex, int* sum) {
  while (atomicCAS(mutex, 0, 1) != 0) {  // FAULT
  }
  *sum += 1;  // FAULT
  __threadfence();
  atomicCAS(mutex, 1, 0);
}
SAMPLE(lockGivenBackByCompareAndSwap, 2, 32, missingFence, "the same, given back by another CAS")

__global__ void fenceBehindTheFirstUpdate(int* mutex, int* sum, int* count) {
  while (atomicCAS(mutex, 0, 1) != 0) {  // FAULT
  }
  *sum += 1;  // FAULT
  __threadfence();
  *count += 1;
  __threadfence();
  atomicExch(mutex, 0);
}
SAMPLE(fenceBehindTheFirstUpdate, 2, 32, missingFence, "the fence comes one update too late")

__global__ void lockOfAStruct(int* mutex, float3* sums) {
  while (atomicCAS(mutex, 0, 1) != 0) {  // FAULT
  }
  sums[0].x += 1;  // FAULT
  sums[0].y += 2;
  __threadfence();
  atomicExch(mutex, 0);
}
SAMPLE(lockOfAStruct, 2, 32, missingFence, "two members of a struct, under one lock")

__global__ void lockOfAListPerBucket(int* mutexes, int* sums) {
  int* const mutex = mutexes + threadIdx.x % 4;
  while (atomicCAS(mutex, 0, 1) != 0) {  // FAULT
  }
  sums[threadIdx.x % 4] += 1;  // FAULT
  __threadfence();
  atomicExch(mutex, 0);
}
SAMPLE(lockOfAListPerBucket, 2, 32, missingFence, "a lock for each of four buckets")

__global__ void lockWithFencesForEachBucket(int* mutexes, int* sums) {
  int* const mutex = mutexes + threadIdx.x % 4;
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  __threadfence();
  sums[threadIdx.x % 4] += 1;
  __threadfence();
  atomicExch(mutex, 0);
}
SAMPLE(lockWithFencesForEachBucket, 2, 32, correct, "a lock for each of four buckets, with fences")

__global__ void lockByExchangeWithFences(int* mutex, int* sum) {
  while (atomicExch(mutex, 1) != 0) {
  }
  __threadfence();
  *sum += 1;
  __threadfence();
  atomicExch(mutex, 0);
}
SAMPLE(lockByExchangeWithFences, 2, 32, correct, "taken by an exchange, with fences")

__global__ void placesClaimedByCompareAndSwap(const int* in, int* owners, int* out) {
  const unsigned place = unsigned(in[threadIdx.x]) % 16;
  if (atomicCAS(owners + place, 0, int(threadIdx.x) + 1) == 0) out[place] = int(threadIdx.x);
}
SAMPLE(placesClaimedByCompareAndSwap, 1, 64, correct,
       "who claims a place is the only one to write it")

__global__ void maximumByCompareAndSwap(const int* in, int* best) {
  int seen = atomicAdd(best, 0);
  while (seen < in[threadIdx.x]) {
    const int before = atomicCAS(best, seen, in[threadIdx.x]);
    if (before == seen) break;
    seen = before;
  }
}
SAMPLE(maximumByCompareAndSwap, 4, 64, correct, "an atomic of one's own, made of CAS")

__global__ void lastBlockAddsWithoutFenceBehind(int* partial, unsigned* done, int* total) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = int(blockIdx.x);
    __threadfence();
    last = atomicInc(done, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0)
    for (unsigned i = 0; i < gridDim.x; ++i) *total += partial[i];
}
SAMPLE(lastBlockAddsWithoutFenceBehind, 4, 32, correct,
       "as in the Programming Guide: no lock, a count")

// ---- Turns

__global__ void lockAndBarrierByTurns(int* mutex, int* sum) {
  for (int turn = 0; turn < 40; ++turn) {
    if (threadIdx.x % 32 == 0) {
      while (atomicCAS(mutex, 0, 1) != 0) {
      }
      __threadfence();
      *sum += 1;
      __threadfence();
      atomicExch(mutex, 0);
    }
    __syncthreads();
  }
}
SAMPLE(lockAndBarrierByTurns, 2, 64, correct, "two warps of each block take the lock in each turn")

__global__ void lockForgottenInTheLastTurn(int* mutex, int* sum) {
  for (int turn = 0; turn < 20; ++turn) {
    if (threadIdx.x == 0) {
      const bool locks = turn < 19;
      while (locks && atomicCAS(mutex, 0, 1) != 0) {
      }
      __threadfence();
      *sum += 1;  // FAULT
      __threadfence();
      if (locks) atomicExch(mutex, 0);
    }
    __syncthreads();
  }
}
SAMPLE(lockForgottenInTheLastTurn, 2, 64, race, "nineteen turns with the lock, and one without")

__global__ void turnsPassedFromBlockToBlock(int* turn, int* values) {
  for (int i = 0; i < 20; ++i) {
    if (threadIdx.x == 0) {
      while (atomicAdd(turn, 0) % int(gridDim.x) != int(blockIdx.x)) {
      }
      __threadfence();
    }
    __syncthreads();
    values[threadIdx.x] += int(blockIdx.x);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(turn, 1);
  }
}
SAMPLE(turnsPassedFromBlockToBlock, 3, 32, correct,
       "a token goes round, with barriers on both sides")

__global__ void turnsPassedTooEarly(int* turn, int* values) {
  for (int i = 0; i < 20; ++i) {
    if (threadIdx.x == 0) {
      while (atomicAdd(turn, 0) % int(gridDim.x) != int(blockIdx.x)) {
      }
      __threadfence();
    }
    __syncthreads();
    values[threadIdx.x] += int(blockIdx.x);  // FAULT
    __threadfence();
    if (threadIdx.x == 0) atomicAdd(turn, 1);
  }
}
SAMPLE(turnsPassedTooEarly, 3, 64, race, "the token goes on before the block's other warp is done")
