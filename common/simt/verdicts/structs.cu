// Structs that are assigned as a whole: several words in one statement, and padding between them.
#include "sample.h"

struct Padded {
  char tag;
  int value;
};
struct Wide {
  int words[10];
};
struct PaddedWide {
  int count;
  double values[3];
  char tag;
};

__global__ void structRace(const Wide* in, Wide* out) {
  out[threadIdx.x / 2] = in[threadIdx.x];                 // FAULT
  out[threadIdx.x / 2].words[0] += int(threadIdx.x) + 1;  // FAULT
}
SAMPLE(structRace, 1, 64, race, "two threads assign the same struct")

__global__ void structReadWithoutBarrier(Wide* a, Wide* out) {
  a[threadIdx.x].words[3] = int(threadIdx.x);  // FAULT
  out[threadIdx.x] = a[63 - threadIdx.x];      // FAULT
}
SAMPLE(structReadWithoutBarrier, 1, 64, race,
       "a struct is copied while another thread writes to it")

__global__ void structReadAfterBarrier(Wide* a, Wide* out) {
  a[threadIdx.x].words[3] = int(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = a[63 - threadIdx.x];
}
SAMPLE(structReadAfterBarrier, 1, 64, correct, "a barrier between write and copy")

__global__ void structPastEnd(const Wide* in, Wide* out, int n) {
  out[threadIdx.x] = in[n - 31 + int(threadIdx.x)];  // FAULT
}
SAMPLE(structPastEnd, 1, 32, outOfBounds, "the last struct is not there")

__global__ void structNeverWritten(const Wide* in, Wide* out) {
  out[threadIdx.x] = in[threadIdx.x];  // FAULT
}
SAMPLE(structNeverWritten, 1, 32, uninitialised, "a copy of what nobody has written",
       .first = First::unwritten)

__global__ void structInSharedMemoryRace(const Wide* in, Wide* out) {
  __shared__ Wide tile[64];
  tile[threadIdx.x] = in[threadIdx.x];        // FAULT
  out[threadIdx.x] = tile[63 - threadIdx.x];  // FAULT
}
SAMPLE(structInSharedMemoryRace, 1, 64, race, "structs are exchanged without a barrier")

__global__ void copyOfPadding(const Padded* in, Padded* out) {
  __shared__ Padded tile[32];
  tile[threadIdx.x].tag = 'x';
  tile[threadIdx.x].value = in[threadIdx.x].value;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
SAMPLE(copyOfPadding, 1, 32, correct, "nobody writes padding, and the copy reads it")

__global__ void copyOfWidePadding(PaddedWide* a, PaddedWide* out) {
  a[threadIdx.x].count = 1;
  a[threadIdx.x].tag = 'x';
  for (int k = 0; k < 3; ++k) a[threadIdx.x].values[k] = k;
  __syncthreads();
  out[threadIdx.x] = a[31 - threadIdx.x];
}
SAMPLE(copyOfWidePadding, 1, 32, correct, "the same with a struct of several words",
       .first = First::unwritten)

__global__ void neighbouringMembers(Padded* out) {
  if (threadIdx.x % 2 == 0)
    out[threadIdx.x / 2].tag = 'a';
  else
    out[threadIdx.x / 2].value = 1;
}
SAMPLE(neighbouringMembers, 1, 64, correct, "two threads, two members of one struct")

__global__ void float3Copy(const float3* in, float3* out) { out[threadIdx.x] = in[threadIdx.x]; }
SAMPLE(float3Copy, 1, 64, correct, "12 bytes at a multiple of 4 are what a float3 is")

__global__ void float3InSharedMemory(const float3* in, float3* out) {
  __shared__ float3 tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float3 v = tile[63 - threadIdx.x];
  out[threadIdx.x] = make_float3(v.z, v.y, v.x);
}
SAMPLE(float3InSharedMemory, 1, 64, correct, "the same through a tile")

__global__ void float3Race(float3* a, float3* out) {
  a[threadIdx.x].z = 2;                    // FAULT
  out[threadIdx.x] = a[63 - threadIdx.x];  // FAULT
}
SAMPLE(float3Race, 1, 64, race, "another thread's z is copied while it writes")

__global__ void structByValue(Wide* a, int* out) {
  const Wide mine = a[threadIdx.x];
  int sum = 0;
  for (const int word : mine.words) sum += word;
  out[threadIdx.x] = sum;
}
SAMPLE(structByValue, 1, 32, correct, "a copy of its own")
