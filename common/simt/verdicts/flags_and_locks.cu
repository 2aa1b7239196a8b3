// Threads that wait for each other in a loop.
#include <cuda/atomic>

#include "sample.h"

__device__ void lock(int* mutex) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
}

__global__ void lockAroundSum(int* mutex, int* sum) {
  lock(mutex);
  __threadfence();
  *sum += 1;
  __threadfence();
  atomicExch(mutex, 0);
}
SAMPLE(lockAroundSum, 2, 32, correct, "lock, fence, update, fence, unlock")

__global__ void lockWithoutFence(int* mutex, int* sum) {
  lock(mutex);
  *sum += 1;  // FAULT
  atomicExch(mutex, 0);
}
SAMPLE(lockWithoutFence, 2, 32, race, "the next owner need not see what the last one wrote")

__global__ void unlockBeforeTheLastWrite(int* mutex, int* sum, int* out) {
  lock(mutex);
  __threadfence();
  *sum += 1;  // FAULT
  __threadfence();
  atomicExch(mutex, 0);
  out[blockIdx.x * blockDim.x + threadIdx.x] = *sum;  // FAULT
}
SAMPLE(unlockBeforeTheLastWrite, 2, 32, race, "the sum is read after the lock was given back")

__global__ void unlockByPlainStore(int* mutex, int* sum) {
  while (atomicCAS(mutex, 0, 1) != 0) {  // FAULT
  }
  __threadfence();
  *sum += 1;  // FAULT
  __threadfence();
  *mutex = 0;  // FAULT
}
SAMPLE(unlockByPlainStore, 2, 1, race, "a plain store beside the atomics of those who wait")

__global__ void twoLocksForOneSum(int* mutexes, int* sum) {
  int* const mutex = mutexes + threadIdx.x % 2;
  lock(mutex);
  __threadfence();
  *sum += 1;  // FAULT
  __threadfence();
  atomicExch(mutex, 0);
}
SAMPLE(twoLocksForOneSum, 1, 64, race, "odd and even threads hold different locks")

__global__ void lockTakenTwice(int* mutex, int* sum) {
  lock(mutex);
  *sum += 1;
  while (atomicCAS(mutex, 0, 1) != 0) {  // FAULT
  }
}
SAMPLE(lockTakenTwice, 1, 1, endlessLoop, "it waits for itself", .hangs = true)

__global__ void locksInOppositeOrder(int* mutexes, int* arrived) {
  int* const first = mutexes + threadIdx.x;
  int* const second = mutexes + 1 - threadIdx.x;
  lock(first);
  atomicAdd(arrived, 1);
  while (atomicAdd(arrived, 0) < 2) {
  }
  while (atomicCAS(second, 0, 1) != 0) {  // FAULT
  }
}
SAMPLE(locksInOppositeOrder, 1, 2, endlessLoop, "each holds what the other one needs",
       .hangs = true)

__global__ void ticketLock(unsigned* ticket, unsigned* serving, int* sum) {
  const unsigned mine = atomicAdd(ticket, 1u);
  while (atomicAdd(serving, 0u) != mine) {
  }
  __threadfence();
  *sum += 1;
  __threadfence();
  atomicAdd(serving, 1u);
}
SAMPLE(ticketLock, 2, 32, correct, "threads are served in the order of their tickets")

__global__ void flagByFenceAndAtomic(int* value, int* flag, int* out) {
  if (threadIdx.x == 40) {
    *value = 7;
    __threadfence();
    atomicExch(flag, 1);
  }
  if (threadIdx.x == 3) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = *value;
  }
}
SAMPLE(flagByFenceAndAtomic, 1, 64, correct, "fence and atomic, atomic and fence")

__global__ void flagWithoutFence(int* value, int* flag, int* out) {
  if (threadIdx.x == 40) {
    *value = 7;  // FAULT
    atomicExch(flag, 1);
  }
  if (threadIdx.x == 3) {
    while (atomicAdd(flag, 0) == 0) {
    }
    out[0] = *value;  // FAULT
  }
}
SAMPLE(flagWithoutFence, 1, 64, race, "the flag may be seen before the value")

__global__ void flagByReleaseAndAcquire(int* value, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *value = 7;
    ready.store(1, cuda::memory_order_release);
  }
  if (blockIdx.x == 1 && threadIdx.x == 5) {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    out[0] = *value;
  }
}
SAMPLE(flagByReleaseAndAcquire, 2, 32, correct, "a released store, an acquiring load")

__global__ void flagByRelaxedAtomics(int* value, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *value = 7;  // FAULT
    ready.store(1, cuda::memory_order_relaxed);
  }
  if (blockIdx.x == 1 && threadIdx.x == 5) {
    while (ready.load(cuda::memory_order_relaxed) == 0) {
    }
    out[0] = *value;  // FAULT
  }
}
SAMPLE(flagByRelaxedAtomics, 2, 32, race, "relaxed atomics order nothing else")

__global__ void plainFlag(int* value, volatile int* flag, int* out) {
  if (threadIdx.x == 40) {
    *value = 7;  // FAULT
    *flag = 1;   // FAULT
  }
  if (threadIdx.x == 3) {
    while (*flag == 0) {  // FAULT
    }
    out[0] = *value;  // FAULT
  }
}
SAMPLE(plainFlag, 1, 64, race, "a volatile flag is no atomic one", .hangs = true)

__global__ void flagThatNobodySets(int* flag, int* out) {
  while (atomicAdd(flag, 0) == 0) {  // FAULT
  }
  out[threadIdx.x] = 1;
}
SAMPLE(flagThatNobodySets, 1, 32, endlessLoop, "waits for ever", .hangs = true)

__global__ void chainOfBlocks(int* value, int* turn) {
  if (threadIdx.x != 0) return;
  while (atomicAdd(turn, 0) != int(blockIdx.x)) {
  }
  __threadfence();
  *value = *value * 2 + 1;
  __threadfence();
  atomicAdd(turn, 1);
}
SAMPLE(chainOfBlocks, 4, 32, correct, "each block waits for the one before it")
