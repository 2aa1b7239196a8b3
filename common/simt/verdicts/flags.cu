// Flags and counters: threads that wait in a loop until another one has said that it is done.
#include <cuda/atomic>

#include "sample.h"

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
    *flag = 1;
  }
  if (threadIdx.x == 3) {
    while (*flag == 0) {
    }
    out[0] = *value;  // FAULT
  }
}
SAMPLE(plainFlag, 1, 64, race, "a volatile flag orders nothing else", .hangs = true)

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

// ---- Flags between blocks

__global__ void flagSetTooEarly(int* value, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    __threadfence();
    atomicExch(flag, 1);
    *value = 7;  // FAULT
    return;
  }
  while (atomicAdd(flag, 0) == 0) {
  }
  __threadfence();
  out[0] = *value;  // FAULT
}
SAMPLE(flagSetTooEarly, 2, 32, race, "the value is written after the flag")

__global__ void flagOfTheWrongScope(int* value, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_block> ready(*flag);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *value = 7;                                  // FAULT
    ready.store(1, cuda::memory_order_release);  // FAULT
    return;
  }
  while (ready.load(cuda::memory_order_acquire) == 0) {  // FAULT
  }
  out[0] = *value;  // FAULT
}
SAMPLE(flagOfTheWrongScope, 2, 32, race, "released for its own block only", .hangs = true)

__global__ void flagPolledRelaxedThenFenced(int* value, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *value = 7;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    ready.store(1, cuda::memory_order_relaxed);
    return;
  }
  while (ready.load(cuda::memory_order_relaxed) == 0) {
  }
  cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
  out[0] = *value;
}
SAMPLE(flagPolledRelaxedThenFenced, 2, 32, correct, "fences on both sides of relaxed atomics")

__global__ void flagPolledByAWarp(int* value, int* flag, int* out) {
  if (blockIdx.x == 1) {
    if (threadIdx.x == 9) {
      *value = 7;
      __threadfence();
      atomicExch(flag, 1);
    }
    return;
  }
  while (!__all_sync(~0u, atomicAdd(flag, 0) != 0)) {
  }
  __threadfence();
  out[threadIdx.x] = *value;
}
SAMPLE(flagPolledByAWarp, 2, 32, correct, "a warp goes on when all its lanes have seen the flag")

__global__ void volatileFlagBetweenBlocks(int* value, volatile int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 1) {
    *value = 7;
    __threadfence();
    *flag = 1;
    return;
  }
  while (*flag == 0) {
  }
  __threadfence();
  out[0] = *value;
}
SAMPLE(volatileFlagBetweenBlocks, 2, 32, correct, "volatile is relaxed, and fences order the rest",
       .hangs = true)

__global__ void flagsOfTwoBlocksSwapped(int* flags, int* out) {
  if (threadIdx.x != 0) return;
  while (atomicAdd(flags + 1 - blockIdx.x, 0) == 0) {  // FAULT
  }
  atomicExch(flags + blockIdx.x, 1);
  out[blockIdx.x] = 1;
}
SAMPLE(flagsOfTwoBlocksSwapped, 2, 32, endlessLoop, "each waits for the other one's flag first",
       .hangs = true)

__global__ void barrierOfBlocksByHand(unsigned* arrived, int* values, int* out) {
  if (threadIdx.x != 0) return;
  values[blockIdx.x] = int(blockIdx.x) + 1;
  __threadfence();
  atomicAdd(arrived, 1u);
  while (atomicAdd(arrived, 0u) < gridDim.x) {
  }
  __threadfence();
  out[blockIdx.x] = values[(blockIdx.x + 1) % gridDim.x];
}
SAMPLE(barrierOfBlocksByHand, 4, 32, correct, "each block waits until all have arrived")

__global__ void barrierOfBlocksWithoutFence(unsigned* arrived, int* values, int* out) {
  if (threadIdx.x != 0) return;
  values[blockIdx.x] = int(blockIdx.x) + 1;  // FAULT
  atomicAdd(arrived, 1u);
  while (atomicAdd(arrived, 0u) < gridDim.x) {
  }
  out[blockIdx.x] = values[(blockIdx.x + 1) % gridDim.x];  // FAULT
}
SAMPLE(barrierOfBlocksWithoutFence, 4, 32, race, "who has arrived need not have been seen to write")

__global__ void barrierForOneBlockTooMany(unsigned* arrived, int* out) {
  if (threadIdx.x != 0) return;
  atomicAdd(arrived, 1u);
  while (atomicAdd(arrived, 0u) <= gridDim.x) {  // FAULT
  }
  out[blockIdx.x] = 1;
}
SAMPLE(barrierForOneBlockTooMany, 4, 32, endlessLoop, "<= waits for a block that is not there",
       .hangs = true)

__global__ void ringOfTwoSlots(int* slots, int* written, int* taken, int* out) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> head(*written), tail(*taken);
  for (int i = 0; i < 20; ++i) {
    if (blockIdx.x == 0) {
      while (i - tail.load(cuda::memory_order_acquire) >= 2) {
      }
      slots[i % 2] = i;
      head.store(i + 1, cuda::memory_order_release);
    } else {
      while (head.load(cuda::memory_order_acquire) <= i) {
      }
      out[i] = slots[i % 2];
      tail.store(i + 1, cuda::memory_order_release);
    }
  }
}
SAMPLE(ringOfTwoSlots, 2, 32, correct, "each end waits for the other, by acquiring loads")

__global__ void ringThatOverruns(int* slots, int* written, int* out) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> head(*written);
  for (int i = 0; i < 20; ++i) {
    if (blockIdx.x == 0) {
      slots[i % 2] = i;  // FAULT
      head.store(i + 1, cuda::memory_order_release);
    } else {
      while (head.load(cuda::memory_order_acquire) <= i) {
      }
      out[i] = slots[i % 2];  // FAULT
    }
  }
}
SAMPLE(ringThatOverruns, 2, 32, race, "who writes does not wait for a slot to be taken",
       .notYet = true)

__global__ void preparedOnceByAtomics(int* state, int* value, int* out) {
  if (threadIdx.x == 0) {
    if (atomicCAS(state, 0, 1) == 0) {
      *value = 7;
      __threadfence();
      atomicExch(state, 2);
    }
    while (atomicAdd(state, 0) != 2) {
    }
    __threadfence();
    out[blockIdx.x] = *value;
  }
}
SAMPLE(preparedOnceByAtomics, 4, 32, correct, "the first prepares it, all wait until it is ready")
