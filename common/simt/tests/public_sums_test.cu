// Sums in the shapes that public code has, written anew: the executor runs them right under
// every schedule, finds no fault in them, and counts what their addresses imply.
#include "simt/tests/executor_testing.h"

// ---- Sums of int, one per block, in the shapes of the well-known reduction samples.

// Interleaved addressing with a modulo.
__global__ void reduceModulo(int* data, int* sums, size_t n) {
  __shared__ int tile[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  tile[t] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) tile[t] += tile[t + s];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = tile[0];
}

// Interleaved addressing with a strided index.
__global__ void reduceStridedIndex(int* data, int* sums, size_t n) {
  __shared__ int tile[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  tile[t] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const unsigned index = 2 * s * t;
    if (index < blockDim.x) tile[index] += tile[index + s];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = tile[0];
}

// Sequential addressing; the first addition while loading, so blocks of half as many threads would
// do.
__global__ void reduceFirstAddDuringLoad(int* data, int* sums, size_t n) {
  __shared__ int tile[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  const size_t half = blockDim.x / 2;
  int mine = 0;
  if (t < half) {
    if (i < n) mine += data[i];
    if (i + half < n) mine += data[i + half];
  }
  tile[t] = mine;
  __syncthreads();
  for (unsigned s = blockDim.x / 4; s > 0; s >>= 1) {
    if (t < s) tile[t] = mine = mine + tile[t + s];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = mine;
}

// The last warp unrolled with shuffles, after a tree in shared memory.
__global__ void reduceLastWarpShuffle(int* data, int* sums, size_t n) {
  __shared__ int tile[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  int mine = i < n ? data[i] : 0;
  tile[t] = mine;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
    if (t < s) tile[t] = mine = mine + tile[t + s];
    __syncthreads();
  }
  if (t < 32) {
    if (blockDim.x >= 64) mine += tile[t + 32];
    for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(~0u, mine, offset);
  }
  if (t == 0) sums[blockIdx.x] = mine;
}

template <unsigned size>
__device__ void reduceUnrolledSteps(int* tile, unsigned t) {
  if (size >= 1024 && t < 512) tile[t] += tile[t + 512];
  __syncthreads();
  if (size >= 512 && t < 256) tile[t] += tile[t + 256];
  __syncthreads();
  if (size >= 256 && t < 128) tile[t] += tile[t + 128];
  __syncthreads();
  if (size >= 128 && t < 64) tile[t] += tile[t + 64];
  __syncthreads();
}

// Completely unrolled for one block size.
template <unsigned size>
__global__ void reduceUnrolled(int* data, int* sums, size_t n) {
  __shared__ int tile[size];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * size + t;
  tile[t] = i < n ? data[i] : 0;
  __syncthreads();
  reduceUnrolledSteps<size>(tile, t);
  if (t < 32) {
    int mine = size >= 64 ? tile[t] + tile[t + 32] : tile[t];
    for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_xor_sync(~0u, mine, offset);
    if (t == 0) sums[blockIdx.x] = mine;
  }
}

static BlockSumKernel reduceUnrolledFor(unsigned block) {
  switch (block) {
    case 32: return reduceUnrolled<32>;
    case 64: return reduceUnrolled<64>;
    case 128: return reduceUnrolled<128>;
    case 256: return reduceUnrolled<256>;
    case 512: return reduceUnrolled<512>;
    default: return reduceUnrolled<1024>;
  }
}

// A grid-stride loop in front, and the warps' sums collected with __reduce_add_sync.
__global__ void reduceGridStride(int* data, int* sums, size_t n) {
  __shared__ int warpSums[32];
  int mine = 0;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x)
    mine += data[i];
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0) warpSums[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += warpSums[w];
    sums[blockIdx.x] = sum;
  }
}

TEST(PublicSums, SumsInEveryShapeOfTheReductionSamples) {
  for (const BlockSumKernel kernel : {reduceModulo, reduceStridedIndex, reduceFirstAddDuringLoad,
                                      reduceLastWarpShuffle, reduceGridStride}) {
    const Step step{.lesson = "", .name = "", .kernel = kernel};
    expectSumsUnderSchedules(step, {1, 33, 1000, 4096}, 0, 10);
  }
  expectSumsUnderSchedules({.lesson = "", .name = "", .kernelFor = reduceUnrolledFor},
                           {1, 33, 1000, 4096}, 0, 10);
}

// A dot product of doubles with a cache in shared memory, as introductory books have it.
__global__ void dotProduct(const double* a, const double* b, double* partial, int n) {
  __shared__ double cache[256];
  double sum = 0;
  for (int i = int(threadIdx.x + blockIdx.x * blockDim.x); i < n; i += int(blockDim.x * gridDim.x))
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half != 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

TEST(PublicSums, DotProductOfDoubles) {
  for (const int n : {1, 255, 257, 10000}) {
    const auto a = randomValues<double>(size_t(n)), b = randomValues<double>(size_t(n));
    DeviceArray<double> x(a.size(), "x"), y(b.size(), "y"), partial(8, "partial");
    x.copyFromHost(a.data());
    y.copyFromHost(b.data());
    underSchedules([&] {
      partial.poison();
      launch(8, 256, dotProduct, x.data(), y.data(), partial.data(), n);
      const auto sums = fetched(partial);
      EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0.0),
                std::inner_product(a.begin(), a.end(), b.begin(), 0.0));
    });
  }
}

// One warp for each segment of a list of segments.
__global__ void segmentedSum(const int* data, const int* starts, int* sums, int segments) {
  const int segment = int((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (segment >= segments) return;  // whole warps
  const int lane = int(threadIdx.x % 32);
  int sum = 0;
  for (int i = starts[segment] + lane; i < starts[segment + 1]; i += 32) sum += data[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (lane == 0) sums[segment] = sum;
}

TEST(PublicSums, SegmentedSum) {
  const std::vector<int> starts = {0, 0, 1, 33, 65, 500, 1000};
  const auto values = randomValues<int>(1000);
  DeviceArray<int> data(1000, "data"), begin(starts.size(), "starts"), sums(6, "sums");
  data.copyFromHost(values.data());
  begin.copyFromHost(starts.data());
  underSchedules([&] {
    sums.poison();
    launch(3, 64, segmentedSum, data.data(), begin.data(), sums.data(), 6);
    const auto found = fetched(sums);
    for (size_t s = 0; s < 6; ++s)
      EXPECT_EQ(found[s],
                std::accumulate(values.begin() + starts[s], values.begin() + starts[s + 1], 0));
  });
}

// One launch: the block that finishes last adds up the blocks' sums and resets the ticket.
__global__ void sumLastBlock(const int* data, int* blockSums, unsigned* ticket, int* total, int n) {
  __shared__ int warpSums[32];
  __shared__ bool last;
  int sum = 0;
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += int(gridDim.x * blockDim.x))
    sum += data[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0) warpSums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += warpSums[w];
    blockSums[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += blockSums[b];
    *total = sum;
  }
}

TEST(PublicSums, TheLastBlockToFinishAddsUp) {
  const auto values = randomValues<int>(5000);
  DeviceArray<int> data(values.size(), "data"), blockSums(7, "blockSums"), total(1, "total");
  DeviceArray<unsigned> ticket(1, "ticket");
  data.copyFromHost(values.data());
  const unsigned zero = 0;
  ticket.copyFromHost(&zero);
  underSchedules([&] {
    blockSums.poison();
    total.poison();
    launch(7, 96, sumLastBlock, data.data(), blockSums.data(), ticket.data(), total.data(), 5000);
    EXPECT_EQ(fetched(total)[0], std::accumulate(values.begin(), values.end(), 0));
  });
}
