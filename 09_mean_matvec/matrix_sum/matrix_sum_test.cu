#include <iostream>

#include "base/random.h"
#include "program.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

static void expectSum(unsigned height, unsigned width) {
  std::vector<float> values(size_t(height) * width);
  double expected = 0;
  for (size_t i = 0; i < values.size(); ++i) expected += values[i] = float(randomBits(7, i) % 4);
  MatrixSum sum(values.data(), height, width);
  for (const RoundKernel kernel : {inner, outer}) {
    sum.poison();
    for (size_t i = 0; i < sum.rounds().size(); ++i) sum.run(kernel, i);
    // Small whole numbers: every partial sum is exact.
    EXPECT_EQ(double(sum.total()), expected)
        << (kernel == inner ? "inner " : "outer ") << height << " × " << width;
  }
}

TEST(MatrixSum, IsRightForAnySizes) {
  NEEDS_DEVICE();
  for (const unsigned height : {1, 2, 15, 16, 17, 33, 255, 256, 257})
    for (const unsigned width : {1, 3, 16, 31, 257}) expectSum(height, width);
}

TEST(MatrixSum, IsRightForALongRowAndALongColumn) {
  NEEDS_DEVICE();
  expectSum(1, 100003);
  expectSum(100003, 1);
}

TEST(MatrixSum, TakesARoundForEachFactorOf16) {
  EXPECT_EQ(roundsFor(1, 1).size(), 1u);
  EXPECT_EQ(roundsFor(16, 16).size(), 1u);
  EXPECT_EQ(roundsFor(17, 1).size(), 2u);
  EXPECT_EQ(roundsFor(4096, 4096).size(), 3u);
  EXPECT_EQ(roundsFor(5000, 3001).size(), 4u);
}

#ifndef GPU_BACKEND

TEST(MatrixSum, IsRightUnderAnySchedule) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const WithSchedule schedule(simt::Schedule::Order::random, seed);
    expectSum(40, 50);
    expectSum(300, 17);
  }
}

// 64 × 64: inner reads whole rows of 16 floats, two sectors each; outer's neighbours read 64 bytes
// apart, so every request touches as many sectors as it has lanes.
TEST(MatrixSum, InnerReadsFewerSectorsPerRequest) {
  const std::vector<float> values(512 * 512, 1);
  MatrixSum sum(values.data(), 512, 512);
  const auto sectorsPerRequest = [&](RoundKernel kernel) {
    simt::takeCounters();
    sum.run(kernel, 0);
    const Counters c = simt::takeCounters();
    return double(c.load_sectors) / double(c.load_requests);
  };
  EXPECT_EQ(sectorsPerRequest(inner), 4);
  EXPECT_EQ(sectorsPerRequest(outer), 32);
}

#endif

// ---- The program, and rounds that are wrong

// In testing_kernels.cu: as outer, without the first row of every tile.
__global__ void forgetsARow(const float* in, float* out, unsigned height, unsigned width);

TEST(MatrixSumProgram, EndsWithExitCode1WhereTheSumIsWrong) {
  NEEDS_DEVICE();
  Options options;
  options.sizes = {20, 300};
  options.samples = 1;
  const Captured out(std::cout), err(std::cerr);
  EXPECT_EQ(matrixSum(options), exitRight);
  EXPECT_TRUE(contains(out.text(), "both are right"));
  EXPECT_EQ(matrixSum(options, inner, forgetsARow), exitWrong);
  EXPECT_TRUE(contains(err.text(), "matrix_sum: outer, all rounds is wrong: a relative error of "));
}
