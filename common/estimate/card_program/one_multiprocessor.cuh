// Microbenchmarks of one multiprocessor, timed by its own clock. Each kernel does one thing many
// times and leaves the cycles from its block's first start to its last end. Long, as every figure
// of a card has its kernel.
#pragma once

#include "cuda/kernel.h"

constexpr unsigned timedRounds = 256;  // of a loop whose body is written out

// Runs body(round) timedRounds times, twice over: the first time only fills the instruction cache.
// A warp reads the clock for itself, for a scheduler may let one warp finish before others begin.
template <typename Body>
__device__ long long cyclesOf(Body body) {
  __shared__ unsigned long long first, last;
  if (threadIdx.x == 0) first = ~0ull, last = 0;
  for (unsigned run = 0; run < 2; ++run) {
    __syncthreads();
    const unsigned long long start = clock64();
#pragma unroll 1
    for (unsigned round = 0; round < timedRounds; ++round) body(round);
    const unsigned long long end = clock64();
    if (run == 1 && threadIdx.x % 32 == 0) {
      atomicMin(&first, start);
      atomicMax(&last, end);
    }
  }
  __syncthreads();
  return (long long)(last - first);
}

__device__ inline void leave(long long cycles, int value, long long* result) {
  if (threadIdx.x == 0) result[blockIdx.x] = cycles;
  if (value == 123456789) result[blockIdx.x] = value;  // the values matter, says this line
}

// ---- Instructions: chains of them, one or several side by side in each warp.

enum class Arithmetic {
  integerAdd,
  multiplyAdd,
  multiplyHigh,
  floatMultiplyAdd,
  doubleMultiplyAdd,
  halvesMultiplyAdd,
  shift,
  maximum,
  exponential,
  conversion
};
constexpr unsigned arithmeticSteps = 16;  // of every chain in a round

template <Arithmetic kind, unsigned chains>
__global__ void arithmetic(long long* result, int a, int b) {
  int x[chains];
  float f[chains];
  double d[chains];
  for (unsigned c = 0; c < chains; ++c) x[c] = f[c] = d[c] = int(threadIdx.x + c);
  const float fa = float(a), fb = float(b);
  const double da = a, db = b;
  const long long cycles = cyclesOf([&](unsigned) {
#pragma unroll
    for (unsigned i = 0; i < arithmeticSteps; ++i) {
#pragma unroll
      for (unsigned c = 0; c < chains; ++c) {
        if constexpr (kind == Arithmetic::integerAdd)
          asm volatile("add.s32 %0, %0, %1;\n\txor.b32 %0, %0, %2;" : "+r"(x[c]) : "r"(a), "r"(b));
        else if constexpr (kind == Arithmetic::multiplyAdd)
          asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(x[c]) : "r"(a), "r"(b));
        else if constexpr (kind == Arithmetic::multiplyHigh)
          asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(x[c]) : "r"(a));
        else if constexpr (kind == Arithmetic::halvesMultiplyAdd)
          asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x[c]) : "r"(a), "r"(b));
        else if constexpr (kind == Arithmetic::shift)
          asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(x[c]) : "r"(a), "r"(b));
        else if constexpr (kind == Arithmetic::maximum)
          asm volatile("max.s32 %0, %0, %1;" : "+r"(x[c]) : "r"(a));
        else if constexpr (kind == Arithmetic::exponential)
          asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(f[c]));
        else if constexpr (kind == Arithmetic::conversion)
          asm volatile("cvt.rn.f32.s32 %1, %0;\n\tcvt.rzi.s32.f32 %0, %1;"
                       : "+r"(x[c]), "+f"(f[c]));
        else if constexpr (kind == Arithmetic::floatMultiplyAdd)
          asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(f[c]) : "f"(fa), "f"(fb));
        else
          asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(d[c]) : "d"(da), "d"(db));
      }
    }
  });
  int sum = 0;
  for (unsigned c = 0; c < chains; ++c) sum += x[c] + int(f[c]) + int(d[c]);
  leave(cycles, sum, result);
}

enum class WarpOperation { shuffle, reduce, vote };
constexpr unsigned warpSteps = 8;

template <WarpOperation kind, unsigned chains>
__global__ void warpOperations(long long* result) {
  unsigned x[chains];
  for (unsigned c = 0; c < chains; ++c) x[c] = threadIdx.x + c;
  const long long cycles = cyclesOf([&](unsigned) {
#pragma unroll
    for (unsigned i = 0; i < warpSteps; ++i) {
#pragma unroll
      for (unsigned c = 0; c < chains; ++c) {
        if constexpr (kind == WarpOperation::shuffle)
          x[c] = __shfl_xor_sync(~0u, x[c], 1 + i);
        else if constexpr (kind == WarpOperation::reduce)
          x[c] = __reduce_add_sync(~0u, x[c]);
        else
          x[c] = __ballot_sync(~0u, x[c] & 1 << i);
      }
    }
  });
  unsigned sum = 0;
  for (unsigned c = 0; c < chains; ++c) sum += x[c];
  leave(cycles, int(sum), result);
}

// Of each block only the first warp works, and those of all blocks at the same time. Chains of its
// instructions keep a scheduler busy: how long they take says which warps share one.
constexpr unsigned firstWarpSteps = 128;  // pairs of instructions in a round

__global__ void firstWarpsWork(long long* result, int a, int b) {
  constexpr unsigned chains = 8;
  constexpr long long gate = 1 << 14;  // nanoseconds
  if (threadIdx.x >= 32) return;
  int x[chains];
  for (unsigned c = 0; c < chains; ++c) x[c] = int(threadIdx.x + c);
  long long now, open;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(open));
  open = (open / gate + 2) * gate;
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now < open);
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned round = 0; round < timedRounds; ++round) {
#pragma unroll
    for (unsigned i = 0; i < firstWarpSteps; ++i)
      asm volatile("add.s32 %0, %0, %1;\n\txor.b32 %0, %0, %2;"
                   : "+r"(x[i % chains])
                   : "r"(a), "r"(b));
  }
  const long long cycles = clock64() - begin;
  int sum = 0;
  for (unsigned c = 0; c < chains; ++c) sum += x[c];
  leave(cycles, sum, result);
}

// ---- Barriers.

constexpr unsigned barrierSteps = 16;

__global__ void barriers(long long* result) {
  leave(cyclesOf([&](unsigned) {
#pragma unroll
          for (unsigned i = 0; i < barrierSteps; ++i) __syncthreads();
        }),
        0, result);
}

// A loop of one addition: most of its time goes to the branch back.
__global__ void branches(long long* result, int a) {
  int x = int(threadIdx.x);
  const long long cycles = cyclesOf([&](unsigned) {
#pragma unroll 1
    for (unsigned i = 0; i < 64; ++i) asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(a));
  });
  leave(cycles, x, result);
}

// ---- Latency of loads: each needs the address that the one before has loaded.

enum class Level { l1, l2, memory };

// next[i] is the address of another element of the same array; steps loads by one thread.
template <Level level>
__global__ void chase(long long* result, void** start, unsigned steps) {
  void** at = start;
  if constexpr (level != Level::memory) {  // bring everything near
    for (unsigned i = 0; i < steps; ++i) {
      if constexpr (level == Level::l1)
        asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(at) : "l"(at));
      else
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(at) : "l"(at));
    }
  }
  const long long begin = clock64();
#pragma unroll 8
  for (unsigned i = 0; i < steps; ++i) {
    if constexpr (level == Level::l1)
      asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(at) : "l"(at));
    else
      asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(at) : "l"(at));
  }
  const long long cycles = clock64() - begin;
  leave(cycles, at == nullptr ? 123456789 : 0, result);
}

__global__ void chaseShared(long long* result) {
  __shared__ unsigned next[256];
  const unsigned base = unsigned(__cvta_generic_to_shared(next));
  next[threadIdx.x] = base + 4 * ((threadIdx.x + 33) % 256);
  __syncthreads();
  unsigned at = base;
  const long long begin = clock64();
#pragma unroll 16
  for (unsigned i = 0; i < 512; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  leave(clock64() - begin, at == 1 ? 123456789 : 0, result);
}

// ---- Throughput of the load/store pipe: requests of all of a block's warps that hit L1 or go to
// shared memory. Lane k takes element k × stride (in words of 4 bytes), so a request's lines or
// conflicts follow from the stride.

constexpr unsigned pipeSteps = 8;

template <unsigned words>
__device__ inline void loadWords(const int* at, int (&x)[words]) {
  if constexpr (words == 1)
    asm volatile("ld.global.ca.b32 %0, [%1];" : "=r"(x[0]) : "l"(at));
  else if constexpr (words == 2)
    asm volatile("ld.global.ca.v2.b32 {%0, %1}, [%2];" : "=r"(x[0]), "=r"(x[1]) : "l"(at));
  else
    asm volatile("ld.global.ca.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "l"(at));
}

template <unsigned words>
__global__ void loads(long long* result, const int* data, unsigned stride, unsigned step) {
  const int* const mine = data + threadIdx.x % 32 * stride;
  int sum = 0;
  const long long cycles = cyclesOf([&](unsigned round) {
    int x[pipeSteps][words];
#pragma unroll
    for (unsigned i = 0; i < pipeSteps; ++i) loadWords<words>(mine + 128 * i + round * step, x[i]);
#pragma unroll
    for (unsigned i = 0; i < pipeSteps; ++i)
#pragma unroll
      for (unsigned w = 0; w < words; ++w) sum ^= x[i][w];
  });
  leave(cycles, sum, result);
}

template <unsigned words>
__global__ void stores(long long* result, int* data, unsigned stride) {
  // No two requests of a round touch the same bytes.
  int* const mine = data + threadIdx.x * stride;
  const int x = int(threadIdx.x);
  const long long cycles = cyclesOf([&](unsigned) {
#pragma unroll
    for (unsigned i = 0; i < pipeSteps; ++i) {
      int* const at = mine + blockDim.x * stride * i;
      if constexpr (words == 1)
        asm volatile("st.global.b32 [%0], %1;" ::"l"(at), "r"(x));
      else if constexpr (words == 2)
        asm volatile("st.global.v2.b32 [%0], {%1, %1};" ::"l"(at), "r"(x));
      else
        asm volatile("st.global.v4.b32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(x));
    }
  });
  leave(cycles, 0, result);
}

template <unsigned words>
__global__ void sharedLoads(long long* result, unsigned stride, unsigned step) {
  __shared__ int data[4096 + 64];
  for (unsigned i = threadIdx.x; i < 4096 + 64; i += blockDim.x) data[i] = int(i);
  __syncthreads();
  const unsigned mine = unsigned(__cvta_generic_to_shared(data + threadIdx.x % 32 * stride % 4096));
  int sum = 0;
  const long long cycles = cyclesOf([&](unsigned round) {
    int x[pipeSteps][words];
#pragma unroll
    for (unsigned i = 0; i < pipeSteps; ++i) {
      const unsigned at = mine + 16 * i + round * step;
      if constexpr (words == 1)
        asm volatile("ld.shared.b32 %0, [%1];" : "=r"(x[i][0]) : "r"(at));
      else if constexpr (words == 2)
        asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(x[i][0]), "=r"(x[i][1]) : "r"(at));
      else
        asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[i][0]), "=r"(x[i][1]), "=r"(x[i][2]), "=r"(x[i][3])
                     : "r"(at));
    }
#pragma unroll
    for (unsigned i = 0; i < pipeSteps; ++i)
#pragma unroll
      for (unsigned w = 0; w < words; ++w) sum ^= x[i][w];
  });
  leave(cycles, sum, result);
}

__global__ void sharedStores(long long* result, unsigned stride) {
  __shared__ int data[4096];
  const unsigned mine = unsigned(__cvta_generic_to_shared(data + threadIdx.x % 32 * stride % 4064));
  const int x = int(threadIdx.x);
  leave(cyclesOf([&](unsigned) {
#pragma unroll
          for (unsigned i = 0; i < pipeSteps; ++i)
            asm volatile("st.shared.b32 [%0], %1;" ::"r"(mine + 4 * i), "r"(x));
        }),
        data[threadIdx.x], result);
}

// A load and a store of other words, of which neither waits for the other.
__global__ void sharedLoadsAndStores(long long* result, unsigned stride) {
  __shared__ int data[4096];
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) data[i] = int(i);
  __syncthreads();
  const unsigned mine = unsigned(__cvta_generic_to_shared(data + threadIdx.x % 32 * stride % 4064));
  int sum = 0;
  const long long cycles = cyclesOf([&](unsigned) {
    int x[pipeSteps];
#pragma unroll
    for (unsigned i = 0; i < pipeSteps; ++i) {
      asm volatile("ld.shared.b32 %0, [%1];" : "=r"(x[i]) : "r"(mine + 4 * i));
      asm volatile("st.shared.b32 [%0], %1;" ::"r"(mine + 4 * i), "r"(sum));
    }
#pragma unroll
    for (unsigned i = 0; i < pipeSteps; ++i) sum ^= x[i];
  });
  leave(cycles, sum, result);
}

// Lanes of a warp update addresses of their own, or all the same one.
__global__ void sharedAtomics(long long* result, unsigned stride) {
  __shared__ int data[1024];
  data[threadIdx.x % 1024] = 0;
  int* const mine = data + threadIdx.x % 32 * stride;
  const long long cycles = cyclesOf([&](unsigned) {
#pragma unroll
    for (unsigned i = 0; i < pipeSteps; ++i) atomicAdd(mine, int(i + 1));
  });
  leave(cycles, data[threadIdx.x % 1024], result);
}

// What is as far from a multiprocessor on average as any: an address in each of many lines.
constexpr unsigned spreadStep = 33 * 32, spreadWords = timedRounds * spreadStep;

// One thread: an atomic whose result the next one needs, as data is all zeros.
__global__ void atomicChain(long long* result, unsigned* data) {
  unsigned at = 0;
  const long long cycles = cyclesOf([&](unsigned) {
    at += spreadStep + atomicAdd(data + at, 0u);
    if (at >= spreadWords) at = 0;
  });
  leave(cycles, int(at), result);
}

// One thread: a store, and a fence, which waits until all other threads would see it.
__global__ void fenceChain(long long* result, volatile unsigned* data) {
  leave(cyclesOf([&](unsigned round) {
          data[round * spreadStep] = 0;
          __threadfence();
        }),
        0, result);
}
