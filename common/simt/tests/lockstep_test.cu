// Which lanes make one request together: those that are at the same instruction in the same turn of
// the same loops, on one way there.
#include "test_support/kernel_testing.h"
#include "trace_testing.h"

namespace {

// A block of one warp runs the kernel; n values in data, all readable. A trace of it has the same
// counts.
template <typename Kernel>
Counters countsOf(Kernel kernel, int n = 1 << 16, unsigned threads = 32) {
  std::vector<int> values(size_t(n), 1);
  DeviceArray<int> data(values.size(), "data"), out(64, "out");
  data.copyFromHost(values.data());
  const std::vector<int> zeros(64);
  out.copyFromHost(zeros.data());
  simt::takeCounters();
  launch(1, threads, kernel, data.data(), out.data(), n);
  const Counters counted = simt::takeCounters();
  simt::Trace trace;
  simt::recordTrace(&trace, {.maxSteps = 1 << 23});
  launch(1, threads, kernel, data.data(), out.data(), n);
  simt::recordTrace(nullptr);
  EXPECT_TRUE(countersOf(trace) == counted);
  EXPECT_TRUE(simt::takeCounters() == counted);
  return counted;
}

__global__ void oneLanePerTurn(int* data, int* out, int) {
  int sum = 0;
  for (int k = 0; k < 32; ++k)
    if (k == int(threadIdx.x)) sum += data[k];
  out[threadIdx.x] = sum;
}

__global__ void twoArmsTakenInTurn(int* data, int* out, int) {
  int sum = 0;
  for (int k = 0; k < 64; ++k) {
    if ((k + int(threadIdx.x)) % 2 == 0)
      sum += data[k];
    else
      sum ^= data[k + 64];
  }
  out[threadIdx.x] = sum;
}

__global__ void tripCountsDiffer(int* data, int* out, int) {
  int sum = 0;
  for (int k = 0; k < int(threadIdx.x); ++k) sum += data[k];
  out[threadIdx.x] = sum + data[0];
}

__global__ void innerLoopsDiffer(int* data, int* out, int) {
  int sum = 0;
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k <= int(threadIdx.x + unsigned(row)) % 4; ++k) sum += data[k];
    sum += data[row + 8];
  }
  out[threadIdx.x] = sum;
}

__global__ void leavesLoopEarly(int* data, int* out, int) {
  int sum = 0;
  for (int k = 0; k < 8; ++k) {
    sum += data[k];
    if (k == int(threadIdx.x) % 4) break;
  }
  out[threadIdx.x] = sum;
}

TEST(Lockstep, ALaneAloneMakesARequestOfItsOwn) {
  const Counters c = countsOf(oneLanePerTurn);
  EXPECT_EQ(c.load_requests, 32u);
  EXPECT_EQ(c.store_requests, 1u);
  EXPECT_EQ(c.memory_lanes, 32u + 32u);
}

TEST(Lockstep, LanesThatAlternateBetweenTwoArmsAreNotTogether) {
  const Counters c = countsOf(twoArmsTakenInTurn);
  EXPECT_EQ(c.load_requests, 128u);
  EXPECT_EQ(c.memory_lanes, 64u * 32u + 32u);
  EXPECT_EQ(c.divergent_branches, 64u);
}

TEST(Lockstep, LanesThatLeftALoopWaitBehindIt) {
  const Counters c = countsOf(tripCountsDiffer);
  EXPECT_EQ(c.load_requests, 31u + 1u);
  EXPECT_EQ(c.store_requests, 1u);
  EXPECT_EQ(c.memory_lanes, 31u * 32u / 2 + 32u + 32u);
}

TEST(Lockstep, LanesMeetAgainBehindAnInnerLoop) {
  const Counters c = countsOf(innerLoopsDiffer);
  EXPECT_EQ(c.load_requests, 3u * 4u + 3u);
  EXPECT_EQ(c.memory_lanes, 3u * 80u + 3u * 32u + 32u);
}

TEST(Lockstep, ABreakIsAWayOutOfTheLoop) {
  const Counters c = countsOf(leavesLoopEarly);
  EXPECT_EQ(c.load_requests, 4u);
  EXPECT_EQ(c.store_requests, 1u);
  EXPECT_EQ(c.memory_lanes, (32u + 24u + 16u + 8u) + 32u);
}

// ---- Loops so long that a thread's log is full before they end

__global__ void longLoop(int* data, int* out, int n) {
  int sum = 0;
  for (int k = int(threadIdx.x); k < n; k += 32) sum += data[k];
  out[threadIdx.x] = sum;
}

__global__ void longAlternation(int* data, int* out, int n) {
  int sum = 0;
  for (int k = 0; k < n / 64; ++k) {
    if ((k + int(threadIdx.x)) % 2 == 0)
      sum += data[k];
    else
      sum ^= data[k + 64];
  }
  out[threadIdx.x] = sum;
}

// Lane l makes (l + 1) * n / 32 turns: when the last one ends, the first has long left the loop.
__global__ void longUnequalLoops(int* data, int* out, int n) {
  int sum = 0;
  const int turns = int(threadIdx.x + 1) * (n / 32);
  for (int k = 0; k < turns; ++k) sum += data[k];
  out[threadIdx.x] = sum + data[threadIdx.x];
}

TEST(Lockstep, LongLoopsCountAsShortOnesDo) {
  const int n = 1 << 16;
  const Counters together = countsOf(longLoop, n);
  EXPECT_EQ(together.load_requests, unsigned(n) / 32);
  EXPECT_EQ(together.load_sectors, unsigned(n) / 8);
  EXPECT_EQ(together.memory_lanes, unsigned(n) + 32);
  const Counters arms = countsOf(longAlternation, n);
  EXPECT_EQ(arms.load_requests, unsigned(n) / 64 * 2);
  EXPECT_EQ(arms.divergent_branches, unsigned(n) / 64);
  const Counters unequal = countsOf(longUnequalLoops, n);
  EXPECT_EQ(unequal.load_requests, unsigned(n) + 1);
  EXPECT_EQ(unequal.store_requests, 1u);
  EXPECT_EQ(unequal.memory_lanes, unsigned(n) / 32 * (32 * 33 / 2) + 32 + 32);
}

// The lanes of the tail return at once; the others must still be counted together.
__global__ void tailReturns(int* data, int* out, int n) {
  if (threadIdx.x >= 20) return;
  int sum = 0;
  for (int k = 0; k < n / 32; ++k) sum += data[k];
  out[threadIdx.x] = sum;
}

TEST(Lockstep, LanesThatReturnedEarlyAreNotWaitedFor) {
  const Counters c = countsOf(tailReturns);
  EXPECT_EQ(c.load_requests, 1u << 11);
  EXPECT_EQ(c.memory_lanes, 20u * (1 << 11) + 20u);
  EXPECT_EQ(c.divergent_branches, 1u);
}

TEST(Lockstep, CountsDoNotDependOnTheSchedule) {
  for (const auto kernel : {oneLanePerTurn, longAlternation, longUnequalLoops, tailReturns}) {
    const Counters forward = countsOf(kernel);
    for (uint64_t seed = 1; seed < 4; ++seed) {
      const WithSchedule schedule(simt::Schedule::Order::random, seed);
      EXPECT_EQ(countsOf(kernel), forward);
    }
  }
}

// ---- Contention of atomics

__global__ void addToOne(int*, int* out, int) { atomicAdd(&out[0], 1); }
__global__ void addToEach(int*, int* out, int) { atomicAdd(&out[threadIdx.x], 1); }
__global__ void addToFourShared(int*, int* out, int) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = bins[threadIdx.x];
}

TEST(Lockstep, AtomicsOnOneAddressTakeTurns) {
  EXPECT_EQ(countsOf(addToOne).atomic_conflicts, 31u);
  EXPECT_EQ(countsOf(addToEach).atomic_conflicts, 0u);
  EXPECT_EQ(countsOf(addToFourShared).atomic_conflicts, 7u);
  EXPECT_EQ(countsOf(addToOne, 32, 64).atomics, 2u);
}

}  // namespace
