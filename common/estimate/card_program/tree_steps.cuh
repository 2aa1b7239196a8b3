// Steps of a tree as in lessons 02 to 04: some threads of a block add, all meet at a barrier.
#pragma once

#include "estimate/card_program/one_multiprocessor.cuh"

constexpr unsigned treeSteps = 8;

// In shared memory, where nvcc gives the instructions a predicate. Threads from working on rest.
__global__ void sharedTreeSteps(long long* result, unsigned working) {
  __shared__ int data[2048];
  const unsigned t = threadIdx.x;
  for (unsigned i = t; i < 2048; i += blockDim.x) data[i] = int(i);
  const long long cycles = cyclesOf([&](unsigned) {
#pragma unroll 1
    for (unsigned i = 0; i < treeSteps; ++i) {
      if (t < working) data[t] += data[t + 1024];
      __syncthreads();
    }
  });
  leave(cycles, data[t], result);
}

// In global memory, where it branches over them. shift: the thread that works on an element in the
// next step is so many away.
__global__ void globalTreeSteps(long long* result, int* all, unsigned working, unsigned shift) {
  int* const data = all + size_t(blockIdx.x) * 2048;
  const unsigned t = threadIdx.x;
  const long long cycles = cyclesOf([&](unsigned round) {
#pragma unroll 1
    for (unsigned i = 0; i < treeSteps; ++i) {
      if (t < working) {
        const unsigned at = (t + (round * treeSteps + i) * shift) % 1024;
        data[at] += data[at + 1024];
      }
      __syncthreads();
    }
  });
  leave(cycles, 0, result);
}

// One warp loads from shared memory and needs the value for the next address; or no lane does, for
// the predicate is false.
__global__ void predicatedLoads(long long* result, unsigned working) {
  __shared__ unsigned next[256];
  const unsigned base = unsigned(__cvta_generic_to_shared(next));
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) next[i] = base + 4 * ((i + 33) % 256);
  __syncthreads();
  unsigned at = base;
  const long long cycles = cyclesOf([&](unsigned) {
#pragma unroll
    for (unsigned i = 0; i < 16; ++i)
      asm volatile(
          "{\n\t.reg .pred p;\n\tsetp.lt.u32 p, %1, %2;\n\t@p ld.shared.u32 %0, [%0];\n\t"
          "add.u32 %0, %0, 0;\n\t}"
          : "+r"(at)
          : "r"(threadIdx.x), "r"(working));
  });
  leave(cycles, at == 1 ? 123456789 : 0, result);
}

// A thread stores and loads what it stored; or what its neighbour's warp stored before a barrier.
__global__ void loadAfterStore(long long* result, int* all, unsigned other, bool barrier) {
  volatile int* const data = all + size_t(blockIdx.x) * 1024;
  const unsigned t = threadIdx.x;
  int x = int(t);
  data[t] = x;
  const long long cycles = cyclesOf([&](unsigned) {
#pragma unroll 1
    for (unsigned i = 0; i < 16; ++i) {
      data[t] = x;
      if (barrier) __syncthreads();
      x += data[(t + other) % blockDim.x];
      if (barrier) __syncthreads();
    }
  });
  leave(cycles, x, result);
}
