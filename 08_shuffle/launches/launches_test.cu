#include <cstring>
#include <iostream>

#include "../testing_kernels.h"
#include "program.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

static const std::vector<size_t> lengths = {
    0,    1,     2,     31,    32,    33,    511,   513,   997,     4095,
    4097, 16384, 16385, 16391, 20011, 65536, 65537, 99999, 1 << 17, largeTestLength};

// Every way that this machine has, at n elements that begin so many behind a 16-byte boundary.
static void expectRightByEveryWay(size_t n, size_t offset) {
  const Input input = makeInput(n + offset, 7);
  DeviceArray<int> data(n + offset, "input");
  data.copyFromHost(input.values.get());
  Ways ways(data.data() + offset, n, true);
  for (int repeat = 0; repeat < 3; ++repeat) {
    for (const Way& way : ways.all()) {
      if (!way.run) continue;
      const long long* const where = way.run();
      long long result = -1;
      copyToHost(&result, where, 1);
      EXPECT_EQ(result, expectedOf(way, input.values.get() + offset, n))
          << way.name << ", n " << n << ", offset " << offset << ", call " << repeat;
    }
  }
}

TEST(Launches, LeaveTheSameSumByEveryWayAtEveryLength) {
  NEEDS_DEVICE();
  for (const size_t n : lengths) expectRightByEveryWay(n, 0);
}

TEST(Launches, LeaveItFromAnyAlignment) {
  NEEDS_DEVICE();
  for (const size_t n : {0, 1, 31, 4097, 20011})
    for (size_t offset = 1; offset < 4; ++offset) expectRightByEveryWay(n, offset);
}

#ifdef GPU_BACKEND

TEST(Launches, GraphsAddUpWhatIsThereWhenTheyRun) {
  NEEDS_DEVICE();
  DeviceArray<int> data(100003, "input");
  std::vector<int> ones(data.size(), 1), twos(data.size(), 2);
  data.copyFromHost(ones.data());
  SumGraph graph(data.data(), data.size());
  data.copyFromHost(twos.data());
  long long result = 0;
  copyToHost(&result, graph.run(), 1);
  EXPECT_EQ(result, 200006);
}

#else

TEST(Launches, AreRightUnderAnySchedule) {
  for (uint64_t seed = 0; seed <= 5; ++seed) {
    const WithSchedule schedule(
        seed == 0 ? simt::Schedule::Order::reverse : simt::Schedule::Order::random, seed);
    for (const size_t n : {1, 4097, 20011}) expectRightByEveryWay(n, 0);
  }
}

// The same kernel in an ordinary launch, whose blocks come one after the other: the barrier of the
// grid is none there, and the executor says so.
TEST(Launches, NeedACooperativeOneForABarrierOfTheGrid) {
  const std::vector<int> values(16384, 1);
  DeviceArray<int> data(values.size(), "input");
  data.copyFromHost(values.data());
  DeviceArray<long long> totals(8, "blockTotals"), total(1, "total");
  EXPECT_THROW(launch(dim3(8), dim3(256), gridSyncSum, static_cast<const int*>(data.data()),
                      values.size(), totals.data(), total.data()),
               simt::Fault);
}

// The totals of other blocks may be read after the barrier only.
TEST(Launches, ReadOtherBlocksTotalsAfterTheBarrier) {
  DeviceArray<long long> totals(4, "blockTotals"), total(1, "total");
  EXPECT_THROW(
      launchCooperatively(dim3(4), dim3(64), readsBeforeTheBarrier, totals.data(), total.data()),
      simt::Fault);
}

#endif

TEST(LaunchesProgram, SaysWhatItCannotRunHere) {
  NEEDS_DEVICE();
  Options options;
  options.n = 5000;
  options.samples = underSanitizer() ? 1 : 2;
  const Captured out(std::cout), err(std::cerr);
  EXPECT_EQ(launches(options), exitRight);
  EXPECT_TRUE(contains(out.text(), "every sum is right"));
#ifndef GPU_BACKEND
  EXPECT_TRUE(contains(out.text(), "Not here: one atomic per cluster; "));
#endif
}

TEST(LaunchesProgram, RefusesWhatItDoesNotUse) {
  NEEDS_DEVICE();
  Options options;
  options.blockGiven = true;
  EXPECT_THROW(launches(options), Error);
  options = {};
  options.n = uint64_t(1) << 31;
  EXPECT_THROW(launches(options), Error);
}
