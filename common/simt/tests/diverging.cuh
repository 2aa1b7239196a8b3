// Small kernels whose lanes part, and some that read objects member by member: what an executor
// that joins lanes to requests can get wrong. diverging_main.cu runs them where a profiler can
// count. "unroll 1" keeps the machine's loops those of the source.
#pragma once

#include "cuda/kernel.h"

__global__ void oneLanePerTurn(int* out, const int* data, int) {
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < 32; ++k)
    if (k == int(threadIdx.x % 32)) sum += data[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Fully unrolled by nvcc.
__global__ void oneLanePerUnrolledTurn(int* out, const int* data, int) {
  int sum = 0;
  for (int k = 0; k < 32; ++k)
    if (k == int(threadIdx.x % 32)) sum += data[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void lanesAlternate(int* out, const int* data, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; ++k) {
    if ((k + i) % 2 == 0)
      sum += data[(i + 32 * k) % n];
    else
      sum ^= data[(i + 7 * k) % n];
  }
  out[i] = sum;
}

__global__ void stencil(int* out, const int* data, int n) {
  const int width = 256, height = n / width;
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x) % width;
  const int y = int(blockIdx.x * blockDim.x + threadIdx.x) / width;
  const int i = y * width + x;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    out[i] = data[i - 1] + data[i + 1] + data[i - width] + data[i + width] - 4 * data[i];
  else
    out[i] = data[i];
}

// The rows of a sparse matrix have 0 to 30 elements; the columns lie anywhere.
__global__ void sparseRows(int* out, const int* data, int n) {
  const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int first = row * 31 % n, count = data[row] % 31;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < count; ++k) sum += data[(first + k) % n] * data[data[(first + k) % n] % n];
  out[row] = sum;
}

__global__ void mandelbrot(int* out, const int*, int) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int width = 256;
  const float x0 = __fadd_rn(-2.0f, 0.01171875f * float(i % width));
  const float y0 = __fadd_rn(-1.5f, 0.01171875f * float(i / width));
  float x = 0, y = 0;
  int turns = 0;
#pragma unroll 1
  while (turns < 100) {  // each operation rounded by itself: the same turns on every machine
    const float xx = __fmul_rn(x, x), yy = __fmul_rn(y, y);
    if (xx + yy >= 4.0f) break;
    y = __fadd_rn(__fmul_rn(2 * x, y), y0);
    x = __fadd_rn(__fadd_rn(xx, -yy), x0);
    ++turns;
  }
  out[i] = turns;
}

// Each lane looks for its own value from its own place on.
__global__ void searchLoop(int* out, const int* data, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  int k = i;
#pragma unroll 1
  while (data[k % n] % 16 != i % 16) ++k;
  out[i] = k - i;
}

__global__ void binarySearch(int* out, const int* data, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int wanted = data[i];
  int from = 0, to = n;
#pragma unroll 1
  while (from < to) {
    const int middle = (from + to) / 2;
    if (data[middle] / 8 * 8 == wanted / 8 * 8) {
      from = middle;
      break;
    }
    if (middle < wanted * 31 % n)
      from = middle + 1;
    else
      to = middle;
  }
  out[i] = from;
}

// Turns of two loops, and a lane that goes on while others are back in the outer one.
__global__ void nestedLoops(int* out, const int* data, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  int sum = 0;
#pragma unroll 1
  for (int row = 0; row < 4; ++row) {
#pragma unroll 1
    for (int k = 0; k <= (i + row) % 5; ++k) sum += data[(i + k) % n];
    if (sum % 3 == 0) continue;
    sum += data[(i + 64 * row) % n];
    if (sum % 64 == 1) break;
  }
  out[i] = sum;
}

__global__ void switchOfFour(int* out, const int* data, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  int v = data[i];
  switch (v % 4) {
    case 0: v += data[(i + 1) % n]; break;
    case 1: v ^= data[(i + 2) % n] * data[(i + 3) % n]; break;
    case 2: v -= data[(i * 7) % n]; break;
    default: v *= 3;
  }
  out[i] = v;
}

__global__ void returnsEarly(int* out, const int* data, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = -1;
  if (data[i] % 3 == 0) return;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < data[i] % 8; ++k) sum += data[(i + k) % n];
  out[i] = sum;
}

// ---- Objects read or written member by member

struct Pair {
  int a, b;
};
struct alignas(8) AlignedPair {
  int a, b;
};
struct alignas(16) AlignedTriple {
  int a, b, c;
};

__global__ void membersOfFour(int* out, const int4* fours, int) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = fours[i].x + 2 * fours[i].y + 3 * fours[i].z + 5 * fours[i].w;
}
__global__ void threeMembersOfFour(int* out, const int4* fours, int) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = fours[i].x + 2 * fours[i].y + 3 * fours[i].z;
}
__global__ void outerMembersOfFour(int* out, const int4* fours, int) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = fours[i].x + 2 * fours[i].w;
}
__global__ void membersOfThree(int* out, const int3* threes, int) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = threes[i].x + 2 * threes[i].y + 3 * threes[i].z;
}
__global__ void membersOfPair(int* out, const Pair* pairs, int) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = pairs[i].a + 2 * pairs[i].b;
}
__global__ void membersOfAlignedPair(int* out, const AlignedPair* pairs, int) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = pairs[i].a + 2 * pairs[i].b;
}
__global__ void membersOfAlignedTriple(int* out, const AlignedTriple* triples, int) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = triples[i].a + 2 * triples[i].b + 3 * triples[i].c;
}
// A store to something else may lie between: the compiler cannot know.
__global__ void membersAroundAStore(int* out, const int2* twos, int) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int x = twos[i].x;
  out[i] = x;
  out[i] = x + twos[i].y;
}
__global__ void storesFourMembers(int4* fours, const int* data, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (4 * i >= n) return;
  const int v = data[i];
  fours[i].x = v;
  fours[i].y = v + 1;
  fours[i].z = v + 2;
  fours[i].w = v + 3;
}
__global__ void storesThreeMembers(int4* fours, const int* data, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (4 * i >= n) return;
  const int v = data[i];
  fours[i].x = v;
  fours[i].y = v + 1;
  fours[i].z = v + 2;
}
__global__ void copiesAlignedTriples(AlignedTriple* out, const AlignedTriple* triples, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (4 * i < n) out[i] = triples[i];
}
__global__ void copiesPairs(Pair* out, const Pair* pairs, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (2 * i < n) out[i] = pairs[i];
}
// Neighbors in an array of int: their alignment is not known.
__global__ void neighbors(int* out, const int* data, int) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = data[4 * i] + 2 * data[4 * i + 1] + 3 * data[4 * i + 2] + 5 * data[4 * i + 3];
}
__global__ void storesMembers(int4* fours, const int* data, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (4 * i >= n) return;
  fours[i].x = data[i];
  fours[i].y = data[i] + 1;
  fours[i].z = data[i] + 2;
  fours[i].w = data[i] + 3;
}
__global__ void membersInShared(int* out, const int4* fours, int) {
  __shared__ int4 tile[256];
  const int t = int(threadIdx.x), i = int(blockIdx.x * blockDim.x + threadIdx.x);
  tile[t] = fours[i];
  __syncthreads();
  const int4& other = tile[255 - t];
  out[i] = other.x + 2 * other.y + 3 * other.z + 5 * other.w;
}
// As above, but for what is read last: four neighbors are written, and pairs of a row read.
__global__ void storesNeighborsInShared(int* out, const int* data, int) {
  __shared__ int tile[1024];
  const int t = int(threadIdx.x), i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int v = data[i];
  tile[4 * t] = v;
  tile[4 * t + 1] = v + 1;
  tile[4 * t + 2] = v + 2;
  tile[4 * t + 3] = v + 3;
  __syncthreads();
  out[i] = tile[1023 - t];
}
__global__ void pairsInPaddedRows(int* out, const int* data, int) {
  __shared__ int tile[8][65];
  const int t = int(threadIdx.x), i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = t / 32, column = t % 32;
  tile[row][column] = data[i];
  tile[row][column + 32] = data[i] + 1;
  __syncthreads();
  out[i] = tile[7 - row][2 * column] + 3 * tile[7 - row][2 * column + 1];
}
__global__ void objectsInShared(int* out, const Pair* pairs, int) {
  __shared__ Pair tile[256];
  const int t = int(threadIdx.x), i = int(blockIdx.x * blockDim.x + threadIdx.x);
  tile[t].a = pairs[i].a;
  tile[t].b = pairs[i].b;
  __syncthreads();
  out[i] = tile[255 - t].a + 3 * tile[255 - t].b;
}
__global__ void firstElementsOfShared(int* out, const int* data, int) {
  __shared__ int tile[256];
  const int t = int(threadIdx.x), i = int(blockIdx.x * blockDim.x + threadIdx.x);
  tile[t] = data[i];
  __syncthreads();
  out[i] = tile[0] + 2 * tile[1] + 3 * tile[2] + 5 * tile[3];
}
__global__ void alternateMembers(int* out, const int4* fours, int) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = fours[i].x + 2 * fours[i].z;
}
__global__ void allButOneMember(int* out, const int4* fours, int) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = fours[i].x + 2 * fours[i].y + 3 * fours[i].w;
}
__global__ void neighborsInShared(int* out, const int* data, int) {
  __shared__ int tile[1024];
  const int t = int(threadIdx.x), i = int(blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = t; k < 1024; k += 256) tile[k] = data[k + 256 * int(blockIdx.x)];
  __syncthreads();
  out[i] = tile[4 * t] + 2 * tile[4 * t + 1] + 3 * tile[4 * t + 2] + 5 * tile[4 * t + 3];
}
