#include <bit>
#include <iostream>

#include "program.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

template <typename Reduction>
class RowsOf : public testing::Test {};
using Reductions = testing::Types<Moments, SoftmaxSum>;
TYPED_TEST_SUITE(RowsOf, Reductions);

// Rows on the device; what is behind the last must not be read.
struct TestRows {
  TestRows(std::vector<uint16_t> bits_, size_t rows, size_t length)
      : bits(std::move(bits_)), data(rows * length, "rows"), rows{data.data(), rows, length} {
    data.copyFromHost(reinterpret_cast<const __nv_bfloat16*>(bits.data()));
  }
  TestRows(size_t rows, size_t length) : TestRows(random(rows * length), rows, length) {}
  static std::vector<uint16_t> random(size_t n) {
    std::vector<uint16_t> bits(n);
    fillAroundThree(bits.data(), n, 7);
    return bits;
  }
  std::vector<uint16_t> bits;
  DeviceArray<__nv_bfloat16> data;
  Rows rows;
};

template <typename Reduction>
std::vector<float2> resultsOf(RowReduction<Reduction>& reduce, const Rows& rows, RowsShape shape) {
  DeviceArray<float2> results(rows.count, "results");
  results.poison();
  reduce(rows, results.data(), shape);
  std::vector<float2> got(rows.count);
  results.copyToHost(got.data(), rows.count);
  return got;
}

template <typename Reduction>
void expectRight(RowReduction<Reduction>& reduce, const TestRows& test, RowsShape shape) {
  const auto got = resultsOf(reduce, test.rows, shape);
  const auto expected =
      RowTask<Reduction>::expected(test.bits.data(), test.rows.count, test.rows.length);
  // Rounding grows with the longest chain of additions.
  const unsigned together = shape.lanes > 0 ? shape.lanes : shape.threads * shape.blocksPerRow;
  const double most = 1e-5 + 4e-8 * double(test.rows.length / together);
  for (size_t row = 0; row < got.size(); ++row)
    EXPECT_LE(rowError(got[row], expected[row]), most)
        << "row " << row << " of " << test.rows.count << " × " << test.rows.length << ", "
        << shape.lanes << " lanes, " << shape.blocksPerRow << " blocks, " << shape.threads
        << " threads: " << got[row].x << ", " << got[row].y;
}

static const std::vector<size_t> lengths = {1,    2,    3,    7,    8,    9,    10,  15,
                                            16,   17,   31,   33,   63,   100,  255, 257,
                                            1000, 1023, 1025, 2049, 4099, 8191, 8200};

TYPED_TEST(RowsOf, AreRightAtAnyLengthInTheirOwnShape) {
  NEEDS_DEVICE();
  RowReduction<TypeParam> reduce;
  for (const size_t length : lengths)
    for (const size_t rows : {1, 3, 33})
      expectRight(reduce, TestRows(rows, length), rowsShape(rows, length));
  for (const size_t length : {16383, 20000, 50001, 100003})
    expectRight(reduce, TestRows(3, length), rowsShape(3, length));
}

TYPED_TEST(RowsOf, AreRightInAnyShape) {
  NEEDS_DEVICE();
  RowReduction<TypeParam> reduce;
  for (const size_t length : {1, 9, 100, 1025, 5001}) {
    const TestRows test(5, length);
    for (const unsigned threads : {32, 64, 128, 256, 512}) {
      if (length > 5000 && threads != 64) continue;
      for (const unsigned lanes : {1, 2, 4, 8, 16, 32})
        if (threads <= 256) expectRight(reduce, test, {lanes, 0, threads});
      for (const unsigned blocks : {1, 2, 3, 7}) expectRight(reduce, test, {0, blocks, threads});
    }
  }
}

TYPED_TEST(RowsOf, HaveTheSameBitsWhenCalledAgain) {
  NEEDS_DEVICE();
  RowReduction<TypeParam> reduce;
  const TestRows test(7, 20011);
  const RowsShape shape = {0, 9, 128};
  const auto first = resultsOf(reduce, test.rows, shape);
  for (int repeat = 0; repeat < 3; ++repeat) {
    const auto again = resultsOf(reduce, test.rows, shape);
    for (size_t row = 0; row < first.size(); ++row) {
      EXPECT_EQ(first[row].x, again[row].x);
      EXPECT_EQ(first[row].y, again[row].y);
    }
  }
}

static uint16_t bitsOf(float value) { return uint16_t(std::bit_cast<uint32_t>(value) >> 16); }

// One element of a thousand differs. Without the shift, floats near 65536² are 256 apart.
TEST(RowsOfBf16, KeepTheVarianceOfLargeValues) {
  NEEDS_DEVICE();
  std::vector<uint16_t> bits(1000, bitsOf(65536));
  bits[500] = bitsOf(65536 + 512);
  RowReduction<Moments> reduce;
  const auto got = resultsOf(reduce, TestRows(bits, 1, 1000).rows, rowsShape(1, 1000));
  EXPECT_NEAR(got[0].x, 65536.512, 0.01);
  EXPECT_NEAR(got[0].y, 512 * 512 * 0.001 * 0.999, 0.01);
}

// The row's first element is the one that differs, or a thread's first or last.
TEST(RowsOfBf16, KeepTheVarianceBesideAnOutlierAnywhere) {
  NEEDS_DEVICE();
  RowReduction<Moments> reduce;
  for (const size_t n : {100, 20001})
    for (const size_t place : {size_t(0), size_t(1), size_t(7), size_t(8), n / 2, n - 1})
      for (const float outlier : {-512.f, 32768.f}) {
        std::vector<uint16_t> bits = TestRows::random(n);
        bits[place] = bitsOf(outlier);
        const TestRows test(bits, 1, n);
        const auto [mean, variance] = momentsOf(bits.data(), 1, n)[0];
        for (const RowsShape shape : {rowsShape(1, n), RowsShape{0, 3, 128}}) {
          const float2 got = resultsOf(reduce, test.rows, shape)[0];
          EXPECT_NEAR(got.x, mean, 1e-5 * std::sqrt(variance)) << outlier << " at " << place;
          EXPECT_NEAR(got.y, variance, 3e-5 * variance) << outlier << " at " << place;
        }
      }
}

TEST(RowsOfBf16, DivideNoSoftmaxByZero) {
  NEEDS_DEVICE();
  RowReduction<SoftmaxSum> reduce;
  std::vector<uint16_t> bits(100, bitsOf(-INFINITY));  // masked, as in an attention
  bits[42] = bitsOf(-200);
  auto got = resultsOf(reduce, TestRows(bits, 1, 100).rows, rowsShape(1, 100));
  EXPECT_EQ(got[0].x, -200);
  EXPECT_EQ(got[0].y, 1);
  bits[42] = bitsOf(NAN);
  got = resultsOf(reduce, TestRows(bits, 1, 100).rows, rowsShape(1, 100));
  EXPECT_TRUE(std::isnan(got[0].y));
}

// ---- The softmax

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
  for (const size_t length : lengths)
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
      for (const unsigned lanes : {1, 2, 4, 8, 16, 32}) expectIfItFits({lanes, 0, threads});
      for (const unsigned blocks : {1, 2, 3, 7}) expectIfItFits({0, blocks, threads});
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

#ifdef GPU_BACKEND

TYPED_TEST(RowsOf, AgreeWithCub) {
  NEEDS_DEVICE();
  for (const size_t length : lengths) {
    const TestRows test(33, length);
    DeviceArray<float2> results(33, "results");
    std::vector<float2> got(33);
    const auto expected = RowTask<TypeParam>::expected(test.bits.data(), 33, length);
    for (const bool fixedSize : {false, true}) {
      if (fixedSize && !cubHasFixedSize()) continue;
      results.poison();
      cubRows<TypeParam>(test.rows.data, 33, int(length), results.data(), fixedSize);
      results.copyToHost(got.data(), 33);
      for (size_t row = 0; row < 33; ++row)
        EXPECT_LE(rowError(got[row], expected[row]), 1e-3) << "length " << length;
    }
  }
}

#else

TYPED_TEST(RowsOf, AreRightUnderAnySchedule) {
  RowReduction<TypeParam> reduce;
  for (uint64_t seed = 0; seed <= 5; ++seed) {
    const WithSchedule schedule(
        seed == 0 ? simt::Schedule::Order::reverse : simt::Schedule::Order::random, seed);
    expectRight(reduce, TestRows(9, 100), rowsShape(9, 100));
    expectRight(reduce, TestRows(3, 5001), {0, 3, 64});
  }
}

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

TEST(RowsOfBf16Program, SaysThatEveryRowIsRight) {
  NEEDS_DEVICE();
  Options options;
  options.samples = 2;
  options.sizes = {5, 1003};
  options.sizesGiven = true;
  const Captured out(std::cout), err(std::cerr);
  EXPECT_EQ(bf16Rows(options), exitRight);
  EXPECT_TRUE(contains(out.text(), "5 rows of 1003"));
  EXPECT_TRUE(contains(out.text(), "every row is right"));
}
