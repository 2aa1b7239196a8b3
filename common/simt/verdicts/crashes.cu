// Kernels that do not come to their end.
#undef NDEBUG  // kernels' assertions, in every build
#include "sample.h"

__global__ void dividesByZero(const int* in, int* out) {
  out[threadIdx.x] = 100 / in[threadIdx.x];  // FAULT
}
SAMPLE(dividesByZero, 1, 32, divisionByZero, "undefined in CUDA: a GPU goes on with some value")

__global__ void remainderByZero(const int* in, int* out) {
  out[threadIdx.x] = 100 % in[threadIdx.x];  // FAULT
}
SAMPLE(remainderByZero, 1, 32, divisionByZero, "so is the remainder")

__global__ void dividesFloatByZero(const float* in, float* out) { out[threadIdx.x] = 1 / in[0]; }
SAMPLE(dividesFloatByZero, 1, 32, correct, "infinity, as floating point has it")

__device__ __attribute__((noinline)) int depth(const int* in, int level) {  // FAULT
  volatile int room[64];
  room[level % 64] = level;                                                      // FAULT
  return in[level % 4] == 77 ? level : depth(in, level + 1) + room[level % 64];  // FAULT
}
__global__ void recursionWithoutEnd(const int* in, int* out) {
  out[threadIdx.x] = depth(in, 0);  // FAULT
}
SAMPLE(recursionWithoutEnd, 1, 1, stackOverflow, "every call needs a piece of the stack")

__device__ __attribute__((noinline)) int factorial(int n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}
__global__ void recursionWithEnd(int* out) { out[threadIdx.x] = factorial(int(threadIdx.x) % 10); }
SAMPLE(recursionWithEnd, 1, 32, correct, "a recursion that ends")

__global__ void loopWithoutEnd(volatile int* a) {
  while (a[threadIdx.x] == 0) {  // FAULT
  }
}
SAMPLE(loopWithoutEnd, 1, 32, endlessLoop, "nobody changes what the loop waits for", .hangs = true)

__global__ void failedAssertion(const int* in, int* out) {
  assert(in[threadIdx.x] < 20);  // FAULT
  out[threadIdx.x] = 1;
}
SAMPLE(failedAssertion, 1, 32, assertion, "an assertion that does not hold")

__global__ void assertionThatHolds(const int* in, int* out) {
  assert(in[threadIdx.x] < 32);
  out[threadIdx.x] = 1;
}
SAMPLE(assertionThatHolds, 1, 32, correct, "an assertion that holds")

using Operation = int (*)(int);

__global__ void callThroughNull(Operation* operations, int* out) {
  out[threadIdx.x] = operations[threadIdx.x](1);  // FAULT
}
SAMPLE(callThroughNull, 1, 32, nullPointer, "a table of functions that nobody has filled")

__device__ int twice(int v) { return 2 * v; }

__global__ void callThroughATableHalfFilled(Operation* operations, int* out) {
  if (threadIdx.x < 16) operations[threadIdx.x] = twice;
  out[threadIdx.x] = operations[threadIdx.x](1);  // FAULT
}
SAMPLE(callThroughATableHalfFilled, 1, 32, nullPointer, "half of the functions are there")

__global__ void callThroughAFilledTable(Operation* operations, int* out) {
  operations[threadIdx.x] = twice;
  out[threadIdx.x] = operations[threadIdx.x](1);
}
SAMPLE(callThroughAFilledTable, 1, 32, correct, "all of the functions are there")
