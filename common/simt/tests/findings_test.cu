// The executor by itself: what it finds wrong. Longer than others, as every kind of fault has its
// kernel here.
#undef NDEBUG  // one of the tests is about assert
#include "simt/tests/executor_testing.h"

// ---- Faults: bounds

__global__ void writeAt(int* out, long long index) { out[index] = 1; }

TEST(Executor, FindsAccessesOutsideAnArray) {
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
  DeviceArray<int> out(1, "out");
  for (const int index : {-1, 32, 40}) {
    const Fault fault = faultOf([&] { launch(1, 1, sharedAt, out.data(), index); });
    EXPECT_EQ(fault.kind, Fault::Kind::outOfBounds) << fault.what();
    EXPECT_EQ(fault.array, "a") << fault.what();
    EXPECT_EQ(fault.index, index) << fault.what();
  }
  launch(1, 1, sharedAt, out.data(), 31);
}

__global__ void copyToFew(const int* in, int* out) {
  __shared__ int few[32];
  few[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = few[threadIdx.x];
}

TEST(Executor, DoesNotTakeAnArrayForAnotherOfTheSameLine) {
  DeviceArray<int> in(64, "in"), out(64, "out");
  const std::vector<int> zeros(64);
  in.copyFromHost(zeros.data());
  const Fault fault = faultOf([&] { launch(1, 64, copyToFew, in.data(), out.data()); });
  EXPECT_EQ(fault.kind, Fault::Kind::outOfBounds) << fault.what();
  EXPECT_EQ(fault.index, 32) << fault.what();
  EXPECT_NE(fault.array, "in") << fault.what();
}

__global__ void readHost(const int* host, int* out) { out[0] = host[0]; }

TEST(Executor, FindsHostMemory) {
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
  DeviceArray<int> out(1, "out");
  const int zero = 0;
  out.copyFromHost(&zero);
  const Fault fault = faultOf([&] { launch(1, 64, addWithoutAtomics, out.data()); });
  EXPECT_EQ(fault.kind, Fault::Kind::race);
  EXPECT_EQ(fault.array, "out");
  ASSERT_EQ(fault.threads.size(), 2u);
  EXPECT_EQ(fault.threads[0].x, 31u);  // of two warps, not of lanes of one
  EXPECT_EQ(fault.threads[1].x, 32u);
  for (const std::string& source : fault.sources)
    EXPECT_TRUE(source.starts_with("findings_test.cu:")) << source;
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
__global__ void twoBarriersOnALine() { threadIdx.x < 32 ? __syncthreads() : __syncthreads(); }
__global__ void earlyExit(int* out) {
  if (threadIdx.x >= 40) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}

TEST(Executor, FindsThreadsAtDifferentBarriers) {
  DeviceArray<int> out(64, "out");
  const Fault fault = faultOf([&] { launch(1, 64, twoBarriers, out.data()); });
  EXPECT_EQ(fault.kind, Fault::Kind::barrier) << fault.what();
  EXPECT_EQ(faultOf([&] { launch(1, 64, twoBarriersOnALine); }).kind, Fault::Kind::barrier);
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
  DeviceArray<int> out(64, "out");
  for (int i = 0; i < 5; ++i) {
    faultOf([&] { launch(1, 32, missingLane, out.data()); });
    launch(1, 64, bytes, reinterpret_cast<unsigned char*>(out.data()));
    EXPECT_EQ(fetched(out)[15], 0x01010101);
  }
}

__global__ void readStrided(const int* in, int* out, int stride) {
  out[threadIdx.x] = in[threadIdx.x * unsigned(stride)];
}

// What a fault cut short must not appear in the counts of the next launch.
TEST(Executor, FaultsLeaveNoCountsBehind) {
  const std::vector<int> values(1024);
  DeviceArray<int> in(1024, "in"), out(64, "out");
  in.copyFromHost(values.data());
  const auto counted = [&] {
    simt::takeCounters();
    launch(1, 32, readStrided, in.data(), out.data(), 1);
    return simt::takeCounters();
  };
  const Counters before = counted();
  faultOf([&] { launch(1, 32, missingLane, out.data()); });
  faultOf([&] { launch(1, 32, readStrided, in.data(), out.data(), 64); });
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
