// Locks: threads that wait in a loop until another one has given back what only one may have.
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

// ---- Ways to take a lock and to give it back

__global__ void lockWithBackoff(int* mutex, int* sum) {
  for (unsigned pause = 1; atomicCAS(mutex, 0, 1) != 0; pause = pause < 64 ? 2 * pause : pause)
    __nanosleep(pause);
  __threadfence();
  *sum += 1;
  __threadfence();
  atomicExch(mutex, 0);
}
SAMPLE(lockWithBackoff, 3, 32, correct, "who does not get it waits longer each time")

__global__ void lockTriedBesideOtherWork(int* mutex, int* sum, int* tried) {
  for (bool done = false; !done;) {
    if (atomicCAS(mutex, 0, 1) == 0) {
      __threadfence();
      *sum += 1;
      __threadfence();
      atomicExch(mutex, 0);
      done = true;
    } else {
      atomicAdd(tried, 1);
    }
  }
}
SAMPLE(lockTriedBesideOtherWork, 3, 32, correct, "each try that fails is counted by an atomic")

__global__ void lockByAcquireAndRelease(int* mutex, int* sum) {
  cuda::atomic_ref<int, cuda::thread_scope_device> held(*mutex);
  while (held.exchange(1, cuda::memory_order_acquire) != 0) {
  }
  *sum += 1;
  held.store(0, cuda::memory_order_release);
}
SAMPLE(lockByAcquireAndRelease, 2, 32, correct, "the exchange acquires, the store releases")

__global__ void lockReleasedRelaxed(int* mutex, int* sum) {
  cuda::atomic_ref<int, cuda::thread_scope_device> held(*mutex);
  while (held.exchange(1, cuda::memory_order_acquire) != 0) {
  }
  *sum += 1;  // FAULT
  held.store(0, cuda::memory_order_relaxed);
}
SAMPLE(lockReleasedRelaxed, 2, 32, race, "the store that unlocks releases nothing")

__global__ void lockTakenRelaxed(int* mutex, int* sum) {
  cuda::atomic_ref<int, cuda::thread_scope_device> held(*mutex);
  while (held.exchange(1, cuda::memory_order_relaxed) != 0) {
  }
  *sum += 1;  // FAULT
  held.store(0, cuda::memory_order_release);
}
SAMPLE(lockTakenRelaxed, 2, 32, race, "the exchange that locks acquires nothing")

__global__ void lockOfABlock(int* mutex, int* sums) {
  if (threadIdx.x == 0) lock(mutex);
  __syncthreads();
  sums[threadIdx.x] += 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(mutex, 0);
}
SAMPLE(lockOfABlock, 3, 64, correct, "one thread locks for its block, with barriers on both sides")

__global__ void lockOfABlockGivenBackEarly(int* mutex, int* sums) {
  if (threadIdx.x == 0) lock(mutex);
  __syncthreads();
  sums[threadIdx.x] += 1;  // FAULT
  __threadfence();
  if (threadIdx.x == 0) atomicExch(mutex, 0);
}
SAMPLE(lockOfABlockGivenBackEarly, 3, 64, race, "no barrier before it is given back")

__global__ void lockWithFencesOfTheBlock(int* mutex, int* sum) {
  if (threadIdx.x != 0) return;
  lock(mutex);
  __threadfence_block();
  *sum += 1;  // FAULT
  __threadfence_block();
  atomicExch(mutex, 0);
}
SAMPLE(lockWithFencesOfTheBlock, 2, 32, race, "fences of a block order nothing for another one")

__global__ void lockWithFencesInOneBlock(int* mutex, int* sum) {
  lock(mutex);
  __threadfence_block();
  *sum += 1;
  __threadfence_block();
  atomicExch(mutex, 0);
}
SAMPLE(lockWithFencesInOneBlock, 1, 64, correct, "only this block takes the lock")

__global__ void lockOfTheWrongScope(int* mutex, int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS_block(mutex, 0, 1) != 0) {  // FAULT
  }
  __threadfence();
  *sum += 1;  // FAULT
  __threadfence();
  atomicExch_block(mutex, 0);  // FAULT
}
SAMPLE(lockOfTheWrongScope, 2, 32, race, "atomics of a block are none for another one")

__global__ void lockInSharedMemory(int* sum) {
  __shared__ int mutex;
  if (threadIdx.x == 0) mutex = 0;
  __syncthreads();
  if (threadIdx.x != 7) return;
  lock(&mutex);
  __threadfence();
  *sum += 1;  // FAULT
  __threadfence();
  atomicExch(&mutex, 0);
}
SAMPLE(lockInSharedMemory, 2, 32, race, "each block has a lock of its own for a sum of all")

__global__ void lockNeverGivenBack(int* mutex, int* sum, int n) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(mutex, 0, 1) != 0) {  // FAULT
  }
  __threadfence();
  if (*sum < n) return;
  __threadfence();
  atomicExch(mutex, 0);
}
SAMPLE(lockNeverGivenBack, 2, 32, endlessLoop, "it returns with the lock in its hands",
       .hangs = true)

__global__ void lockHeldAtABarrier(int* mutex, int* sum) {
  while (atomicCAS(mutex, 0, 1) != 0) {  // FAULT
  }
  __syncthreads();
  *sum += 1;
  atomicExch(mutex, 0);
}
SAMPLE(lockHeldAtABarrier, 1, 64, endlessLoop,
       "who holds it waits for the others, who wait for the lock", .hangs = true)

__global__ void twoMayHoldIt(int* free, int* sum) {
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicExch(free, 2);
  if (threadIdx.x != 0) return;
  for (bool mine = false; !mine;) {
    const int seen = atomicAdd(free, 0);
    mine = seen > 0 && atomicCAS(free, seen, seen - 1) == seen;
  }
  __threadfence();
  *sum += 1;  // FAULT
  __threadfence();
  atomicAdd(free, 1);
}
SAMPLE(twoMayHoldIt, 4, 32, race, "a semaphore lets two in, and the sum stands one", .notYet = true)

__global__ void preparedOnceSeenPlainly(int* mutex, int* ready, int* value, int* out) {
  if (threadIdx.x != 0) return;
  if (*ready == 0) {  // FAULT
    lock(mutex);
    __threadfence();
    if (*ready == 0) {
      *value = 7;  // FAULT
      __threadfence();
      *ready = 1;  // FAULT
    }
    __threadfence();
    atomicExch(mutex, 0);
  }
  out[blockIdx.x] = *value;  // FAULT
}
SAMPLE(preparedOnceSeenPlainly, 4, 32, race,
       "the first look at ready is not ordered with its write")

// ---- Tickets

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

__global__ void ticketLockWithoutFence(unsigned* ticket, unsigned* serving, int* sum) {
  const unsigned mine = atomicAdd(ticket, 1u);
  while (atomicAdd(serving, 0u) != mine) {
  }
  *sum += 1;  // FAULT
  atomicAdd(serving, 1u);
}
SAMPLE(ticketLockWithoutFence, 2, 32, race, "the next one need not see what this one wrote")

__global__ void ticketServedPlainly(unsigned* ticket, unsigned* serving, int* sum) {
  if (threadIdx.x != 0) return;
  const unsigned mine = atomicAdd(ticket, 1u);
  while (atomicAdd(serving, 0u) != mine) {  // FAULT
  }
  __threadfence();
  *sum += 1;  // FAULT
  __threadfence();
  *serving = mine + 1;  // FAULT
}
SAMPLE(ticketServedPlainly, 3, 32, race, "a plain store beside the atomics of those who wait")

__global__ void ticketThatNobodyServes(unsigned* ticket, unsigned* serving, int* sum) {
  const unsigned mine = atomicAdd(ticket, 1u) + 1;
  while (atomicAdd(serving, 0u) != mine) {  // FAULT
  }
  __threadfence();
  *sum += 1;
  atomicAdd(serving, 1u);
}
SAMPLE(ticketThatNobodyServes, 2, 32, endlessLoop, "the first ticket is 1, and 0 is served",
       .hangs = true)
