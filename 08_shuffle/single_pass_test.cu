#include <set>

#include "modes/operators.h"
#include "test_support/kernel_testing.h"
#include "testing_kernels.h"
#include "whole_sum.h"

// Values in device memory that begin so many elements behind a 16-byte boundary.
template <typename T>
class Unaligned {
 public:
  Unaligned(const std::vector<T>& values, size_t offset)
      : array_(values.size() + offset, "input"), offset_(offset) {
    std::vector<T> padded(offset, T(77));  // must not get into any result
    padded.insert(padded.end(), values.begin(), values.end());
    array_.copyFromHost(padded.data());
  }
  const T* data() const { return array_.data() + offset_; }

 private:
  DeviceArray<T> array_;
  size_t offset_;
};

template <typename Operator, typename T>
T totalOf(SinglePass<Operator, T>& pass, const T* data, size_t n) {
  DeviceArray<T> total(1, "total");
  total.poison();
  pass(data, n, total.data());
  T result{};
  total.copyToHost(&result, 1);
  return result;
}

static const std::vector<size_t> lengths = {
    0,   1,    2,    3,     4,     5,     31,    32,    33,      511,          513,
    997, 4095, 4097, 16383, 16384, 16391, 20011, 65537, 1 << 18, (1 << 18) + 7};

template <typename Pair>
class SinglePassOf : public testing::Test {};

template <template <typename> typename Operator_, typename T_>
struct Of {
  using T = T_;
  using Operator = Operator_<T_>;
};
using Pairs = testing::Types<Of<Sum, int>, Of<Minimum, int>, Of<Maximum, int>, Of<Product, int>,
                             Of<Sum, long long>, Of<Minimum, long long>, Of<Maximum, long long>,
                             Of<Product, long long>, Of<Sum, float>, Of<Minimum, float>,
                             Of<Maximum, float>, Of<Product, float>, Of<Sum, double>,
                             Of<Minimum, double>, Of<Maximum, double>, Of<Product, double>>;
TYPED_TEST_SUITE(SinglePassOf, Pairs);

TYPED_TEST(SinglePassOf, IsRightForAnyLengthAndAlignment) {
  NEEDS_DEVICE();
  using T = typename TypeParam::T;
  using Operator = typename TypeParam::Operator;
  SinglePass<Operator, T> pass;  // one for all: each launch must leave the counter at 0
  for (const size_t n : lengths) {
    std::vector<T> values(n);
    for (size_t i = 0; i < n; ++i) values[i] = operand<Operator, T>(7, i);
    const auto expected = reference<Operator, T>(values);
    for (size_t offset = 0; offset < 16 / sizeof(T); ++offset) {
      const Unaligned<T> input(values, offset);
      const T result = totalOf(pass, input.data(), n);
      EXPECT_TRUE(agrees<Operator>(result, expected, n))
          << result << " instead of " << expected.first << ", n " << n << ", offset " << offset;
    }
  }
}

TYPED_TEST(SinglePassOf, GivesTheIdentityForNoElements) {
  NEEDS_DEVICE();
  using T = typename TypeParam::T;
  using Operator = typename TypeParam::Operator;
  SinglePass<Operator, T> pass;
  const DeviceArray<T> nothing(1, "input");
  EXPECT_EQ(totalOf(pass, static_cast<const T*>(nothing.data()), 0), T(Operator::identity));
}

TEST(SinglePass, IdentitiesAreWhatTheyMustBe) {
  EXPECT_EQ(Sum<float>::identity, 0);
  EXPECT_EQ(Product<int>::identity, 1);
  EXPECT_EQ(Minimum<int>::identity, INT32_MAX);
  EXPECT_EQ(Maximum<long long>::identity, INT64_MIN);
  EXPECT_EQ(Minimum<double>::identity, std::numeric_limits<double>::infinity());
  EXPECT_EQ(Maximum<float>::identity, -std::numeric_limits<float>::infinity());
}

TEST(SinglePass, FindsInfinitiesAndExtremes) {
  NEEDS_DEVICE();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  SinglePass<Minimum<float>, float> minimum;
  SinglePass<Maximum<int>, int> maximum;
  const Unaligned<float> infinite(std::vector<float>(1000, infinity), 1);
  EXPECT_EQ(totalOf(minimum, infinite.data(), 1000), infinity);
  const Unaligned<int> lowest(std::vector<int>(1000, INT32_MIN), 3);
  EXPECT_EQ(totalOf(maximum, lowest.data(), 1000), INT32_MIN);
}

// The lesson's sum has 64 bits for any int32: partial sums may not overflow on the way.
TEST(SinglePass, SumsOfLargeIntegersHave64Bits) {
  NEEDS_DEVICE();
  const size_t n = 100003;
  const std::vector<int> values(n, INT32_MIN);
  for (size_t offset = 0; offset < 4; ++offset) {
    const Unaligned<int> input(values, offset);
    DeviceArray<long long> total(1, "total");
    for (const auto sum : {singlePassSum, atomicPerBlockSum, atomicTotalSum}) {
      long long result = 0;
      copyToHost(&result, sum(input.data(), n, total.data()), 1);
      EXPECT_EQ(result, int64_t(n) * INT32_MIN) << "offset " << offset;
    }
  }
}

TEST(AtomicPerBlock, IsRightForAnyLengthAndAlignmentAndCallAfterCall) {
  NEEDS_DEVICE();
  for (const size_t n : lengths) {
    const Input input = makeInput(n, 7);
    for (size_t offset = 0; offset < 4; ++offset) {
      const Unaligned<int> data(std::vector<int>(input.values.get(), input.values.get() + n),
                                offset);
      DeviceArray<long long> total(1, "total");
      total.poison();
      for (int call = 0; call < 3; ++call) {
        for (const auto sum : {atomicPerBlockSum, atomicTotalSum}) {
          long long result = -1;
          copyToHost(&result, sum(data.data(), n, total.data()), 1);
          EXPECT_EQ(result, input.sum) << "n " << n << ", offset " << offset << ", call " << call;
        }
      }
    }
  }
}

// Blocks of any size, though a length has one that suits it best.
TEST(AtomicPerBlock, IsRightInEveryShape) {
  NEEDS_DEVICE();
  for (const size_t n : {0, 1, 127, 513, 8191, 40961}) {
    const Input input = makeInput(n, 7);
    for (const size_t offset : {0, 3}) {
      const Unaligned<int> data(std::vector<int>(input.values.get(), input.values.get() + n),
                                offset);
      for (const unsigned threads : {32, 128, 256, 512, 1024}) {
        for (const auto& [rounds, loads] : {std::pair(1, 1), std::pair(1, 4), std::pair(2, 4)}) {
          const AtomicShape shape = shapeOf(n, threads, unsigned(rounds), unsigned(loads));
          long long result = -1;
          copyToHost(&result, sumInShape(data.data(), n, shape), 1);
          EXPECT_EQ(result, input.sum) << "n " << n << ", offset " << offset << ", " << threads
                                       << " threads, " << rounds << " of " << loads;
        }
      }
    }
  }
}

// Every shape covers its input, with no block to spare.
TEST(AtomicPerBlock, ShapesCoverTheInput) {
  NEEDS_DEVICE();
  for (uint64_t n = 0; n < uint64_t(1) << 36; n = n * 5 / 4 + 1) {
    const AtomicShape shape = atomicPerBlockShape(n);
    const uint64_t perBlock = uint64_t(4) * shape.rounds * shape.loads * shape.threads;
    EXPECT_GE(shape.blocks * perBlock, n);
    EXPECT_LT((shape.blocks - 1) * perBlock, std::max<uint64_t>(n, 1));
    EXPECT_TRUE(shape.loads == 1 || shape.loads == 4) << n;
    EXPECT_TRUE(shape.rounds == 1 || (shape.rounds == 2 && shape.loads == 4)) << n;
  }
}

// Rounding depends on the order of additions, and that may not depend on which block was last.
TEST(SinglePass, FloatSumsAreTheSameInEveryRun) {
  NEEDS_DEVICE();
  const size_t n = 200003;
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = operand<Sum<float>, float>(7, i);
  const Unaligned<float> input(values, 1);
  SinglePass<Sum<float>, float> pass;
  std::set<float> results;
  for (uint64_t run = 0; run < 20; ++run) {
#ifndef GPU_BACKEND
    const WithSchedule schedule(simt::Schedule::Order::random, run);
#endif
    results.insert(totalOf(pass, input.data(), n));
  }
  EXPECT_EQ(results.size(), 1u);
}

// For multiprocessors that hold 2,048, 1,536 or 1,024 threads, or one block only.
TEST(SinglePass, ShapesCoverTheInputAndFitTheGpu) {
  for (const unsigned threads : {2048u, 1536u, 1024u, 512u}) {
    for (const unsigned sms : {1u, 4u, 132u, 1000u}) {
      const auto resident = [=](unsigned block) { return threads / block * sms; };
      for (size_t bytes = 0; bytes < size_t(1) << 34; bytes = bytes * 3 / 2 + 1) {
        const LaunchShape shape = singlePassShape(bytes, resident);
        EXPECT_GE(shape.grid, 1u);
        EXPECT_LE(shape.grid, std::max(1u, threads / shape.block * sms)) << bytes;
        EXPECT_GE(shape.block, 128u);
        EXPECT_LE(shape.block, 1024u);
        const size_t inFlight = size_t(shape.grid) * shape.block * 4;
        if (bytes / 16 <= 4096) {
          EXPECT_EQ(shape.grid, 1u) << bytes;
          EXPECT_GE(inFlight, bytes / 16) << bytes;
        }
      }
    }
  }
}

// The same launches again and again, at random lengths and alignments: what one leaves behind, in a
// counter or in the place of a total, must never show in the next.
TEST(SinglePass, IsRightAThousandTimesOver) {
  NEEDS_DEVICE();
  const bool gpu = thisBackend == Backend::gpu && !underSanitizer();
  const size_t most = size_t(1) << (gpu ? 23 : 13);
  const Input input = makeInput(most, 11);
  std::vector<int64_t> before(most + 1, 0);  // the sum of the first i elements
  for (size_t i = 0; i < most; ++i) before[i + 1] = before[i] + input.values[i];
  DeviceArray<int> data(most, "input");
  data.copyFromHost(input.values.get());
  DeviceArray<long long> total(1, "total");
  for (uint64_t run = 0; run < (gpu ? 1000 : 40); ++run) {
    const uint64_t bits = randomBits(12, run);
    const size_t first = bits % 64, longest = size_t(1) << (4 + bits / 64 % (gpu ? 20 : 10));
    const size_t n = std::min((bits >> 20) % longest, most - first);
    for (const auto sum : {singlePassSum, atomicPerBlockSum}) {
      long long result = -1;
      total.poison();
      copyToHost(&result, sum(data.data() + first, n, total.data()), 1);
      ASSERT_EQ(result, before[first + n] - before[first])
          << "run " << run << ", n " << n << ", from element " << first;
    }
  }
}

#ifndef GPU_BACKEND

// Many schedules, which also shuffle the order of the blocks: none may be a fault or another sum.
TEST(SinglePass, IsRightUnderManySchedules) {
  const size_t n = 70001;
  const Input input = makeInput(n, 7);
  const Unaligned<int> data(std::vector<int>(input.values.get(), input.values.get() + n), 3);
  SinglePass<Sum<long long>, int> pass;
  DeviceArray<long long> total(1, "total");
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const WithSchedule schedule(simt::Schedule::Order::random, seed);
    long long result = -1;
    total.poison();
    pass(data.data(), n, total.data());
    total.copyToHost(&result, 1);
    EXPECT_EQ(result, input.sum) << "seed " << seed;
    copyToHost(&result, atomicPerBlockSum(data.data(), n, nullptr), 1);
    EXPECT_EQ(result, input.sum) << "seed " << seed;
  }
}

// What the test above relies on: which block finishes last changes with the seed.
TEST(SinglePass, TheLastBlockIsNotAlwaysTheSame) {
  std::set<unsigned> lastBlocks;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const WithSchedule schedule(simt::Schedule::Order::random, seed);
    DeviceArray<unsigned> done(1, "done"), last(1, "last");
    const unsigned none = 0;
    done.copyFromHost(&none);
    launch(dim3(8), dim3(32), whoIsLast, done.data(), last.data());
    unsigned block = 99;
    last.copyToHost(&block, 1);
    lastBlocks.insert(block);
  }
  EXPECT_GE(lastBlocks.size(), 5u);
}

#endif

// ---- --operators

TEST(Operators, AreComparedWithTheHost) {
  NEEDS_DEVICE();
  Report report;
  report.n = 1000;
  DeviceStopwatch stopwatch = testStopwatch();
  runOperator<Sum<int>, int>(stopwatch, {}, report, "sum");
  EXPECT_TRUE(report.steps.back().ok);
#ifndef GPU_BACKEND
  runOperator<Forgetful, int>(stopwatch, {}, report, "forgetful");
  EXPECT_FALSE(report.steps.back().ok);
#endif
}

TEST(Operators, MayBeRoundedAndNoMore) {
  const std::pair<long double, long double> expected = {1, 2};
  EXPECT_TRUE((agrees<Sum<float>>(1.0f, expected, 1000)));
  EXPECT_TRUE((agrees<Sum<float>>(1.00001f, expected, 1000)));
  EXPECT_FALSE((agrees<Sum<float>>(1.001f, expected, 1000)));
  EXPECT_FALSE((agrees<Sum<double>>(1.00001, expected, 1000)));
  EXPECT_FALSE((agrees<Sum<double>>(std::nan(""), expected, 1000)));
  EXPECT_FALSE((agrees<Minimum<float>>(1.00001f, expected, 1000)));
  EXPECT_FALSE((agrees<Sum<int>>(2, expected, 1000)));
}
