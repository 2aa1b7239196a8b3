// Kernels in the shapes that public code has, written anew: the executor runs them right under
// every schedule, finds no fault in them, and counts what their addresses imply.
#include "simt/tests/executor_testing.h"

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
  // Without padding, the 32 lanes that read a column meet in one bank: 31 extra passes.
  const Counters plain = transposed(transpose<0>, 64, 64),
                 padded = transposed(transpose<1>, 64, 64);
  EXPECT_EQ(plain.shared_load_requests, 4u * 32);
  EXPECT_EQ(plain.shared_load_conflicts, 4u * 32 * 31);
  EXPECT_EQ(padded.shared_load_conflicts, 0u);
  EXPECT_EQ(padded.load_sectors, padded.load_requests * 4);
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
  // 1024 vectors are 32 full warps: two loads and a store of 512 bytes each.
  EXPECT_EQ(counters.load_requests, 64u);
  EXPECT_EQ(counters.load_sectors, 64u * 16);
  EXPECT_EQ(counters.store_requests, 32u);
  EXPECT_EQ(counters.store_sectors, 32u * 16);
}
