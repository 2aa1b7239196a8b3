// The executor by itself: what its primitives compute, what it counts, and what it finds wrong.
#undef NDEBUG  // one of the tests is about assert
#include <limits>

#include "test_support/kernel_testing.h"

using simt::Fault;

template <typename T>
static std::vector<T> fetched(const DeviceArray<T>& array) {
  std::vector<T> host(array.size());
  array.copyToHost(host.data(), host.size());
  return host;
}

#define NEEDS_FAULTS()                                           \
  if (!simt::instrumented())                                     \
  GTEST_SKIP() << "built with sanitizers: the executor sees no " \
                  "accesses"

// The fault that body ends with.
template <typename Body>
static Fault faultOf(Body&& body) {
  try {
    body();
  } catch (const Fault& fault) {
    return fault;
  }
  ADD_FAILURE() << "no fault";
  return Fault(Fault::Kind::assertion, "none");
}

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
  NEEDS_COUNTERS();
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
  NEEDS_COUNTERS();
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
  NEEDS_COUNTERS();
  const std::vector<int> zeros(128);
  DeviceArray<int> out(128, "out");
  out.copyFromHost(zeros.data());
  for (const auto& [limit, divergent] : {std::pair(0, 0), {1, 2}, {16, 2}, {32, 0}}) {
    simt::takeCounters();
    launch(1, 64, parting, out.data(), limit);
    EXPECT_EQ(simt::takeCounters().divergent_branches, unsigned(divergent)) << "limit " << limit;
  }
}

// ---- Faults: bounds

__global__ void writeAt(int* out, long long index) { out[index] = 1; }

TEST(Executor, FindsAccessesOutsideAnArray) {
  NEEDS_FAULTS();
  DeviceArray<int> first(100, "first"), second(100, "second");
  for (const long long index : {-1ll, -1000ll, 100ll, 5000ll}) {
    const Fault fault = faultOf([&] { launch(1, 1, writeAt, first.data(), index); });
    EXPECT_EQ(fault.kind, Fault::Kind::outOfBounds) << fault.what();
    EXPECT_EQ(fault.array, "first");
    EXPECT_EQ(fault.index, index);
    EXPECT_EQ(fault.kernel, "writeAt");
  }
}

__global__ void sharedAt(int* out, int index) {
  __shared__ int a[32];
  __shared__ int b[32];
  b[threadIdx.x] = 1;
  a[index] = 2;
  __syncthreads();
  out[threadIdx.x] = b[threadIdx.x] + a[index];
}

TEST(Executor, FindsAccessesOutsideASharedArray) {
  NEEDS_FAULTS();
  DeviceArray<int> out(1, "out");
  for (const int index : {-1, 32, 40}) {
    const Fault fault = faultOf([&] { launch(1, 1, sharedAt, out.data(), index); });
    EXPECT_EQ(fault.kind, Fault::Kind::outOfBounds) << fault.what();
    EXPECT_EQ(fault.array, "a") << fault.what();
    EXPECT_EQ(fault.index, index) << fault.what();
  }
  launch(1, 1, sharedAt, out.data(), 31);
}

__global__ void readHost(const int* host, int* out) { out[0] = host[0]; }

TEST(Executor, FindsHostMemory) {
  NEEDS_FAULTS();
  DeviceArray<int> out(1, "out");
  const std::vector<int> host(1);
  const Fault fault = faultOf([&] { launch(1, 1, readHost, host.data(), out.data()); });
  EXPECT_EQ(fault.kind, Fault::Kind::hostMemory) << fault.what();
}

// ---- Faults: unwritten memory, alignment, assertions

__global__ void readShared(int* out) {
  __shared__ int tile[64];
  if (threadIdx.x < 16) tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

TEST(Executor, FindsReadsOfUnwrittenMemory) {
  NEEDS_FAULTS();
  DeviceArray<int> in(8, "in"), out(32, "out");
  const Fault global = faultOf([&] { launch(1, 1, readHost, in.data(), out.data()); });
  EXPECT_EQ(global.kind, Fault::Kind::uninitialised) << global.what();
  EXPECT_EQ(global.array, "in");
  const Fault shared = faultOf([&] { launch(1, 32, readShared, out.data()); });
  EXPECT_EQ(shared.kind, Fault::Kind::uninitialised) << shared.what();
  EXPECT_EQ(shared.array, "tile");
  EXPECT_EQ(shared.index, 16);
  EXPECT_EQ(shared.threads.at(0).x, 16u);
  // What one block wrote to shared memory is gone in the next.
  EXPECT_EQ(faultOf([&] {
              launch(2, 16, readShared, out.data());
              launch(1, 32, readShared, out.data());
            }).index,
            16);
}

__global__ void readVector(const int* in, int4* out) {
  *out = *reinterpret_cast<const int4*>(in + 1);
}

TEST(Executor, FindsMisalignedVectors) {
  NEEDS_FAULTS();
  const std::vector<int> values(8);
  DeviceArray<int> in(8, "in");
  DeviceArray<int4> out(1, "out");
  in.copyFromHost(values.data());
  const Fault fault = faultOf([&] { launch(1, 1, readVector, in.data(), out.data()); });
  EXPECT_EQ(fault.kind, Fault::Kind::misaligned) << fault.what();
  EXPECT_EQ(fault.index, 1);
}

// ---- Faults: races

enum class Between { nothing, syncwarp, partialSyncwarp, shuffle, syncthreads };

// Thread 0 writes and thread `reader` reads, with something between.
__global__ void writeThenRead(int* global, int* out, Between between, unsigned reader,
                              bool shared) {
  __shared__ int tile[1];
  int* const place = shared ? tile : global;
  if (threadIdx.x == 0) *place = 1;
  if (between == Between::syncwarp) __syncwarp();
  if (between == Between::partialSyncwarp && threadIdx.x % 32 < 16) __syncwarp(0xffff);
  if (between == Between::shuffle) out[threadIdx.x + 64] = __shfl_sync(~0u, int(threadIdx.x), 0);
  if (between == Between::syncthreads) __syncthreads();
  if (threadIdx.x == reader) out[0] = *place;
}

// Only barriers order memory: CUDA promises nothing of the kind for shuffles.
TEST(Executor, FindsRacesByWhatLiesBetween) {
  NEEDS_FAULTS();
  DeviceArray<int> global(1, "global"), out(128, "out");
  const int zero = 0;
  for (const bool shared : {false, true})
    for (const unsigned reader : {5u, 20u, 40u})
      for (const Between between : {Between::nothing, Between::syncwarp, Between::partialSyncwarp,
                                    Between::shuffle, Between::syncthreads})
        for (const auto order : {simt::Schedule::Order::forward, simt::Schedule::Order::random}) {
          const WithSchedule schedule(order, 3);
          const bool isOrdered = between == Between::syncthreads ||
                                 (between == Between::syncwarp && reader < 32) ||
                                 (between == Between::partialSyncwarp && reader < 16);
          global.copyFromHost(&zero);
          bool race = false;
          try {
            launch(1, 64, writeThenRead, global.data(), out.data(), between, reader, shared);
          } catch (const Fault& fault) {
            // Where the reader comes first, it may read shared memory before anybody wrote it.
            race = fault.kind == Fault::Kind::race || fault.kind == Fault::Kind::uninitialised;
          }
          EXPECT_EQ(race, !isOrdered) << "reader " << reader << ", between " << int(between);
        }
}

__global__ void addWithoutAtomics(int* out) { out[0] += 1; }
__global__ void addWithAtomics(int* out) { atomicAdd(out, 1); }
__global__ void bytes(unsigned char* out) { out[threadIdx.x] = 1; }

TEST(Executor, RacesNameBothAccesses) {
  NEEDS_FAULTS();
  DeviceArray<int> out(1, "out");
  const int zero = 0;
  out.copyFromHost(&zero);
  const Fault fault = faultOf([&] { launch(1, 64, addWithoutAtomics, out.data()); });
  EXPECT_EQ(fault.kind, Fault::Kind::race);
  EXPECT_EQ(fault.array, "out");
  ASSERT_EQ(fault.threads.size(), 2u);
  EXPECT_EQ(fault.threads[0].x, 0u);
  EXPECT_EQ(fault.threads[1].x, 1u);
  for (const std::string& source : fault.sources)
    EXPECT_TRUE(source.starts_with("executor_test.cu:")) << source;
}

TEST(Executor, AtomicsAndNeighbouringBytesDoNotRace) {
  DeviceArray<int> out(1, "out");
  const int zero = 0;
  out.copyFromHost(&zero);
  launch(3, 64, addWithAtomics, out.data());
  EXPECT_EQ(fetched(out)[0], 192);
  DeviceArray<unsigned char> flags(64, "flags");
  launch(1, 64, bytes, flags.data());
}

TEST(Executor, FindsNoRacesWhenTold) {
  NEEDS_FAULTS();
  DeviceArray<int> out(1, "out");
  const int zero = 0;
  out.copyFromHost(&zero);
  const simt::WithSettings fast(simt::Settings{.findFaults = false});
  launch(1, 64, addWithoutAtomics, out.data());
  const Fault bounds = faultOf([&] { launch(1, 1, writeAt, out.data(), 1ll); });
  EXPECT_EQ(bounds.kind, Fault::Kind::outOfBounds);
}

// ---- Faults: operations that never complete

__global__ void missingLane(int* out) {
  if (threadIdx.x != 9) out[threadIdx.x] = __shfl_sync(~0u, 1, 0);
  __syncthreads();  // where lane 9 waits
}
__global__ void notInMask(int* out) { out[threadIdx.x] = __shfl_sync(1u, 1, 0); }
__global__ void barrierAndShuffle(int* out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_sync(~0u, 1, 0);
  else
    __syncthreads();
}
__global__ void sourceNotInMask(int* out) {
  if (threadIdx.x < 8) out[threadIdx.x] = __shfl_sync(0xffu, 1, 20);
}
__global__ void syncwarpMissing(int* out) {
  if (threadIdx.x > 0) __syncwarp();
  out[threadIdx.x] = 1;
  __syncthreads();
}

TEST(Executor, FindsWarpOperationsThatNeverComplete) {
  DeviceArray<int> out(32, "out");
  for (const auto kernel :
       {missingLane, notInMask, barrierAndShuffle, sourceNotInMask, syncwarpMissing}) {
    const Fault fault = faultOf([&] { launch(1, 32, kernel, out.data()); });
    EXPECT_EQ(fault.kind, Fault::Kind::warpOperation) << fault.what();
    EXPECT_FALSE(fault.threads.empty()) << fault.what();
  }
  EXPECT_EQ(faultOf([&] { launch(1, 32, missingLane, out.data()); }).threads.at(1).x, 9u);
}

__global__ void twoBarriers(int* out) {
  if (threadIdx.x < 32) {
    __syncthreads();
    out[threadIdx.x] = 1;
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();
  }
}
__global__ void earlyExit(int* out) {
  if (threadIdx.x >= 40) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}

TEST(Executor, FindsThreadsAtDifferentBarriers) {
  NEEDS_FAULTS();
  DeviceArray<int> out(64, "out");
  const Fault fault = faultOf([&] { launch(1, 64, twoBarriers, out.data()); });
  EXPECT_EQ(fault.kind, Fault::Kind::barrier) << fault.what();
  // Threads that have returned are not waited for, as on a GPU since Volta.
  launch(1, 64, earlyExit, out.data());
}

__global__ void asserting(int* out) { assert(out == nullptr); }

TEST(Executor, AnAssertionIsAFault) {
  DeviceArray<int> out(1, "out");
  const Fault fault = faultOf([&] { launch(1, 1, asserting, out.data()); });
  EXPECT_EQ(fault.kind, Fault::Kind::assertion) << fault.what();
}

TEST(Executor, RunsOnAfterAFault) {
  NEEDS_FAULTS();
  DeviceArray<int> out(64, "out");
  for (int i = 0; i < 5; ++i) {
    faultOf([&] { launch(1, 32, missingLane, out.data()); });
    launch(1, 64, bytes, reinterpret_cast<unsigned char*>(out.data()));
    EXPECT_EQ(fetched(out)[15], 0x01010101);
  }
}

// What a fault cut short must not appear in the counts of the next launch.
TEST(Executor, FaultsLeaveNoCountsBehind) {
  NEEDS_FAULTS();
  const std::vector<int> values(1024);
  DeviceArray<int> in(1024, "in"), out(64, "out");
  in.copyFromHost(values.data());
  const auto counted = [&] {
    simt::takeCounters();
    launch(1, 32, strided, in.data(), out.data(), 1);
    return simt::takeCounters();
  };
  const Counters before = counted();
  faultOf([&] { launch(1, 32, missingLane, out.data()); });
  faultOf([&] { launch(1, 32, strided, in.data(), out.data(), 64); });
  EXPECT_EQ(counted(), before);
}

// ---- What must not depend on the order in which threads happen to run

__global__ void readsBesideAtomics(int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, 1);
  if (threadIdx.x == 0) out[0] = total;
}
__global__ void writesWhatAnotherWarpRead(int* out) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 1;
  __syncthreads();
  out[threadIdx.x] = word;
  __syncwarp();
  if (threadIdx.x == 0) word = 2;
}
__global__ void bothArms(int* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] += 1;
    __syncthreads();
  } else {
    __syncthreads();
  }
  out[threadIdx.x] += 1;
}
TEST(Executor, FindsUnderEveryScheduleWhatItFindsUnderOne) {
  NEEDS_FAULTS();
  using Order = simt::Schedule::Order;
  for (const auto& [kernel, kind] : {std::pair(&readsBesideAtomics, Fault::Kind::race),
                                     {&writesWhatAnotherWarpRead, Fault::Kind::race},
                                     {&bothArms, Fault::Kind::barrier}})
    for (uint64_t seed = 0; seed <= 21; ++seed) {
      const WithSchedule schedule(seed == 0    ? Order::forward
                                  : seed == 21 ? Order::reverse
                                               : Order::random,
                                  seed);
      const std::vector<int> zeros(128);
      DeviceArray<int> out(128, "out");
      out.copyFromHost(zeros.data());
      const auto run = kernel;
      const Fault fault = faultOf([&] { launch(1, 64, run, out.data()); });
      EXPECT_EQ(fault.kind, kind) << fault.what() << ", schedule " << seed;
    }
}
