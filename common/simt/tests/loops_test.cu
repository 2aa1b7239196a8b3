// Long loops end by themselves, whatever holds their state; loops that never end are told.
#include <atomic>
#include <thread>

#include "simt/memory/arrays.h"
#include "simt/tests/executor_testing.h"

namespace {

// ---- Loops that end, each after more turns than it takes to be suspected

constexpr int manyTurns = 9000;

// Leaves nothing of the number in the registers that its caller keeps.
[[gnu::noinline]] __device__ void addOne(int* number) { ++*number; }

__global__ void stateInSharedMemory(int* out) {
  __shared__ int turns;
  if (threadIdx.x == 0) turns = 0;
  __syncthreads();
  while (turns < manyTurns) {
    __syncthreads();
    if (threadIdx.x == 0) addOne(&turns);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = turns;
}

__global__ void stateInDeviceMemory(int* out) {
  int* const turns = out + blockIdx.x;
  while (*turns < manyTurns) {
    __syncthreads();
    if (threadIdx.x == 0) addOne(turns);
    __syncthreads();
  }
}

__global__ void stateInALocalArray(int* out) {
  volatile int turns[3] = {0, 0, 0};
  while (turns[1] < manyTurns) {
    turns[1] = turns[1] + 1;
    __syncwarp();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = turns[1];
}

__global__ void stateInAFloatingPointRegister(int* out) {
  double x = 1, step = 0.5;
  while (x < double(manyTurns)) {
    x += step;
    step = 1 - step / 2;
    __syncthreads();
  }
  float count = 0;
  for (float y = 0; y < float(manyTurns); y += 1) {
    __syncwarp();
    count = y;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = x < 1 ? 0 : int(count) + 1;
}

__global__ void randomNumbers(int* out) {
  unsigned state = threadIdx.x + 1, turns = 0;
  while (__any_sync(~0u, turns < unsigned(manyTurns))) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    if (state % 4 != 0) ++turns;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = turns >= unsigned(manyTurns) ? manyTurns : 0;
}

// The state is what lanes a shuffle asks: cycles of 4, 3, 5, 7 and 13 lanes are back at
// their begin together after 5460 turns.
__global__ void stateInLanesAsked(int* out) {
  const int cycles[] = {4, 3, 5, 7, 13};
  const int lane = int(threadIdx.x);
  int first = 0, next = lane;
  for (const int length : cycles) {
    if (lane >= first && lane < first + length) next = first + (lane - first + 1) % length;
    first += length;
  }
  int at = lane;
  do {
    at = __shfl_sync(~0u, next, at);
  } while (__any_sync(~0u, at != lane));
  if (lane == 0) out[blockIdx.x] = 1;
}

__global__ void longComputation(int* out) {
  unsigned x = 1;
  for (int i = 0; i < 3000000; ++i) x = x * 1664525u + 1013904223u;
  out[blockIdx.x] = x == 0 ? 0 : manyTurns;
}

void ends(void (*kernel)(int*), int expected) {
  for (const bool findFaults : {true, false})
    for (const unsigned blocks : {1u, 3u}) {
      DeviceArray<int> out(blocks, "out");
      const std::vector<int> zeros(blocks);
      out.copyFromHost(zeros.data());
      simt::Settings settings;
      settings.findFaults = findFaults;
      const simt::WithSettings scope(settings);
      try {
        launch(blocks, 32, kernel, out.data());
      } catch (const Fault& fault) {
        ADD_FAILURE() << fault.what() << (findFaults ? "" : ", without the search for faults");
      }
      for (const int value : fetched(out)) EXPECT_EQ(value, expected) << blocks;
    }
}

}  // namespace

TEST(Loops, EndWhateverHoldsTheirState) {
  ends(stateInSharedMemory, manyTurns);
  ends(stateInDeviceMemory, manyTurns);
  ends(stateInALocalArray, manyTurns);
  ends(stateInAFloatingPointRegister, manyTurns);
  ends(randomNumbers, manyTurns);
  ends(stateInLanesAsked, 1);
  ends(longComputation, manyTurns);
}

// ---- Blocks that wait for others

namespace {

// How the last block asks for what the others set.
enum class Poll { plainAfterFence, isVolatile, twoFlags, counted, volatileAndCounted, backingOff };

template <Poll poll>
__global__ void waitsForAll(int* flags, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x + 1 < gridDim.x) {
    __threadfence();
    atomicExch(flags + blockIdx.x, 1);
    return;
  }
  volatile int* const seen = flags;
  int turns = 0;
  for (int i = 0; i + 1 < int(gridDim.x); ++i) {
    if constexpr (poll == Poll::plainAfterFence)
      while (flags[i] == 0) __threadfence();
    if constexpr (poll == Poll::isVolatile)
      while (seen[i] == 0) {
      }
    if constexpr (poll == Poll::twoFlags)
      while ((atomicAdd(flags + i, 0) & atomicAdd(flags, 0)) == 0) {
      }
    if constexpr (poll == Poll::counted)
      while (atomicAdd(flags + i, 0) == 0) atomicAdd(out + 1, 1);
    if constexpr (poll == Poll::volatileAndCounted)
      while (seen[i] == 0) ++turns;
    if constexpr (poll == Poll::backingOff)
      for (int pause = 8; atomicCAS(flags + i, 1, 1) == 0; pause = pause < 4096 ? 2 * pause : 8) {
        const long long begin = clock64();
        while (clock64() - begin < pause) __nanosleep(10);
      }
  }
  out[0] = turns < 0 ? 0 : 1;
}

// A block waits until two others have handed on a token for long.
__global__ void waitsForALongExchange(int* token, int* done, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (atomicAdd(done, 0) < 2) {
    }
    out[0] = 1;
    return;
  }
  for (int round = 0; round < 4000; ++round) {
    while (atomicAdd(token, 0) % 2 != int(blockIdx.x) - 1) {
    }
    atomicAdd(token, 1);
  }
  atomicAdd(done, 1);
}

// All threads of a block ask at barriers.
__global__ void waitsAtBarriers(int* flags, int* out) {
  __shared__ int seen;
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0) atomicExch(flags, 1);
    return;
  }
  do {
    __syncthreads();
    if (threadIdx.x == 0) seen = atomicAdd(flags, 0);
    __syncthreads();
  } while (seen == 0);
  if (threadIdx.x == 0) out[0] = 1;
}

// Unordered flags are races, which are mild for this: only that the launch ends is asked.
template <typename... Arguments>
void endsWithOne(unsigned blocks, void (*kernel)(Arguments...), auto... settingsOf) {
  for (const auto order : {simt::Schedule::Order::forward, simt::Schedule::Order::reverse}) {
    DeviceArray<int> a(64, "a"), b(64, "b"), c(64, "c");
    const std::vector<int> zeros(64);
    for (DeviceArray<int>* array : {&a, &b, &c}) array->copyFromHost(zeros.data());
    simt::Settings settings;
    settings.schedule.order = order;
    settings.findFaults = false;
    settings.patience = uint64_t(1) << 22;
    settings.longestComputation = 5;
    (settingsOf(settings), ...);
    const simt::WithSettings scope(settings);
    try {
      if constexpr (sizeof...(Arguments) == 3)
        launch(blocks, 32, kernel, a.data(), b.data(), c.data());
      else
        launch(blocks, 32, kernel, a.data(), b.data());
      EXPECT_EQ(fetched(sizeof...(Arguments) == 3 ? c : b)[0], 1);
    } catch (const Fault& fault) {
      ADD_FAILURE() << fault.what() << ", schedule " << int(order);
    }
  }
}

}  // namespace

TEST(Loops, ThatAskForWhatOtherBlocksSetEnd) {
  for (const unsigned blocks : {2u, 5u}) {
    endsWithOne(blocks, waitsForAll<Poll::plainAfterFence>);
    endsWithOne(blocks, waitsForAll<Poll::isVolatile>);
    endsWithOne(blocks, waitsForAll<Poll::twoFlags>);
    endsWithOne(blocks, waitsForAll<Poll::counted>);
    endsWithOne(blocks, waitsForAll<Poll::volatileAndCounted>);
    endsWithOne(blocks, waitsForAll<Poll::backingOff>);
  }
  endsWithOne(3, waitsForALongExchange);
  endsWithOne(2, waitsAtBarriers);
}

// ---- Loops that never end

namespace {

__global__ void forgottenIncrement(int* out) {
  int i = 0;
  while (i < 10) out[blockIdx.x * blockDim.x + threadIdx.x] = i;
}
__global__ void forgottenIncrementAtBarriers(int* out) {
  int i = 0;
  while (i < 10) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = i;
    __syncthreads();
  }
}
__global__ void flagNobodySets(int* out) {
  volatile int* const flag = out;
  while (*flag == 0) {
  }
}
__global__ void flagSetAndTakenBack(int* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    while (true) {
      atomicExch(out, 2);
      atomicExch(out, 0);
    }
  }
  while (atomicAdd(out, 0) != 1) {
  }
}
// One waits for the other, which goes on and on.
__global__ void waitsForOneInALoop(int* out) {
  if (threadIdx.x != 0) return;
  while (blockIdx.x == 1) out[1] = 5;
  while (atomicAdd(out, 0) == 0) {
  }
}
__global__ void waitForEachOther(int* out) {
  if (threadIdx.x != 0) return;
  volatile int* const flags = out;
  while (flags[1 - blockIdx.x % 2] == 0) {
  }
  flags[blockIdx.x % 2] = 1;
}

}  // namespace

// Whether launches of the kernel end with a fault that says so.
static void expectTold(void (*kernel)(int*), unsigned blocks, bool findFaults,
                       bool ofHost = false) {
  DeviceArray<int> out(100 * 64, "out");
  simt::findArray(reinterpret_cast<uintptr_t>(out.data()))->isOfHost = ofHost;
  const std::vector<int> zeros(out.size());
  out.copyFromHost(zeros.data());
  simt::Settings settings;
  settings.findFaults = findFaults;
  if (hostIsSanitized) settings.patience >>= 4;  // the same turns, fewer of them
  const simt::WithSettings scope(settings);
  const Fault fault = faultOf([&] { launch(blocks, 64, kernel, out.data()); });
  bool told = fault.kind == Fault::Kind::endlessLoop;
  for (const Fault& found : simt::takeFaults())
    told = told || found.kind == Fault::Kind::endlessLoop;
  EXPECT_TRUE(told) << fault.what();
}

TEST(Loops, ThatNeverEndAreTold) {
  for (const bool findFaults : {true, false})
    for (const auto kernel :
         thinned<void (*)(int*)>({forgottenIncrement, forgottenIncrementAtBarriers, flagNobodySets,
                                  flagSetAndTakenBack, waitsForOneInALoop, waitForEachOther}))
      for (const unsigned blocks : {2u, 100u}) expectTold(kernel, blocks, findFaults);
}

TEST(Loops, ThatNeverEndAreToldBesideOtherThreadsOfTheHost) {
  std::atomic<bool> done = false;
  std::thread other([&] { done.wait(false); });
  for (const unsigned blocks : {1u, 2u}) expectTold(flagNobodySets, blocks, true);
  expectTold(flagNobodySets, 2, true, true);  // after two seconds
  done = true;
  done.notify_one();
  other.join();
}
