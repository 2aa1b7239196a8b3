// Overruns within shared memory, and of rows and members where the type says how long they are.
#include "sample.h"

__global__ void sharedReadPastEnd(const int* in, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int* const next = tile + threadIdx.x + 1;
  out[threadIdx.x] = *next;  // FAULT
}
SAMPLE(sharedReadPastEnd, 1, 64, outOfBounds, "the last thread has no right neighbour")

__global__ void sharedOverrunIntoTheNext(int* out) {
  __shared__ int first[32];
  __shared__ int second[32];
  second[threadIdx.x] = 1;
  int* const p = first + threadIdx.x + 1;
  *p = 2;  // FAULT
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x / 2] + second[threadIdx.x];  // FAULT
}
SAMPLE(sharedOverrunIntoTheNext, 1, 32, outOfBounds, "element 32 of the first is not the second")

__global__ void twoArraysInOneStatement(int* out, int n) {
  __shared__ int first[32], second[32];
  first[threadIdx.x] = second[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x + unsigned(n) / 64] + second[threadIdx.x];  // FAULT
}
SAMPLE(twoArraysInOneStatement, 1, 32, outOfBounds, "the same, declared in one statement")

__global__ void rowOverrun(int* out, int n) {
  __shared__ int tile[8][8];
  tile[threadIdx.y][threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.y * 8 + threadIdx.x] =
      tile[threadIdx.y / 2][threadIdx.x + unsigned(n) / 256];  // FAULT
}
SAMPLE(rowOverrun, 1, dim3(8, 8), outOfBounds, "column 8 of a row of 8 is the next row's first")

struct Particle {
  int position[3];
  int mass;
};

__global__ void memberOverrun(Particle* particles, int n) {
  for (int k = 0; k < n / 256; ++k) particles[threadIdx.x].position[k] = k;  // FAULT
}
SAMPLE(memberOverrun, 1, 32, outOfBounds, "position has three elements; the fourth is the mass")

__global__ void membersInBounds(Particle* particles) {
  for (int k = 0; k < 3; ++k) particles[threadIdx.x].position[k] = k;
  particles[threadIdx.x].mass = 1;
}
SAMPLE(membersInBounds, 1, 32, correct, "each member by its own name")

__global__ void rowsInBounds(int* out) {
  __shared__ int tile[8][9];
  tile[threadIdx.y][threadIdx.x] = int(threadIdx.x);
  __syncthreads();
  out[threadIdx.y * 8 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
SAMPLE(rowsInBounds, 1, dim3(8, 8), correct, "every row has its elements and one to spare")

__global__ void tileTooSmallForTheBlock(int* out) {
  __shared__ int tile[32];
  int* const mine = tile + threadIdx.x;
  *mine = 1;  // FAULT
  __syncthreads();
  out[threadIdx.x] = *mine;
}
SAMPLE(tileTooSmallForTheBlock, 1, 64, outOfBounds, "a tile for 32 threads, a block of 64")

__global__ void haloWithinTile(const int* in, int* out) {
  __shared__ int tile[66];
  const unsigned t = threadIdx.x;
  tile[t + 1] = in[t];
  if (t < 2) tile[t * 65] = 0;
  __syncthreads();
  out[t] = tile[t] + tile[t + 1] + tile[t + 2];
}
SAMPLE(haloWithinTile, 1, 64, correct, "the tile has room for the halo")

__global__ void localArrayOverrun(const int* in, int* out) {
  int mine[4] = {1, 2, 3, 4};
  mine[in[threadIdx.x] / 8] += 1;                          // FAULT
  out[threadIdx.x] = mine[0] + mine[in[threadIdx.x] % 4];  // FAULT
}
SAMPLE(localArrayOverrun, 1, 64, outOfBounds, "a thread's own array of four has no element 4")

// ---- Indices beyond 32 bits: a GPU's shared addresses wrap, those of C++ do not

__global__ void complementAsIndex(int* out) {
  __shared__ int tile[64];
  const int* const middle = tile + 32;
  tile[threadIdx.x] = int(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = middle[~threadIdx.x];  // FAULT
}
SAMPLE(complementAsIndex, 1, 32, outOfBounds, "~a is no -(a + 1) where the index has 64 bits")

__global__ void unsignedDifferenceAsIndex(int* out) {
  __shared__ int tile[64];
  const int* const middle = tile + 32;
  tile[threadIdx.x] = int(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = middle[threadIdx.x - 32u];  // FAULT
}
SAMPLE(unsignedDifferenceAsIndex, 1, 32, outOfBounds, "the difference of unsigned numbers wraps")

__global__ void signedDifferenceAsIndex(int* out) {
  __shared__ int tile[64];
  const int* const middle = tile + 32;
  tile[threadIdx.x] = int(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = middle[int(threadIdx.x) - 32];
}
SAMPLE(signedDifferenceAsIndex, 1, 32, correct, "the same with signs")
