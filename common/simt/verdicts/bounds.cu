// Accesses outside of device arrays, and just inside.
#include "sample.h"

__global__ void readPastTheLastBlock(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] >= 0 && i < 1024) out[i] = 1;  // FAULT
}
SAMPLE(readPastTheLastBlock, 3, 512, outOfBounds, "the bound is asked after the read")

__global__ void guardedRead(const int* in, int* out, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = in[i];
}
SAMPLE(guardedRead, 3, 512, correct, "the bound is asked before the read")

__global__ void writePastEnd(int* out, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i <= n) out[i] = i;  // FAULT
}
SAMPLE(writePastEnd, 3, 512, outOfBounds, "one too many: <= instead of <")

__global__ void readBeforeBegin(const int* in, int* out) {
  const int i = int(threadIdx.x);
  out[i] = in[i] - in[i - 1];  // FAULT
}
SAMPLE(readBeforeBegin, 1, 64, outOfBounds, "thread 0 reads element -1")

__global__ void leftNeighbourGuarded(const int* in, int* out) {
  const int i = int(threadIdx.x);
  out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
}
SAMPLE(leftNeighbourGuarded, 1, 64, correct, "thread 0 has no left neighbour")

__global__ void indexFromDataTooLarge(const int* in, int* out) {
  out[in[threadIdx.x] * 20] = 1;  // FAULT
}
SAMPLE(indexFromDataTooLarge, 1, 64, outOfBounds, "an index out of data that nobody checks")

__global__ void indexFromDataChecked(const int* in, int* out, int n) {
  const int i = in[threadIdx.x] * 20;
  if (i < n) out[i] = 1;
}
SAMPLE(indexFromDataChecked, 1, 64, correct, "the index is checked")

__global__ void strideOvershoots(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = int(threadIdx.x); i < n + 32; i += 64) sum += in[i];  // FAULT
  out[threadIdx.x] = sum;
}
SAMPLE(strideOvershoots, 1, 64, outOfBounds, "the last turn goes beyond the end")

__global__ void atomicPastEnd(int* out, int n) {
  atomicAdd(&out[n], 1);  // FAULT
}
SAMPLE(atomicPastEnd, 1, 32, outOfBounds, "an atomic behind the last element")

__global__ void wideReadPastEnd(const float* in, float* out, int n) {
  const float4 v = *reinterpret_cast<const float4*>(in + n - 4 + 4 * threadIdx.x);  // FAULT
  out[threadIdx.x] = v.x + v.w;
}
SAMPLE(wideReadPastEnd, 1, 2, outOfBounds, "four elements are read where none is left")

__global__ void wideReadOfTheLastFour(const float* in, float* out, int n) {
  const float4 v = *reinterpret_cast<const float4*>(in + n - 4);
  out[threadIdx.x] = v.x + v.w;
}
SAMPLE(wideReadOfTheLastFour, 1, 32, correct, "the last four elements")

__global__ void unsignedIndexWrapsAround(int* out) {
  const unsigned left = threadIdx.x - 1;
  out[left] = 1;  // FAULT
}
SAMPLE(unsignedIndexWrapsAround, 1, 32, hostMemory,
       "0 - 1 is four billion: so far outside that it could be anything")

__global__ void farOutside(int* out) {
  out[(1ll << 40) + threadIdx.x] = 1;  // FAULT
}
SAMPLE(farOutside, 1, 32, hostMemory, "so far outside that no array is near")

__global__ void rowsAndColumnsSwapped(int* out) {
  const unsigned columns = 128, row = threadIdx.y, column = threadIdx.x;
  out[column * columns + row] = 1;  // FAULT
}
SAMPLE(rowsAndColumnsSwapped, 1, dim3(32, 8), outOfBounds, "8 rows of 128, indexed as 32")
