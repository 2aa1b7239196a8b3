// Copies from memory to memory: whole objects that are assigned, memcpy, memset, and loops that a
// compiler would make one of these.
#include <cstring>

#include "sample.h"

struct One {
  int word;
};
struct Two {
  int words[2];
};
struct alignas(16) Four {
  int words[4];
};
struct Ten {
  int words[10];
};

template <typename T>
__device__ void number(T* all) {
  for (unsigned i = 0; i < sizeof(T) / sizeof(int); ++i)
    reinterpret_cast<int*>(all + threadIdx.x)[i] = int(threadIdx.x + i);
  __syncthreads();
}

__global__ void oneWordToOnePlace(One* own, One* out) {
  number(own);
  out[0] = own[threadIdx.x];  // FAULT
}
SAMPLE(oneWordToOnePlace, 1, 64, race, "each assigns another struct of a word")

__global__ void twoWordsToOnePlace(Two* own, Two* out) {
  number(own);
  out[0] = own[threadIdx.x];  // FAULT
}
SAMPLE(twoWordsToOnePlace, 1, 64, race, "each assigns another struct of two words")

__global__ void fourWordsToOnePlace(Four* own, Four* out) {
  number(own);
  out[0] = own[threadIdx.x];  // FAULT
}
SAMPLE(fourWordsToOnePlace, 1, 64, race, "each assigns another struct of 16 bytes")

__global__ void tenWordsToOnePlace(Ten* own, Ten* out) {
  number(own);
  out[0] = own[threadIdx.x];  // FAULT
}
SAMPLE(tenWordsToOnePlace, 1, 64, race, "each assigns another struct of ten words")

__global__ void float3ToOnePlace(float3* own, float3* out) {
  number(own);
  out[threadIdx.x / 2] = own[threadIdx.x];  // FAULT
}
SAMPLE(float3ToOnePlace, 1, 64, race, "neighbors assign the same float3")

__global__ void float4ToOnePlace(float4* own, float4* out) {
  number(own);
  out[threadIdx.x / 2] = own[threadIdx.x];  // FAULT
}
SAMPLE(float4ToOnePlace, 1, 64, race, "neighbors assign the same float4")

__global__ void structToOnePlaceInSharedMemory(Ten* own, int* out) {
  __shared__ Ten chosen;
  number(own);
  chosen = own[threadIdx.x];  // FAULT
  __syncthreads();
  out[threadIdx.x] = chosen.words[threadIdx.x % 10];
}
SAMPLE(structToOnePlaceInSharedMemory, 1, 64, race, "which struct stays is open")

__global__ void structsToOnePlaceByBlocks(Ten* own, Ten* out) {
  Ten* const mine = own + blockIdx.x * blockDim.x;
  number(mine);
  if (threadIdx.x < 10) mine[0].words[threadIdx.x] += int(blockIdx.x) + 1;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = mine[0];  // FAULT
}
SAMPLE(structsToOnePlaceByBlocks, 4, 32, race, "each block assigns another struct")

__global__ void sameStructByAll(Ten* own, Ten* out) {
  number(own);
  out[0] = own[5];  // FAULT
}
SAMPLE(sameStructByAll, 1, 64, benignRace, "all assign the same struct")

__global__ void structsThatDifferInAWord(Ten* own, Ten* out) {
  number(own);
  if (threadIdx.x < 2) own[threadIdx.x] = own[9];
  __syncthreads();
  own[threadIdx.x].words[7] = int(threadIdx.x);
  __syncthreads();
  if (threadIdx.x < 2) out[0] = own[threadIdx.x];  // FAULT
}
SAMPLE(structsThatDifferInAWord, 1, 64, race, "nine words are the same and one is not")

__global__ void structToItsOwnPlace(Ten* own, Ten* out) {
  number(own);
  out[threadIdx.x] = own[63 - threadIdx.x];
}
SAMPLE(structToItsOwnPlace, 1, 64, correct, "each assigns a struct of its own")

// ---- memcpy and memset

__global__ void memcpyToItsOwnPlace(Ten* own, Ten* out) {
  number(own);
  memcpy(out + threadIdx.x, own + 63 - threadIdx.x, sizeof(Ten));
}
SAMPLE(memcpyToItsOwnPlace, 1, 64, correct, "each copies a struct of its own")

__global__ void memcpyToOnePlace(Ten* own, Ten* out) {
  number(own);
  memcpy(out, own + threadIdx.x, sizeof(Ten));  // FAULT
}
SAMPLE(memcpyToOnePlace, 1, 64, race, "each copies another struct")

__global__ void memcpyOfThreeWords(int* own, int* out) {
  own[threadIdx.x] = int(threadIdx.x);
  memcpy(out + 3 * threadIdx.x, own + threadIdx.x, 12);  // FAULT
  own[threadIdx.x] = 1;                                  // FAULT
}
SAMPLE(memcpyOfThreeWords, 1, 64, race, "the copy reads what the neighbors write")

__global__ void memcpyOfManyWords(const int* in, int* out, int n) {
  if (threadIdx.x == 0) memcpy(out, in, unsigned(n) * sizeof(int));
  __syncthreads();
  out[threadIdx.x] += 1;
}
SAMPLE(memcpyOfManyWords, 1, 64, correct, "one copies for all, and a barrier follows")

__global__ void memcpyWithoutBarrier(const int* in, int* out, int n) {
  if (threadIdx.x == 0) memcpy(out, in, unsigned(n) * sizeof(int));  // FAULT
  out[threadIdx.x] += 1;                                             // FAULT
}
SAMPLE(memcpyWithoutBarrier, 1, 64, race, "one copies for all, and nobody waits for it")

__global__ void memcpyPastTheEnd(const int* in, int* out, int n) {
  if (threadIdx.x == 0) memcpy(out + 1, in, unsigned(n) * sizeof(int));  // FAULT
}
SAMPLE(memcpyPastTheEnd, 1, 32, outOfBounds, "the last word has no place")

__global__ void memcpyFromPastTheEnd(const int* in, int* out, int n) {
  memcpy(out + 3 * threadIdx.x, in + n - 2, 12);  // FAULT
}
SAMPLE(memcpyFromPastTheEnd, 1, 32, outOfBounds, "the third word is not there")

__global__ void memcpyOfUnwritten(const int* in, int* out) {
  memcpy(out + 5 * threadIdx.x, in + 5 * threadIdx.x, 20);  // FAULT
}
SAMPLE(memcpyOfUnwritten, 1, 32, uninitialised, "the array was never filled",
       .first = First::unwritten)

__global__ void memcpyThroughATile(const int* in, int* out) {
  __shared__ int tile[96];
  memcpy(tile + 3 * threadIdx.x, in + 3 * threadIdx.x, 12);
  __syncthreads();
  memcpy(out + 3 * threadIdx.x, tile + 93 - 3 * threadIdx.x, 12);
}
SAMPLE(memcpyThroughATile, 1, 32, correct, "a barrier between two copies")

__global__ void memcpyThroughATileWithoutBarrier(const int* in, int* out) {
  __shared__ int tile[96];
  memcpy(tile + 3 * threadIdx.x, in + 3 * threadIdx.x, 12);        // FAULT
  memcpy(out + 3 * threadIdx.x, tile + 93 - 3 * threadIdx.x, 12);  // FAULT
}
SAMPLE(memcpyThroughATileWithoutBarrier, 1, 32, race, "nothing between two copies")

__global__ void memsetOfItsOwn(int* out) {
  memset(out + 7 * threadIdx.x, 0, 28);
  out[7 * threadIdx.x + 6] += 1;
}
SAMPLE(memsetOfItsOwn, 1, 64, correct, "each fills seven words, and adds to one",
       .first = First::unwritten)

__global__ void memsetOfDifferentValues(int* out) {
  memset(out, int(threadIdx.x), 28);  // FAULT
}
SAMPLE(memsetOfDifferentValues, 1, 64, race, "each fills the same words with another value")

__global__ void memsetOfTheSameValue(int* out) {
  memset(out, 1, 28);  // FAULT
}
SAMPLE(memsetOfTheSameValue, 1, 64, benignRace, "all fill the same words with the same value")

__global__ void memsetPastTheEnd(int* out, int n) {
  if (threadIdx.x == 0) memset(out + n - 6, 0, 28);  // FAULT
}
SAMPLE(memsetPastTheEnd, 1, 32, outOfBounds, "the seventh word is not there")

__global__ void memsetPastASharedArray(int* out, int n) {
  __shared__ int tile[32];
  const int words = n / 32 + 1;                      // 33: clang++ would warn if it knew
  if (threadIdx.x == 0) memset(tile, 0, 4 * words);  // FAULT
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
SAMPLE(memsetPastASharedArray, 1, 32, outOfBounds, "33 words in a tile of 32")

__global__ void memsetWithoutBarrier(int* out) {
  __shared__ int tile[64];
  if (threadIdx.x == 0) memset(tile, 0, sizeof tile);  // FAULT
  out[threadIdx.x] = tile[threadIdx.x];                // FAULT
}
SAMPLE(memsetWithoutBarrier, 1, 64, race, "one clears the tile, and nobody waits for it")

// ---- Loops that a compiler would make calls

__global__ void loopThatClears(int* out) {
  for (int i = 0; i < 16; ++i) out[16 * threadIdx.x + i] = 0;
}
SAMPLE(loopThatClears, 1, 64, correct, "each clears sixteen words of its own",
       .first = First::unwritten)

__global__ void loopThatClearsTooFar(int* out, int n) {
  if (threadIdx.x > 0) return;
  for (int i = 0; i <= n; ++i) out[i] = 0;  // FAULT
}
SAMPLE(loopThatClearsTooFar, 1, 32, outOfBounds, "<= clears a word more than there is")

__global__ void loopThatClearsWithoutBarrier(int* out, int n) {
  if (threadIdx.x == 0)
    for (int i = 0; i < n; ++i) out[i] = 0;  // FAULT
  out[threadIdx.x] += 1;                     // FAULT
}
SAMPLE(loopThatClearsWithoutBarrier, 1, 64, race, "one clears for all, and nobody waits for it")

__global__ void loopThatCopiesTooFar(const int* __restrict__ in, int* __restrict__ out, int n) {
  if (threadIdx.x > 0) return;
  for (int i = 0; i <= n; ++i) out[i] = in[i];  // FAULT
}
SAMPLE(loopThatCopiesTooFar, 1, 32, outOfBounds, "<= copies a word more than there is")
