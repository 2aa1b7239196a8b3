#include <iostream>

#include "bf16_testing.h"
#include "program.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

template <typename>
class RowsOf;
template <typename Of>
class RowsOf<RowReduction<Of>> : public testing::Test {
 public:
  using Reduction = Of;
};
using Reductions = testing::Types<RowReduction<Moments>, RowReduction<SoftmaxSum>>;
TYPED_TEST_SUITE(RowsOf, Reductions);

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

TYPED_TEST(RowsOf, AreRightAtAnyLengthInTheirOwnShape) {
  NEEDS_DEVICE();
  TypeParam reduce;
  for (const size_t length : rowTestLengths)
    for (const size_t rows : {1, 3, 33})
      expectRight(reduce, TestRows(rows, length), rowsShape(rows, length));
  for (const size_t length : {16383, 20000, 50001, 100003})
    expectRight(reduce, TestRows(3, length), rowsShape(3, length));
}

TYPED_TEST(RowsOf, AreRightInAnyShape) {
  NEEDS_DEVICE();
  TypeParam reduce;
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
  TypeParam reduce;
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

#ifdef GPU_BACKEND

TYPED_TEST(RowsOf, AgreeWithCub) {
  NEEDS_DEVICE();
  using Reduction = typename TestFixture::Reduction;
  for (const size_t length : rowTestLengths) {
    const TestRows test(33, length);
    DeviceArray<float2> results(33, "results");
    std::vector<float2> got(33);
    const auto expected = RowTask<Reduction>::expected(test.bits.data(), 33, length);
    for (const bool fixedSize : {false, true}) {
      if (fixedSize && !cubHasFixedSize()) continue;
      results.poison();
      cubRows<Reduction>(test.rows.data, 33, int(length), results.data(), fixedSize);
      results.copyToHost(got.data(), 33);
      for (size_t row = 0; row < 33; ++row)
        EXPECT_LE(rowError(got[row], expected[row]), 1e-3) << "length " << length;
    }
  }
}

#else

TYPED_TEST(RowsOf, AreRightUnderAnySchedule) {
  TypeParam reduce;
  for (uint64_t seed = 0; seed <= 5; ++seed) {
    const WithSchedule schedule(
        seed == 0 ? simt::Schedule::Order::reverse : simt::Schedule::Order::random, seed);
    expectRight(reduce, TestRows(9, 100), rowsShape(9, 100));
    expectRight(reduce, TestRows(3, 5001), {0, 3, 64});
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
