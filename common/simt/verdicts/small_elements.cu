// Elements of one and two bytes: four or two of them in a word.
#include "sample.h"

using Byte = unsigned char;

__global__ void neighbouringBytes(Byte* out) { out[threadIdx.x] = Byte(threadIdx.x); }
SAMPLE(neighbouringBytes, 1, 64, correct, "bytes of one word do not race")

__global__ void byteOfTwoThreads(Byte* out) {
  out[threadIdx.x / 2] = Byte(threadIdx.x);  // FAULT
}
SAMPLE(byteOfTwoThreads, 1, 64, race, "two threads write one byte")

__global__ void byteReadWithoutBarrier(Byte* out) {
  __shared__ Byte tile[64];
  tile[threadIdx.x] = Byte(threadIdx.x);      // FAULT
  out[threadIdx.x] = tile[threadIdx.x ^ 33];  // FAULT
}
SAMPLE(byteReadWithoutBarrier, 1, 64, race, "another warp's byte, one word among four threads")

__global__ void byteReadWithBarrier(Byte* out) {
  __shared__ Byte tile[64];
  tile[threadIdx.x] = Byte(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 33];
}
SAMPLE(byteReadWithBarrier, 1, 64, correct, "a barrier between")

__global__ void oneByteAmongFour(Byte* a, Byte* out) {
  a[threadIdx.x] = 1;                    // FAULT
  if (threadIdx.x == 5) out[0] = a[36];  // FAULT
}
SAMPLE(oneByteAmongFour, 1, 64, race, "three other bytes of the word were written as well")

__global__ void neighbouringShorts(short* out) { out[threadIdx.x] = short(threadIdx.x); }
SAMPLE(neighbouringShorts, 1, 64, correct, "two shorts of one word do not race")

__global__ void shortOfTwoWarps(short* out) {
  out[threadIdx.x % 32] = short(threadIdx.x);  // FAULT
}
SAMPLE(shortOfTwoWarps, 1, 64, race, "two warps write the same shorts")

__global__ void shortReadWithoutBarrier(short* out) {
  __shared__ short tile[64];
  tile[threadIdx.x] = short(threadIdx.x);     // FAULT
  out[threadIdx.x] = tile[63 - threadIdx.x];  // FAULT
}
SAMPLE(shortReadWithoutBarrier, 1, 64, race, "the same with two bytes each")

__global__ void wordOverBytes(Byte* bytes, int* out) {
  bytes[threadIdx.x] = 3;                                                               // FAULT
  if (threadIdx.x < 16) out[threadIdx.x] = reinterpret_cast<int*>(bytes)[threadIdx.x];  // FAULT
}
SAMPLE(wordOverBytes, 1, 64, race, "a word is read while others write its bytes")

struct Flags {
  unsigned low : 4;
  unsigned high : 4;
};
__global__ void bitFieldsOfOneByte(Flags* flags) {
  if (threadIdx.x == 0)
    flags->low = 1;  // FAULT
  else
    flags->high = 2;  // FAULT
}
SAMPLE(bitFieldsOfOneByte, 1, 2, race, "to write one bit field is to read and write both",
       .notYetWithClang = true)

__global__ void byteReversal(const Byte* in, Byte* out) {
  __shared__ Byte tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];  // FAULT
}
SAMPLE(byteReversal, 2, 64, benignRace, "both blocks write the same bytes, and the same values")

__global__ void bytesOfTwoBlocks(Byte* out) {
  out[blockIdx.x + 2 * threadIdx.x] = Byte(blockIdx.x);
}
SAMPLE(bytesOfTwoBlocks, 2, 64, correct, "two blocks, the odd and the even bytes")
