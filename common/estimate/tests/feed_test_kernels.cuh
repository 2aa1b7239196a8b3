// What feed_test.cu launches, by itself: a GPU compiler makes code of it, too.
#pragma once

#include <cuda_fp16.h>
#include <mma.h>

#include <cuda/atomic>

#include "cuda/kernel.h"

__global__ void tensorProducts(int*, int* out) {
  namespace wmma = nvcuda::wmma;
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  wmma::fill_fragment(sum, 0);
  x.x[0] = y.x[0] = 2;
  for (int i = 0; i < int(blockDim.x) / 8; ++i) wmma::mma_sync(sum, x, y, sum);
  out[threadIdx.x] = sum.x[0] > 0;
}

// Twelve shuffles on a line that are none.
__global__ void twelveShuffles(int* data, int* out) {
  int value = data[threadIdx.x];
  for (int i = 0; i < 12; ++i) value += __shfl_xor_sync(0xffffffff, value, 1 + i);
  out[threadIdx.x] = value;
}

__global__ void exponential(int* data, int* out) {
  out[threadIdx.x] = int(expf(float(data[threadIdx.x])));
}
__global__ void exponentialOfAnother(int* data, int* out) {
  out[threadIdx.x] = int(expf(expf(float(data[threadIdx.x]))));
}

__global__ void sinesAndCosines(int* data, int* out) {
  const float x = float(data[threadIdx.x]);
  out[threadIdx.x] = int(sinf(x) + cosf(x));
}
__global__ void sinesWithCosines(int* data, int* out) {
  float sine, cosine;
  sincosf(float(data[threadIdx.x]), &sine, &cosine);
  out[threadIdx.x] = int(sine + cosine);
}
template <typename T>
__global__ void exponentialsInTurn(int* data, int* out) {
  T sum = 0;
  for (int i = 0; i < 64; ++i) sum += exp(T(data[threadIdx.x + 32 * i]));
  out[threadIdx.x] = int(sum);
}
// What a function does changes no memory.
__global__ void sinesOfOne(int* data, int* out) {
  float sum = 0;
  for (int i = 0; i < 64; ++i) sum += sinf(float(data[0] * i));
  out[threadIdx.x] = int(sum);
}
// Sixteen turns of a loop that steps by what nobody knows before.
__global__ void stepsByAVariable(int* data, int* out) {
  const int step = 32 + out[0], end = 512 + out[1];
  int sum = 0;
  for (int i = int(threadIdx.x); i < end; i += step) sum += data[i];
  out[threadIdx.x] = sum;
}
__global__ void functionsInAnIf(int* data, int* out) {
  const int end = 16 + out[1];
  float sum = 0;
  for (int i = 0; i < end; ++i) {
    const float x = float(data[32 * i + threadIdx.x]);
    if (x < 1) sum += expf(x);
  }
  out[threadIdx.x] = int(sum);
}

// Counts what an instruction makes otherwise than several.
__global__ void bitsOtherwise(int* data, int* out) {
  const unsigned x = 0x9e3779b9u * (threadIdx.x + 1), y = ~x + unsigned(data[0]);
  unsigned wrong = __mulhi(int(x), int(y)) != int((long long)(int(x)) * int(y) >> 32);
  wrong |= __umulhi(x, y) != unsigned((unsigned long long)(x)*y >> 32);
  wrong |= __funnelshift_l(x, y, 7) != (y << 7 | x >> 25);
  wrong |= __funnelshift_r(x, y, 7) != (x >> 7 | y << 25);
  wrong |= __sad(int(x), int(x) + 3, 4) != 7 || __usad(5, 3, 4) != 6;
  wrong |= __ffs(int(8 + 16 * threadIdx.x)) != 4 || __ffs(data[1]) != 0;
  if (wrong) atomicAdd(out, 1);
}

__global__ void rootInAnIf(int* data, int* out) {
  const int value = data[threadIdx.x];
  int root = 1;
  if (value > 0) root = int(sqrtf(float(value)));
  out[threadIdx.x] = root;
}

__global__ void rareFunctions(int* data, int* out) {
  const float x = float(data[threadIdx.x]);
  int exponent = 0;
  const double sum = std::sqrt(double(x)) + double(__fmaf_rn(x, x, x) + frexpf(x, &exponent));
  const unsigned bytes = __byte_perm(unsigned(exponent), 5, 0x2143);
  out[threadIdx.x] = int(sum) + int(bytes) + int(ilogbf(x)) + int(llroundf(x)) + int(clock64());
}

__global__ void addOne(int* data, int* out) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  out[i] = data[i] + 1;
}

__global__ void throughArray(const int* data, int* out, size_t n) {
  int sum = 0;
  const size_t first = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (size_t i = first; i < n; i += size_t(gridDim.x) * blockDim.x) sum += data[i];
  out[first] = sum;
}

// Each load's address is what the one before has brought; and the same without that.
__global__ void list(int* data, int* out) {
  int at = int(threadIdx.x);
  for (int k = 0; k < int(blockDim.x); ++k) at = data[at];
  out[threadIdx.x] = at;
}
__global__ void array(int* data, int* out) {
  int sum = 0;
  for (int k = 0; k < int(blockDim.x); ++k) sum += data[threadIdx.x + 32 * k];
  out[threadIdx.x] = sum;
}

__global__ void strided(int* data, int* out) { out[threadIdx.x] = data[threadIdx.x * 8]; }

// Every lane reads a line of its own, piece by piece.
__global__ void linesOfLanes(int* data, int* out) {
  int sum = 0;
  for (unsigned k = 0; k < 32; k += 8) sum += data[threadIdx.x * 32 + k];
  out[threadIdx.x] = sum;
}

// The first warp needs a sector of the next block's, after its own.
__global__ void intoTheNextBlock(int* data, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int own = data[i];
  __syncthreads();
  out[i] = threadIdx.x == 0 ? own + data[i + blockDim.x] : own;
}

// The first warp needs what the second one loads, when it has waited for its own; or at once.
__global__ void laterFromTheNextWarp(int* data, int* out) {
  const int own = data[threadIdx.x];
  if (threadIdx.x < 32 && own == 0) out[threadIdx.x] = data[threadIdx.x + 32];
  out[threadIdx.x + 32] = own;
}
__global__ void alsoFromTheNextWarp(int* data, int* out) {
  const int own = data[threadIdx.x], next = threadIdx.x < 32 ? data[threadIdx.x + 32] : 0;
  out[threadIdx.x] = own + next;
}
// The second one does so when the first has brought it.
__global__ void behindABarrier(int* data, int* out) {
  int value = threadIdx.x < 32 ? data[threadIdx.x] : 0;
  if (threadIdx.x < 32 && value == 0) value = data[threadIdx.x + 32];
  __syncthreads();
  out[threadIdx.x] = threadIdx.x < 32 ? value : data[threadIdx.x];
}

// What was loaded, and something else, go where it came from.
__global__ void sumsInPlace(int* data, int* out) {
  int sum = 0;
  for (int row = 0; row < 4; ++row) {
    const int value = data[row * 1024 + threadIdx.x];
    data[row * 1024 + threadIdx.x] = sum;
    sum += value;
  }
  out[threadIdx.x] = sum;
}

// Through planes of 4 rows of a block's threads: what its last row and column need of the blocks
// below and beside it, these have read, and waited for, in the turn before.
__global__ void throughPlanes(const int* data, int* out) {
  __shared__ int plane[128];
  const unsigned t = threadIdx.x, width = 32 * gridDim.x, rows = 4 * gridDim.y;
  const unsigned x = 32 * blockIdx.x + t % 32, y = 4 * blockIdx.y + t / 32;
  int sum = 0;
  for (unsigned z = 0; z < 8; ++z) {
    const unsigned i = (z * rows + y) * width + x;
    const int next = data[i + rows * width];
    const int below = t >= 96 && y + 1 < rows ? data[i + width] : 0;
    const int beside = t % 32 == 31 && x + 1 < width ? data[i + 1] : 0;
    plane[t] = next + below + beside;
    __syncthreads();
    sum += plane[t ^ 1];
    __syncthreads();
  }
  out[y * width + x] = sum;
}

// Of every so many blocks one does much, none that are beside one another.
__global__ void oneOfSome(int* data, int* out, unsigned some) {
  const unsigned its = blockIdx.x * 2654435769u;
  int sum = 0;
  for (unsigned turns = (its >> 8) % some == 0 ? 100 : 1; turns > 0; --turns)
    sum = sum * 5 + data[(sum + threadIdx.x) & 1023];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void again(int* data, int* out) {
  int sum = data[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = sum + data[threadIdx.x ^ 1];
}

// A thread's numbers lie side by side: stored one after the other, or with a load before each.
__global__ void eightOfEach(int* data, int* out) {
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) out[threadIdx.x * 8 + k] = data[threadIdx.x + 32 * k];
}
__global__ void eightAtOnce(int*, int* out) {
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) out[threadIdx.x * 8 + k] = int(threadIdx.x ^ k);
}

__global__ void sameForAll(int* data, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x];
}

__global__ void conflicts(int*, int* out) {
  __shared__ int tile[1024];
  tile[threadIdx.x * 32] = int(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void predicated(int* data, int* out) {
  __shared__ int sums[64];
  const unsigned t = threadIdx.x;
  sums[t] = data[t];
  __syncthreads();
  for (unsigned stride = 32; stride > 0; stride /= 2) {
    if (t < stride) sums[t] += sums[t + stride];
    __syncthreads();
  }
  if (t == 0) out[0] = sums[0];
}

// Every thread adds up the same eight words, and the first of them once more.
__global__ void sideBySide(int* data, int* out) {
  __shared__ int words[32];
  words[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  int sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum = sum * 3 + words[k];
  out[threadIdx.x] = sum;
}

// The distance is known only at run time.
__global__ void atADistance(int* data, int* out) {
  __shared__ int words[64];
  words[threadIdx.x] = words[threadIdx.x + 32] = 1;
  __syncthreads();
  const int distance = data[0] + 1;
  out[threadIdx.x] = words[threadIdx.x] + words[threadIdx.x + distance];
}

__global__ void longLoop(int* data, int* out) {
  int sum = 0;
  for (unsigned i = threadIdx.x; i < 1u << 18; i += blockDim.x) sum += data[i];
  out[threadIdx.x] = sum;
}

// data[0] counts the blocks; the last one reads what eight of the others left.
template <unsigned perBlock>
__global__ void lastBlockReads(int* data, int* out) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    out[blockIdx.x] = 1;
    __threadfence();
    isLast = atomicAdd(data, int(perBlock)) == int(perBlock * (gridDim.x - 1));
  }
  __syncthreads();
  if (isLast && threadIdx.x < 8) out[gridDim.x] = out[threadIdx.x];
}

// Atomics of a warp on one address, on a sector's eight, on a sector for every lane, and on the
// same for each block.
__global__ void updates(int* data, int* out) {
  int* const mine = data + 8192 * (blockIdx.x + 1);
  atomicAdd(data, 1);
  atomicAdd(mine + threadIdx.x % 8, 1);
  atomicAdd(mine + threadIdx.x * 8, 1);
  out[blockIdx.x] = 1;
}

// Sixteen lanes have an address, and blocks of 256 threads the 64 bytes beside their neighbours';
// or one of 256 addresses.
__global__ void updatesBySixteen(int*, int* out) {
  atomicMin(&out[(blockIdx.x * blockDim.x + threadIdx.x) / 16], int(threadIdx.x));
}
__global__ void updatesAgain(int*, int* out) {
  atomicMin(&out[(blockIdx.x * blockDim.x + threadIdx.x) / 16 % 256], int(threadIdx.x));
}

// Every second to one of some 65,536.
__global__ void updatesMostlyOne(int*, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMin(&out[i % 2 == 0 ? 7 : i * 40503u % 65536], int(i));
}

// A block's two warps to a row of 64: half of all blocks to the first one.
__global__ void updatesRows(int*, int* out) {
  const unsigned row = blockIdx.x * 2654435761u >> 31 == 0 ? 0 : 1 + blockIdx.x * 40503u % 16384;
  atomicAdd(reinterpret_cast<float*>(out) + row * 64 + threadIdx.x, 1.0f);
}
// One lane of a warp to the first place, the others elsewhere.
template <typename T>
__device__ void updateOneByLanes(T* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(out + (i % 32 == 0 ? 0 : 64 + i * 40503u % 65536), T(1));
}
__global__ void updatesOneByLanes(int*, int* out) { updateOneByLanes(out); }
__global__ void updatesOneByLanesOfFloats(int*, int* out) {
  updateOneByLanes(reinterpret_cast<float*>(out));
}

// 65 sums: in registers where its loops are unrolled, the inner one for each turn of the outer one.
__global__ void sortsInRegisters(int* data, int* out) {
  int v[24];
#pragma unroll
  for (int k = 0; k < 24; ++k) v[k] = data[32 * k + threadIdx.x];
#pragma unroll
  for (int end = 23; end > 16; --end)
#pragma unroll
    for (int k = 0; k < end; ++k) {
      const int low = min(v[k], v[k + 1]), high = max(v[k], v[k + 1]);
      v[k] = low, v[k + 1] = high;
    }
  out[threadIdx.x] = v[17];
}
__global__ void triangleOfSums(int* data, int* out) {
  float sums[65] = {}, x[10];
  for (int row = 0; row < 4; ++row) {
    for (int i = 0; i < 10; ++i) x[i] = float(data[32 * i + threadIdx.x + row]);
    int at = 10;
    for (int i = 0; i < 10; ++i) {
      sums[i] += x[i];
      for (int j = 0; j <= i; ++j) sums[at++] += x[i] * x[j];
    }
  }
  for (int i = 0; i < 65; ++i) out[32 * i + threadIdx.x] = int(sums[i]);
}

// All write one place, if they have found something; and read what they update.
__global__ void flagged(int* data, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (data[i] == 0) out[0] = 1;
}
__global__ void updatesWhatItReads(int* data, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMin(&out[i], data[i] + out[(i + 4096) % 65536]);
}

__global__ void fences(int* data, int* out) {
  data[threadIdx.x] = 1;
  __threadfence();
  if (threadIdx.x == 0)
    cuda::atomic_ref<int, cuda::thread_scope_device>(*out).fetch_add(1, cuda::memory_order_release);
  __threadfence_block();
  data[threadIdx.x + 32] = 1;
  cuda::atomic_ref<int, cuda::thread_scope_device>(*out).fetch_add(1, cuda::memory_order_relaxed);
}

// Each lane's exponentials of two halves; none is far from what float has.
__global__ void exponentials(int*, int* out) {
  const float x = float(threadIdx.x) / 8;
  const __half2 y = h2exp(__floats2half2_rn(x, -x));
  if (fabsf(__low2float(y) - expf(x)) > expf(x) / 1000) atomicAdd(out, 1);
  if (fabsf(__high2float(y) - expf(-x)) > expf(-x) / 1000) atomicAdd(out, 1);
}

// Two blocks go through far more than the others: the later one through a little less.
__global__ void twoLongBlocks(int* data, int* out) {
  const int few = 4 + blockIdx.x % 8;
  const int turns = blockIdx.x == 300 ? 4000 : blockIdx.x == 3900 ? 3900 : few;
  int sum = 0;
  for (int i = 0; i < turns; ++i) sum = sum * 3 + data[(i + threadIdx.x) & 1023];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// One block goes through five times as much as the others.
__global__ void oneLongBlock(int* data, int* out) {
  const int turns = blockIdx.x == 300 ? 500 : 100 + blockIdx.x % 2;
  int sum = 0;
  for (int i = 0; i < turns; ++i) sum = sum * 3 + data[(i + threadIdx.x) & 1023];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// The first eight blocks go through a little more.
__global__ void firstBlocksDoMore(int* data, int* out) {
  int sum = 0;
  for (unsigned i = 0; i < (blockIdx.x < 8 ? 112 : 100); ++i) sum = sum * 3 + data[(i * 7) & 1023];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// Every other block, by no order, goes through half as much again.
__global__ void someDoHalfMore(int* data, int* out) {
  const bool more = (blockIdx.x * 2654435769u) >> 31;
  int sum = 0;
  for (unsigned i = 0; i < (more ? 144 : 96); ++i) sum = sum * 3 + data[(i * 7) & 1023];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void exchanges(int* data, int* out) {
  atomicExch(&out[threadIdx.x], data[threadIdx.x]);
  atomicExch(reinterpret_cast<float*>(&out[threadIdx.x]), 1.0f);
}

template __global__ void exponentialsInTurn<float>(int*, int*);
template __global__ void exponentialsInTurn<double>(int*, int*);
template __global__ void lastBlockReads<1>(int*, int*);
template __global__ void lastBlockReads<3>(int*, int*);
