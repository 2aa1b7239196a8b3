// Kernels in the shapes that public code has, written anew: the executor runs them right under
// every schedule, finds no fault in them, and counts what their addresses imply.
#include <cmath>
#include <random>

#include "test_support/kernel_testing.h"

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

TEST(PublicKernels, SumsInEveryShapeOfTheReductionSamples) {
  for (const BlockSumKernel kernel : {reduceModulo, reduceStridedIndex, reduceFirstAddDuringLoad,
                                      reduceLastWarpShuffle, reduceGridStride}) {
    const Step step{.lesson = "", .name = "", .kernel = kernel};
    expectSumsUnderSchedules(step, {1, 33, 1000, 4096}, 0, 10);
  }
  expectSumsUnderSchedules({.lesson = "", .name = "", .kernelFor = reduceUnrolledFor},
                           {1, 33, 1000, 4096}, 0, 10);
}

// ---- Other shapes

// Runs body under the forward, the reverse and ten random schedules; a fault fails the test.
template <typename Body>
static void underSchedules(Body&& body) {
  using Order = simt::Schedule::Order;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const WithSchedule schedule(seed == 0   ? Order::forward
                                : seed == 1 ? Order::reverse
                                            : Order::random,
                                seed);
    try {
      body();
    } catch (const simt::Fault& fault) {
      ADD_FAILURE() << fault.what() << ", schedule " << seed;
    }
  }
}

template <typename T>
static std::vector<T> fetched(const DeviceArray<T>& array) {
  std::vector<T> host(array.size());
  array.copyToHost(host.data(), host.size());
  return host;
}

template <typename T>
static std::vector<T> randomValues(size_t n) {
  std::mt19937 random(1);
  std::vector<T> values(n);
  for (T& value : values) value = T(random() % 256) / T(1);
  return values;
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

TEST(PublicKernels, DotProductOfDoubles) {
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

TEST(PublicKernels, SegmentedSum) {
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

// Compaction: the lanes of a warp that have something to store take their places with one atomic.
__global__ void compactAggregated(const int* data, int* kept, unsigned* count, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const bool keep = i < n && data[i] % 3 == 0;
  const unsigned voters = __ballot_sync(~0u, keep);
  const unsigned lane = threadIdx.x % 32;
  unsigned base = 0;
  if (lane == 0 && voters != 0) base = atomicAdd(count, unsigned(__popc(voters)));
  base = __shfl_sync(~0u, base, 0);
  if (keep) kept[base + unsigned(__popc(voters & ((1u << lane) - 1)))] = data[i];
}

// The opportunistic form: whichever lanes happen to be together elect a leader.
__device__ unsigned takeTicket(unsigned* counter) {
  const unsigned active = __activemask();
  const unsigned lane = threadIdx.x % 32;
  const int leader = __ffs(int(active)) - 1;
  unsigned base = 0;
  if (int(lane) == leader) base = atomicAdd(counter, unsigned(__popc(active)));
  base = __shfl_sync(active, base, leader);
  return base + unsigned(__popc(active & ((1u << lane) - 1)));
}

__global__ void compactOpportunistic(const int* data, int* kept, unsigned* count, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && data[i] % 3 == 0) kept[takeTicket(count)] = data[i];
}

TEST(PublicKernels, WarpAggregatedAtomics) {
  const auto values = randomValues<int>(1000);
  std::vector<int> expected;
  std::ranges::copy_if(values, std::back_inserter(expected), [](int v) { return v % 3 == 0; });
  std::ranges::sort(expected);
  DeviceArray<int> data(1000, "data"), kept(1000, "kept");
  DeviceArray<unsigned> count(1, "count");
  data.copyFromHost(values.data());
  for (const auto kernel : {compactAggregated, compactOpportunistic})
    underSchedules([&] {
      const unsigned zero = 0;
      count.copyFromHost(&zero);
      kept.poison();
      launch(8, 128, kernel, data.data(), kept.data(), count.data(), 1000);
      auto found = fetched(kept);
      found.resize(fetched(count)[0]);
      std::ranges::sort(found);
      EXPECT_EQ(found, expected);
    });
}

TEST(PublicKernels, AggregationLeavesOneAtomicForEachWarp) {
  NEEDS_COUNTERS();
  const std::vector<int> values(1024, 3);
  DeviceArray<int> data(1024, "data"), kept(1024, "kept");
  DeviceArray<unsigned> count(1, "count");
  data.copyFromHost(values.data());
  const unsigned zero = 0;
  count.copyFromHost(&zero);
  for (const auto kernel : {compactAggregated, compactOpportunistic}) {
    count.copyFromHost(&zero);
    simt::takeCounters();
    launch(8, 128, kernel, data.data(), kept.data(), count.data(), 1024);
    EXPECT_EQ(simt::takeCounters().atomics, 32u);
  }
}

// An inclusive scan of a block, with two buffers in shared memory used in turn.
__global__ void scanDoubleBuffered(const int* data, int* result, int n) {
  __shared__ int buffer[2][256];
  const int t = int(threadIdx.x);
  int from = 0;
  buffer[0][t] = t < n ? data[t] : 0;
  __syncthreads();
  for (int offset = 1; offset < int(blockDim.x); offset *= 2) {
    buffer[1 - from][t] = buffer[from][t] + (t >= offset ? buffer[from][t - offset] : 0);
    from = 1 - from;
    __syncthreads();
  }
  if (t < n) result[t] = buffer[from][t];
}

// The same by shuffles: a scan in each warp, then the warps' totals.
__global__ void scanShuffles(const int* data, int* result, int n) {
  __shared__ int totals[8];
  const int t = int(threadIdx.x), lane = t % 32, warp = t / 32;
  int value = t < n ? data[t] : 0;
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const int before = __shfl_up_sync(~0u, value, offset);
    if (lane >= int(offset)) value += before;
  }
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  for (int w = 0; w < warp; ++w) value += totals[w];
  if (t < n) result[t] = value;
}

TEST(PublicKernels, InclusiveScans) {
  for (const int n : {1, 31, 33, 200, 256}) {
    const auto values = randomValues<int>(size_t(n));
    std::vector<int> expected(values.size());
    std::inclusive_scan(values.begin(), values.end(), expected.begin());
    DeviceArray<int> data(values.size(), "data"), result(values.size(), "result");
    data.copyFromHost(values.data());
    for (const auto kernel : {scanDoubleBuffered, scanShuffles})
      underSchedules([&] {
        result.poison();
        launch(1, 256, kernel, data.data(), result.data(), n);
        EXPECT_EQ(fetched(result), expected);
      });
  }
}

// A histogram in shared memory by atomics, added to the global one by atomics.
__global__ void histogram(const int* data, unsigned* bins, int n) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += int(gridDim.x * blockDim.x))
    atomicAdd(&own[data[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

TEST(PublicKernels, Histogram) {
  const auto values = randomValues<int>(5000);
  std::vector<unsigned> expected(256), zeros(256);
  for (const int v : values) ++expected[size_t(v)];
  DeviceArray<int> data(values.size(), "data");
  DeviceArray<unsigned> bins(256, "bins");
  data.copyFromHost(values.data());
  underSchedules([&] {
    bins.copyFromHost(zeros.data());
    launch(4, 256, histogram, data.data(), bins.data(), 5000);
    EXPECT_EQ(fetched(bins), expected);
  });
}

// A matrix transposed through a tile in shared memory; padding is an extra column against
// conflicts.
template <int padding>
__global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][32 + padding];
  int x = int(blockIdx.x * 32 + threadIdx.x), y = int(blockIdx.y * 32 + threadIdx.y);
  for (int j = 0; j < 32; j += int(blockDim.y))
    if (x < width && y + j < height)
      tile[int(threadIdx.y) + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = int(blockIdx.y * 32 + threadIdx.x);
  y = int(blockIdx.x * 32 + threadIdx.y);
  for (int j = 0; j < 32; j += int(blockDim.y))
    if (x < height && y + j < width)
      out[(y + j) * height + x] = tile[threadIdx.x][int(threadIdx.y) + j];
}

static Counters transposed(void (*kernel)(const float*, float*, int, int), int width, int height) {
  const auto values = randomValues<float>(size_t(width) * size_t(height));
  DeviceArray<float> in(values.size(), "in"), out(values.size(), "out");
  in.copyFromHost(values.data());
  const dim3 grid(unsigned(width + 31) / 32, unsigned(height + 31) / 32);
  Counters counters;
  underSchedules([&] {
    out.poison();
    simt::takeCounters();
    launch(grid, dim3(32, 8), kernel, in.data(), out.data(), width, height);
    counters = simt::takeCounters();
    const auto result = fetched(out);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        ASSERT_EQ(result[size_t(x * height + y)], values[size_t(y * width + x)]);
  });
  return counters;
}

TEST(PublicKernels, TransposeOfAnyShape) {
  for (const auto& [width, height] : {std::pair(32, 32), {1, 1}, {33, 65}, {100, 40}})
    for (const auto kernel : {transpose<0>, transpose<1>}) transposed(kernel, width, height);
}

TEST(PublicKernels, PaddingTakesTheConflictsAway) {
  NEEDS_COUNTERS();
  // Without padding, the 32 lanes that read a column meet in one bank: 31 extra passes.
  const Counters plain = transposed(transpose<0>, 64, 64),
                 padded = transposed(transpose<1>, 64, 64);
  EXPECT_EQ(plain.shared_load_requests, 4u * 32);
  EXPECT_EQ(plain.shared_load_conflicts, 4u * 32 * 31);
  EXPECT_EQ(padded.shared_load_conflicts, 0u);
  EXPECT_EQ(padded.load_sectors, padded.load_requests * 4);
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

TEST(PublicKernels, TheLastBlockToFinishAddsUp) {
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

// y += a x with 16-byte accesses in a grid-stride loop.
__global__ void saxpyVector(float a, const float4* x, float4* y, int n4) {
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n4;
       i += int(gridDim.x * blockDim.x)) {
    const float4 u = x[i];
    float4 v = y[i];
    v = make_float4(v.x + a * u.x, v.y + a * u.y, v.z + a * u.z, v.w + a * u.w);
    y[i] = v;
  }
}

TEST(PublicKernels, SaxpyWithVectors) {
  const auto x = randomValues<float>(4096), y = randomValues<float>(4096);
  DeviceArray<float> u(4096, "x"), v(4096, "y");
  u.copyFromHost(x.data());
  Counters counters;
  underSchedules([&] {
    v.copyFromHost(y.data());
    simt::takeCounters();
    launch(2, 128, saxpyVector, 2.0f, reinterpret_cast<const float4*>(u.data()),
           reinterpret_cast<float4*>(v.data()), 1024);
    counters = simt::takeCounters();
    const auto result = fetched(v);
    for (size_t i = 0; i < 4096; ++i) ASSERT_EQ(result[i], y[i] + 2 * x[i]);
  });
  if (!simt::instrumented()) return;
  // 1024 vectors are 32 full warps: two loads and a store of 512 bytes each.
  EXPECT_EQ(counters.load_requests, 64u);
  EXPECT_EQ(counters.load_sectors, 64u * 16);
  EXPECT_EQ(counters.store_requests, 32u);
  EXPECT_EQ(counters.store_sectors, 32u * 16);
}
