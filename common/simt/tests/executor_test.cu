// The executor by itself: what its primitives compute, and what it counts.
#include <limits>

#include "simt/tests/executor_testing.h"

// ---- Warp operations

enum class Which { index, up, down, exclusiveOr };

template <typename T>
__global__ void shuffleAll(T* out, Which which, int argument, int width) {
  const T mine = T(threadIdx.x * 3);
  T got{};
  if (which == Which::index) got = __shfl_sync(~0u, mine, argument, width);
  if (which == Which::up) got = __shfl_up_sync(~0u, mine, unsigned(argument), width);
  if (which == Which::down) got = __shfl_down_sync(~0u, mine, unsigned(argument), width);
  if (which == Which::exclusiveOr) got = __shfl_xor_sync(~0u, mine, argument, width);
  out[threadIdx.x] = got;
}

// The source lane by the formulas of the PTX manual (shfl.sync): segments of width lanes, a lane
// whose source is outside its segment keeps its own value.
static int sourceLane(Which which, int lane, int argument, int width) {
  const int first = lane / width * width, last = first + width - 1;
  switch (which) {
    case Which::index: return first + argument % width;
    case Which::up: return lane - argument >= first ? lane - argument : lane;
    case Which::down: return lane + argument <= last ? lane + argument : lane;
    default: return (lane ^ argument) <= last ? lane ^ argument : lane;
  }
}

template <typename T>
static void expectShuffles() {
  DeviceArray<T> out(32, "out");
  for (const Which which : {Which::index, Which::up, Which::down, Which::exclusiveOr})
    for (const int width : {1, 2, 4, 8, 16, 32})
      for (int argument = 0; argument < 32; ++argument) {
        launch(1, 32, shuffleAll<T>, out.data(), which, argument, width);
        const auto got = fetched(out);
        for (int lane = 0; lane < 32; ++lane)
          ASSERT_EQ(got[size_t(lane)], T(sourceLane(which, lane, argument, width) * 3))
              << "lane " << lane << ", argument " << argument << ", width " << width;
      }
}

TEST(Executor, ShufflesAsThePtxManualSays) {
  expectShuffles<int>();
  expectShuffles<float>();
  expectShuffles<double>();
  expectShuffles<long long>();
}

__global__ void votes(unsigned* out) {
  const unsigned lane = threadIdx.x;
  const unsigned odd = __ballot_sync(~0u, lane % 2);
  const int any = __any_sync(~0u, lane == 7), none = __any_sync(~0u, lane > 31);
  const int all = __all_sync(~0u, lane < 32), notAll = __all_sync(~0u, lane < 31);
  unsigned together = 0;
  if (lane < 8) together = __activemask();
  unsigned half = 0;
  if (lane < 16) half = __ballot_sync(0xffffu, lane > 3);
  if (lane == 5) {
    out[0] = odd, out[1] = unsigned(any), out[2] = unsigned(none), out[3] = unsigned(all);
    out[4] = unsigned(notAll), out[5] = together, out[6] = half;
  }
}

TEST(Executor, Votes) {
  DeviceArray<unsigned> out(7, "out");
  launch(1, 32, votes, out.data());
  EXPECT_EQ(fetched(out), (std::vector<unsigned>{0xaaaaaaaa, 1, 0, 1, 0, 0xff, 0xfff0}));
}

__global__ void reductions(int* out, unsigned* outUnsigned) {
  const int mine = int(threadIdx.x) - 10;
  const int sum = __reduce_add_sync(~0u, mine), least = __reduce_min_sync(~0u, mine),
            most = __reduce_max_sync(~0u, mine);
  const unsigned bits = threadIdx.x;
  const unsigned everywhere = __reduce_and_sync(~0u, bits | 32),
                 somewhere = __reduce_or_sync(~0u, bits), parity = __reduce_xor_sync(~0u, bits),
                 largest = __reduce_max_sync(~0u, unsigned(mine));
  if (threadIdx.x == 0) {
    out[0] = sum, out[1] = least, out[2] = most;
    outUnsigned[0] = everywhere, outUnsigned[1] = somewhere, outUnsigned[2] = parity,
    outUnsigned[3] = largest;
  }
}

TEST(Executor, WarpReductions) {
  DeviceArray<int> out(3, "out");
  DeviceArray<unsigned> outUnsigned(4, "outUnsigned");
  launch(1, 32, reductions, out.data(), outUnsigned.data());
  EXPECT_EQ(fetched(out), (std::vector<int>{496 - 320, -10, 21}));
  EXPECT_EQ(fetched(outUnsigned), (std::vector<unsigned>{32, 31, 0, unsigned(-1)}));
}

__global__ void blockVotes(int* out) {
  const int t = int(threadIdx.x);
  const int count = __syncthreads_count(t % 3 == 0), all = __syncthreads_and(t < 100),
            notAll = __syncthreads_and(t < 99), any = __syncthreads_or(t == 99),
            none = __syncthreads_or(t == 100);
  if (t == 42) out[0] = count, out[1] = all, out[2] = notAll, out[3] = any, out[4] = none;
}

TEST(Executor, BarriersThatVoteAndAPartialLastWarp) {
  DeviceArray<int> out(5, "out");
  launch(1, 100, blockVotes, out.data());
  EXPECT_EQ(fetched(out), (std::vector<int>{34, 1, 0, 1, 0}));
}

// ---- Atomics

template <typename T>
__global__ void atomicSums(T* out) {
  atomicAdd(out, T(threadIdx.x));
}

TEST(Executor, AtomicAddOfEveryType) {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    DeviceArray<T> out(1, "out");
    out.copyFromHost(&zero);
    launch(2, 64, atomicSums<T>, out.data());
    EXPECT_EQ(fetched(out)[0], T(2 * 63 * 64 / 2));
  };
  check(int(0));
  check(unsigned(0));
  check(0ull);
  check(0.0f);
  check(0.0);
}

__global__ void atomicKinds(int* i, unsigned* u) {
  const int t = int(threadIdx.x);
  atomicMin(&i[0], t - 5);
  atomicMax(&i[1], t);
  atomicSub(&i[2], 1);
  atomicExch(&i[3], 9);
  atomicCAS(&i[4], 0, 4);
  atomicInc(&u[0], 9);
  atomicDec(&u[1], 9);
  atomicAnd(&u[2], ~(1u << t));
  atomicOr(&u[3], 1u << t);
  atomicXor(&u[4], 1u << t);
}

TEST(Executor, AtomicsOfEveryKind) {
  const std::vector<int> zeros(5);
  const std::vector<unsigned> start = {0, 0, ~0u, 0, ~0u};
  DeviceArray<int> i(5, "i");
  DeviceArray<unsigned> u(5, "u");
  i.copyFromHost(zeros.data());
  u.copyFromHost(start.data());
  launch(1, 32, atomicKinds, i.data(), u.data());
  EXPECT_EQ(fetched(i), (std::vector<int>{-5, 31, -32, 9, 4}));
  // Inc counts 0 … 9 and starts again: 32 modulo 10. Dec goes 0, 9, 8, … 0, 9: 32 steps from 0.
  EXPECT_EQ(fetched(u), (std::vector<unsigned>{2, 8, 0, ~0u, 0}));
}

__global__ void overflowing(int* out) { atomicAdd(out, 1); }

TEST(Executor, AtomicAddWraps) {
  DeviceArray<int> out(1, "out");
  const int most = std::numeric_limits<int>::max();
  out.copyFromHost(&most);
  launch(1, 1, overflowing, out.data());
  EXPECT_EQ(fetched(out)[0], std::numeric_limits<int>::min());
}

// ---- Threads, blocks and schedules

__global__ void coordinates(int* out) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + t] =
      int(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.x +
          10000 * blockIdx.y + 100000 * blockIdx.z);
}

TEST(Executor, ThreeDimensions) {
  DeviceArray<int> out(2 * 3 * 2 * 4 * 2 * 3, "out");
  launch(dim3(2, 3, 2), dim3(4, 2, 3), coordinates, out.data());
  std::vector<int> expected;
  for (int bz = 0; bz < 2; ++bz)
    for (int by = 0; by < 3; ++by)
      for (int bx = 0; bx < 2; ++bx)
        for (int z = 0; z < 3; ++z)
          for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 4; ++x)
              expected.push_back(x + 10 * y + 100 * z + 1000 * bx + 10000 * by + 100000 * bz);
  EXPECT_EQ(fetched(out), expected);
}

__global__ void blockOrder(int* order, int* next) {
  if (threadIdx.x == 0) order[atomicAdd(next, 1)] = int(blockIdx.x);
}

TEST(Executor, SchedulesRunBlocksInDifferentOrders) {
  DeviceArray<int> order(64, "order"), next(1, "next");
  const auto run = [&](simt::Schedule::Order which, uint64_t seed) {
    const WithSchedule schedule(which, seed);
    const int zero = 0;
    next.copyFromHost(&zero);
    launch(64, 32, blockOrder, order.data(), next.data());
    return fetched(order);
  };
  using Order = simt::Schedule::Order;
  std::vector<int> ascending(64);
  std::iota(ascending.begin(), ascending.end(), 0);
  EXPECT_EQ(run(Order::forward, 0), ascending);
  EXPECT_EQ(run(Order::reverse, 0), std::vector<int>(ascending.rbegin(), ascending.rend()));
  const auto first = run(Order::random, 1), second = run(Order::random, 2);
  EXPECT_NE(first, ascending);
  EXPECT_NE(first, second);
  EXPECT_EQ(first, run(Order::random, 1));
}

TEST(Executor, RefusesLaunchesThatAGpuRefuses) {
  DeviceArray<int> out(1, "out");
  EXPECT_THROW(launch(0, 32, blockOrder, out.data(), out.data()), std::invalid_argument);
  EXPECT_THROW(launch(1, 1025, blockOrder, out.data(), out.data()), std::invalid_argument);
  EXPECT_THROW(launch(1, 0, blockOrder, out.data(), out.data()), std::invalid_argument);
}

// ---- Counting

template <typename T>
__global__ void sharedByWidth(T* out, int stride) {
  __shared__ T tile[32 * 32];
  tile[threadIdx.x * unsigned(stride)] = T();
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x * unsigned(stride)];
}

template <typename T>
static uint64_t conflictsAtStride(int stride) {
  DeviceArray<T> out(32, "out");
  simt::takeCounters();
  launch(1, 32, sharedByWidth<T>, out.data(), stride);
  return simt::takeCounters().shared_load_conflicts;
}

// 8-byte accesses are served by half warps and 16-byte ones by quarters, so neighbours never
// conflict.
TEST(Executor, CountsBankConflicts) {
  EXPECT_EQ(conflictsAtStride<int>(1), 0u);
  EXPECT_EQ(conflictsAtStride<int>(2), 1u);
  EXPECT_EQ(conflictsAtStride<int>(32), 31u);
  EXPECT_EQ(conflictsAtStride<int>(31), 0u);
  EXPECT_EQ(conflictsAtStride<double>(1), 0u);
  EXPECT_EQ(conflictsAtStride<double>(2), 2u);    // two halves, two passes each
  EXPECT_EQ(conflictsAtStride<double>(16), 30u);  // two halves, 16 passes each
  EXPECT_EQ(conflictsAtStride<int4>(1), 0u);
  EXPECT_EQ(conflictsAtStride<int4>(2), 4u);  // four quarters, two passes each
}

__global__ void strided(const int* in, int* out, int stride) {
  out[threadIdx.x] = in[threadIdx.x * unsigned(stride)];
}

TEST(Executor, CountsSectors) {
  const std::vector<int> values(1024);
  DeviceArray<int> in(1024, "in"), out(32, "out");
  in.copyFromHost(values.data());
  for (const auto& [stride, sectors] : {std::pair(0, 1), {1, 4}, {2, 8}, {8, 32}, {16, 32}}) {
    simt::takeCounters();
    launch(1, 32, strided, in.data(), out.data(), stride);
    const Counters c = simt::takeCounters();
    EXPECT_EQ(c.load_requests, 1u);
    EXPECT_EQ(c.load_sectors, unsigned(sectors)) << "stride " << stride;
    EXPECT_EQ(c.store_sectors, 4u);
    EXPECT_EQ(c.activeLanes(), 32.0);
  }
}

__global__ void parting(int* out, int limit) {
  if (int(threadIdx.x) % 32 < limit)
    atomicAdd(&out[threadIdx.x],
              1);  // a call on one side keeps the compiler from choosing by select
  else
    out[threadIdx.x + 64] = 2;
}

TEST(Executor, CountsABranchAtWhichLanesPart) {
  const std::vector<int> zeros(128);
  DeviceArray<int> out(128, "out");
  out.copyFromHost(zeros.data());
  for (const auto& [limit, divergent] : {std::pair(0, 0), {1, 2}, {16, 2}, {32, 0}}) {
    simt::takeCounters();
    launch(1, 64, parting, out.data(), limit);
    EXPECT_EQ(simt::takeCounters().divergent_branches, unsigned(divergent)) << "limit " << limit;
  }
}

// free() looks for the array that begins at a page: also when what it frees is the record of one.
// Behind one another from a place that the system gives nobody without being asked, and where pages
// of a GPU begin: so each run has them at the same places.
TEST(Executor, ArraysLieWhereTheyDidInTheRunBefore) {
  const auto at = [](void* array) { return reinterpret_cast<uintptr_t>(array); };
  std::vector<void*> arrays;
  for (const size_t bytes : {4, 1 << 20, (4 << 20) + 4, 4})
    arrays.push_back(simt::allocate(bytes, 4, "array"));
  for (size_t i = 0; i < arrays.size(); ++i) {
    EXPECT_EQ(at(arrays[i]) % (2 << 20), 0u);
    EXPECT_LT(at(arrays[i]) - (uintptr_t(1) << 45), uintptr_t(1) << 45);
    if (i > 0) {
      EXPECT_GT(at(arrays[i]), at(arrays[i - 1]));
    }
  }
  for (void* const array : arrays) simt::release(array);
}

TEST(Executor, ReleasesArraysWhereverTheirRecordsLie) {
  std::vector<void*> arrays;
  for (unsigned i = 1; i <= 2000; ++i) arrays.push_back(simt::allocate(64 * i, 4, "array"));
  for (void* const array : arrays) simt::release(array);
}
