#include <cmath>

#include "bf16_testing.h"
#include "softmax_of_length.h"
#include "test_support/kernel_testing.h"

// The softmax of the test's rows, by run(rows, out). What is behind the last row must stay.
template <typename Run>
std::vector<uint16_t> softmaxOf(const TestRows& test, const Run& run) {
  const size_t n = test.rows.count * test.rows.length;
  DeviceArray<__nv_bfloat16> out(n, "softmax");
  out.poison();
  std::vector<uint16_t> got(n);
  try {
    run(test.rows, out.data());
    copyToHost(got.data(), reinterpret_cast<const uint16_t*>(out.data()), n);
  } catch (const std::exception& fault) {
    ADD_FAILURE() << fault.what();
  }
  return got;
}

template <typename Run>
void expectSoftmax(const TestRows& test, const std::string& what, const Run& run) {
  const auto [data, rows, length] = test.rows;
  const std::vector<uint16_t> got = softmaxOf(test, run);
  EXPECT_LE(softmaxError(got.data(), test.bits.data(), 0, rows * length,
                         softmaxSumsOf(test.bits.data(), rows, length), length),
            SoftmaxOfLength::tolerance)
      << what << ", " << rows << " rows of " << length;
}

void expectSoftmax(RowSoftmax& softmax, const TestRows& test, SoftmaxShape shape) {
  expectSoftmax(test,
                fmt::format("{} lanes, {} blocks, {} threads", shape.lanes, shape.blocksPerRow,
                            shape.threads),
                [&](Rows rows, __nv_bfloat16* out) { softmax(rows, out, shape); });
}

TEST(Softmax, IsRightAtAnyLengthInItsOwnShapeAndReadTwice) {
  NEEDS_DEVICE();
  RowSoftmax softmax;
  for (const size_t length : rowTestLengths)
    for (const size_t rows : {1, 3, 33}) {
      if (length > 2000 && rows > 3) continue;
      const TestRows test(rows, length);
      expectSoftmax(softmax, test, softmaxShape(length));
      expectSoftmax(test, "read twice",
                    [&](Rows rows, __nv_bfloat16* out) { softmax.readTwice(rows, out); });
    }
  for (const size_t length : {1024, 1032, 10240, 10247, 30001, 50001})
    expectSoftmax(softmax, TestRows(2, length), softmaxShape(length));
}

// A kernel takes no more threads than it was compiled for, which the executor does not look at.
TEST(Softmax, HasAShapeThatEveryLengthFits) {
  NEEDS_DEVICE();
  for (size_t length = 1; length < 12000000; length += 1 + length / 50) {
    const SoftmaxShape shape = softmaxShape(length);
    EXPECT_LE(length, shape.mostElements()) << length;
    EXPECT_LE(shape.threads, shape.lanes > 0 || shape.blocksPerRow == 1 ? 256u : 512u) << length;
  }
}

TEST(Softmax, IsRightInAnyShapeThatTheRowFits) {
  NEEDS_DEVICE();
  RowSoftmax softmax;
  // Row after row by the same blocks: there are more rows than the executor has blocks at once.
  for (const unsigned blocks : {3, 13}) expectSoftmax(softmax, TestRows(9, 1025), {0, blocks, 512});
  for (const size_t length : {1, 100, 1025}) {
    const TestRows test(9, length);
    for (const unsigned threads : {32, 128}) {
      const auto expectIfItFits = [&](SoftmaxShape shape) {
        if (length <= shape.mostElements()) expectSoftmax(softmax, test, shape);
      };
      for (const unsigned lanes : thinned<unsigned>({1, 2, 4, 8, 16, 32}))
        expectIfItFits({lanes, 0, threads});
      for (const unsigned blocks : thinned<unsigned>({1, 2, 3, 7}))
        expectIfItFits({0, blocks, threads});
    }
  }
}

// Each call has to leave the counters as it found them, whatever came before.
TEST(Softmax, HasTheSameBitsWhenCalledAgain) {
  NEEDS_DEVICE();
  RowSoftmax softmax;
  const TestRows few(2, 5003), many(7, 5003);
  for (const TestRows* test : {&many, &few, &many}) {
    const auto by = [&](unsigned blocks) {
      return softmaxOf(*test, [&](Rows rows, __nv_bfloat16* out) {
        softmax(rows, out, {0, blocks, 64});
      });
    };
    const std::vector<uint16_t> first = by(3);
    EXPECT_EQ(by(3), first);
    expectSoftmax(softmax, *test, {0, 5, 64});
  }
}

// -infinity stands for what a mask leaves out; a row of nothing else has no softmax. Neither has
// one with a NaN or infinity, and what it makes of it shows in no other row.
TEST(Softmax, KnowsInfinitiesAndNaNs) {
  NEEDS_DEVICE();
  const size_t length = 99;
  std::vector<uint16_t> bits(6 * length, bitsOf(2.5));
  for (size_t i = 0; i < 2 * length; ++i) bits[i] = bitsOf(-INFINITY);
  bits[length + 42] = bitsOf(-200);
  bits[2 * length + 98] = bitsOf(NAN);
  bits[3 * length] = bitsOf(INFINITY);
  for (size_t i = 0; i < length; ++i) bits[4 * length + i] = bitsOf(i % 2 ? 3e38f : -3e38f);
  const TestRows test(bits, 6, length);
  RowSoftmax softmax;
  const auto value = [](uint16_t b) { return std::bit_cast<float>(uint32_t(b) << 16); };
  for (const SoftmaxShape shape : {softmaxShape(length), SoftmaxShape{0, 2, 32}, {0, 0, 0}}) {
    const std::vector<uint16_t> got =
        softmaxOf(test, [&](Rows rows, __nv_bfloat16* out) { softmax(rows, out, shape); });
    for (size_t i = 0; i < length; ++i) {
      EXPECT_TRUE(std::isnan(value(got[i])));
      EXPECT_EQ(value(got[length + i]), i == 42 ? 1 : 0);
      EXPECT_TRUE(std::isnan(value(got[2 * length + i])));
      EXPECT_TRUE(std::isnan(value(got[3 * length + i])));
      EXPECT_NEAR(value(got[4 * length + i]), i % 2 ? 1 / 49.0 : 0, 1e-4);
      EXPECT_NEAR(value(got[5 * length + i]), 1 / 99.0, 1e-4);
    }
  }
}

TEST(Softmax, IsRefusedByTheCheckWhenAnElementIsTwoUnitsOff) {
  std::vector<uint16_t> bits = TestRows::random(30), right(30);
  const std::vector<Pair> sums = softmaxSumsOf(bits.data(), 3, 10);
  for (size_t i = 0; i < 30; ++i) {
    const float x = std::bit_cast<float>(uint32_t(bits[i]) << 16);
    const double exact = std::exp(x - sums[i / 10].first) / sums[i / 10].second;
    right[i] = uint16_t((std::bit_cast<uint32_t>(float(exact)) + 0x8000) >> 16);
  }
  const auto error = [&] { return softmaxError(right.data(), bits.data(), 0, 30, sums, 10); };
  EXPECT_LE(error(), SoftmaxOfLength::tolerance);
  right[17] += 2;
  EXPECT_GT(error(), SoftmaxOfLength::tolerance);
  right[17] = bitsOf(NAN);
  EXPECT_GT(error(), SoftmaxOfLength::tolerance);
}

#ifndef GPU_BACKEND

TEST(Softmax, IsRightUnderAnySchedule) {
  RowSoftmax softmax;
  for (uint64_t seed = 0; seed <= 5; ++seed) {
    const WithSchedule schedule(
        seed == 0 ? simt::Schedule::Order::reverse : simt::Schedule::Order::random, seed);
    expectSoftmax(softmax, TestRows(9, 100), softmaxShape(100));
    expectSoftmax(softmax, TestRows(11, 3001), {0, 3, 64});
  }
}

#endif
