#include "exact_sum.h"

#include <limits>
#include <random>

#include "exact_sum_testing.h"
#include "mode.h"
#include "sum_on_device_testing.h"
#include "test_support/kernel_testing.h"

namespace {

constexpr bool onGpu = thisBackend == Backend::gpu;
const bool atFullLength = onGpu && !underSanitizer();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

template <typename T>
std::vector<T> of(std::initializer_list<double> values) {
  return {values.begin(), values.end()};
}

}  // namespace

template <typename T>
class ExactSumOf : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(ExactSumOf, Types);

TYPED_TEST(ExactSumOf, IsTheNearestNumberToTheSum) {
  NEEDS_DEVICE();
  using T = TypeParam;
  for (const Kind kind : kinds) {
    for (const size_t n : thinned<size_t>({0, 1, 2, 3, 31, 33, 997, 4096, 20011})) {
      const std::vector<T> values = elements<T>(kind, n + 3, n);
      const T sum = sumOnDevice(values);
      EXPECT_TRUE(isNearest(sum, values)) << sum << ", kind " << int(kind) << ", n " << n;
      EXPECT_EQ(bitsOf(sumOnCpu(values)), bitsOf(sum)) << "kind " << int(kind) << ", n " << n;
    }
  }
}

TYPED_TEST(ExactSumOf, HasTheSameBitsForAnyGridAndBlockAndAlignment) {
  NEEDS_DEVICE();
  using T = TypeParam;
  for (const Kind kind : kinds) {
    const std::vector<T> values = elements<T>(kind, 5, atFullLength ? 1000003 : 30011);
    const auto bits = bitsOf(sumOnCpu(values));
    for (const unsigned grid : thinned<unsigned>({1, 2, 7, 40}))
      for (const unsigned block : thinned<unsigned>({32, 96, 128, 256}))
        EXPECT_EQ(bitsOf(sumOnDevice(values, (grid + block / 32) % 5, grid, block)), bits)
            << "kind " << int(kind) << ", grid " << grid << ", block " << block;
  }
}

TYPED_TEST(ExactSumOf, HasTheSameBitsInAnyOrder) {
  NEEDS_DEVICE();
  using T = TypeParam;
  std::mt19937_64 random(1);
  for (const Kind kind : {Kind::bothSigns, Kind::wide, Kind::cancelling, Kind::anyBits}) {
    std::vector<T> values = elements<T>(kind, 9, atFullLength ? (1 << 16) + 7 : 4099);
    const auto bits = bitsOf(sumOnCpu(values));
    for (unsigned order = 0; order < thinned(1000); ++order) {
      std::shuffle(values.begin(), values.end(), random);
      ASSERT_EQ(bitsOf(sumOnCpu(values)), bits) << "kind " << int(kind) << ", order " << order;
      if (!atFullLength && order >= 12) continue;
      ASSERT_EQ(bitsOf(sumOnDevice(values, 0, 1 + order % 9, 32u << order % 4)), bits)
          << "kind " << int(kind) << ", order " << order;
    }
  }
}

TYPED_TEST(ExactSumOf, KeepsWhatCancellationLeaves) {
  NEEDS_DEVICE();
  using T = TypeParam;
  EXPECT_EQ(sumOnDevice(of<T>({1e30, 1, -1e30})), T(1));
  EXPECT_EQ(sumOnDevice(of<T>({0x1p100, 0x1p-100, -0x1p100, 0x1p-101})), T(0x1.8p-100));
  std::vector<T> values = elements<T>(Kind::anyBits, 4, 9001);
  for (size_t i = 0; i < 9001; ++i) values.push_back(-values[i]);
  values.push_back(std::numeric_limits<T>::denorm_min());
  EXPECT_EQ(sumOnDevice(values), std::numeric_limits<T>::denorm_min());
}

TYPED_TEST(ExactSumOf, RoundsOnceToTheNearestEven) {
  NEEDS_DEVICE();
  using T = TypeParam;
  const T ulp = std::numeric_limits<T>::epsilon(), tiny = std::numeric_limits<T>::denorm_min();
  EXPECT_EQ(sumOnDevice<T>({1, ulp / 2}), T(1));
  EXPECT_EQ(sumOnDevice<T>({1, ulp / 2, tiny}), 1 + ulp);
  EXPECT_EQ(sumOnDevice<T>({1, ulp, ulp / 2}), 1 + 2 * ulp);
  EXPECT_EQ(sumOnDevice<T>({1, ulp, ulp / 2, -tiny}), 1 + ulp);
  EXPECT_EQ(sumOnDevice<T>({-1, -ulp / 2, -tiny}), -1 - ulp);
  EXPECT_EQ(sumOnDevice<T>({2, -ulp / 2}), T(2));
  EXPECT_EQ(sumOnDevice<T>({2, -ulp / 2, -tiny}), 2 - ulp);
}

TYPED_TEST(ExactSumOf, GivesPlusZeroForNothingAndForZeros) {
  NEEDS_DEVICE();
  using T = TypeParam;
  for (const auto& values : {of<T>({}), of<T>({0}), of<T>({-0.0}), std::vector<T>(999, T(-0.0)),
                             of<T>({1, -1}), of<T>({-5, 0, 5})}) {
    EXPECT_EQ(bitsOf(sumOnDevice(values)), 0u);
    EXPECT_EQ(bitsOf(sumOnCpu(values)), 0u);
  }
}

TYPED_TEST(ExactSumOf, IsInfiniteOnlyWhenTheSumIsTooLarge) {
  NEEDS_DEVICE();
  using T = TypeParam;
  constexpr T largest = std::numeric_limits<T>::max();
  const T halfUlp =
      std::ldexp(T(1), std::numeric_limits<T>::max_exponent - std::numeric_limits<T>::digits - 1);
  const T below = std::nextafter(halfUlp, T(0));
  EXPECT_EQ(sumOnDevice<T>({largest, largest}), T(infinity));
  EXPECT_EQ(sumOnDevice<T>({-largest, -largest}), -T(infinity));
  EXPECT_EQ(sumOnDevice<T>({largest, largest, -largest}), largest);
  EXPECT_EQ(sumOnDevice<T>({largest, halfUlp}), T(infinity));
  EXPECT_EQ(sumOnDevice<T>({largest, below}), largest);
  std::vector<T> values(40000, largest);  // many times too large on the way
  for (size_t i = 0; i < 39999; ++i) values.push_back(-largest);
  EXPECT_EQ(sumOnDevice(values), largest);
  EXPECT_EQ(sumOnCpu(values), largest);
}

TYPED_TEST(ExactSumOf, TellsOfInfinitiesAndNaNsWhereverTheyAre) {
  NEEDS_DEVICE();
  using T = TypeParam;
  const auto nanBits = bitsOf(std::numeric_limits<T>::quiet_NaN());
  for (const size_t place : {0, 5, 2000, 9002}) {
    const auto with = [&](std::initializer_list<double> specials) {
      std::vector<T> values = elements<T>(Kind::wide, 2, 9003);
      size_t at = place;
      for (const double special : specials) values[std::exchange(at, 9002 - at)] = T(special);
      EXPECT_EQ(bitsOf(sumOnDevice(values, place % 3)), bitsOf(sumOnCpu(values))) << place;
      return sumOnDevice(values, place % 3);
    };
    EXPECT_EQ(with({infinity}), T(infinity)) << place;
    EXPECT_EQ(with({-infinity}), -T(infinity)) << place;
    EXPECT_EQ(with({infinity, infinity}), T(infinity)) << place;
    EXPECT_EQ(bitsOf(with({notANumber})), nanBits) << place;
    EXPECT_EQ(bitsOf(with({-notANumber})), nanBits) << place;
    EXPECT_EQ(bitsOf(with({infinity, -infinity})), nanBits) << place;
    EXPECT_EQ(bitsOf(with({notANumber, infinity})), nanBits) << place;
    EXPECT_TRUE(std::isfinite(with({}))) << place;  // and nothing stays behind
  }
  EXPECT_EQ(bitsOf(sumOnDevice(of<T>({0, notANumber, -0.0}))), nanBits);
}

// The longest runs that a thread takes before it hands on what it has, with the largest values.
TYPED_TEST(ExactSumOf, HasRoomForTheLargestSums) {
  NEEDS_DEVICE();
  using T = TypeParam;
  const size_t n = 32 * 70 * exactSumElements<T> + 5;  // by one warp
  for (const double exponent : {-100.0, -99.0, -97.0, 0.0, 3.0, 64.0, 100.0}) {
    const std::vector<T> values(n, T(std::exp2(exponent) * (2 - 0x1p-23)));
    EXPECT_EQ(bitsOf(sumOnDevice(values, 0, 1, 32)), bitsOf(T(double(n) * values[0]))) << exponent;
  }
}

// A tile of the largest numbers of an exponent with a few far smaller ones among them, and one that
// takes away all but the last bits of the small ones: what the first has rounded off is missing.
TYPED_TEST(ExactSumOf, KeepsTheSmallestBitsOfEveryWindow) {
  NEEDS_DEVICE();
  using T = TypeParam;
  constexpr unsigned tile = 32 * exactSumElements<T>;  // of a warp
  const T ulp = std::numeric_limits<T>::epsilon(), large = 2 - ulp, small = 1 + ulp;
  for (int exponent = 0; exponent < 8; ++exponent) {
    for (int below = windowWidth<T> - 9; below < int(windowWidth<T>) + 3; ++below) {
      std::vector<T> values(2 * tile);
      for (unsigned i = 0; i < tile; ++i) {
        const bool isSmall = randomBits(exponent, i) % 24 == 0;
        values[i] = isSmall ? std::ldexp(small, exponent - below) : std::ldexp(large, exponent);
        values[tile + i] = isSmall ? -std::ldexp(T(1), exponent - below) : -values[i];
      }
      EXPECT_EQ(bitsOf(sumOnDevice(values, 0, 1, 32)), bitsOf(sumOnCpu(values)))
          << "2^" << exponent << " and 2^" << exponent - below;
    }
  }
}

TYPED_TEST(ExactSumOf, SumsAMillionElements) {
  NEEDS_DEVICE();
  using T = TypeParam;
  if (!onGpu) GTEST_SKIP() << "the executor adds up shorter arrays in the tests above";
  for (const Kind kind : kinds) {
    const std::vector<T> values = elements<T>(kind, 77, (1 << 20) + 7);
    const T sum = sumOnDevice(values, 1);
    EXPECT_TRUE(isNearest(sum, values)) << "kind " << int(kind);
    EXPECT_EQ(bitsOf(sumOnCpu(values)), bitsOf(sum)) << "kind " << int(kind);
  }
}

#ifndef GPU_BACKEND

TYPED_TEST(ExactSumOf, HasTheSameBitsUnderManySchedules) {
  using T = TypeParam;
  const std::vector<T> values = elements<T>(Kind::wide, 6, 9001);
  const auto bits = bitsOf(sumOnCpu(values));
  for (uint64_t seed = 0; seed <= 20; ++seed) {
    const WithSchedule schedule(
        seed == 0 ? simt::Schedule::Order::reverse : simt::Schedule::Order::random, seed);
    EXPECT_EQ(bitsOf(sumOnDevice(values, 1, 5, 64)), bits) << "seed " << seed;
  }
}

#endif

// ---- --floats

TYPED_TEST(ExactSumOf, IsComparedWithTheOtherWays) {
  NEEDS_DEVICE();
  Report report;
  report.n = 1000;
  DeviceStopwatch stopwatch = testStopwatch();
  FloatSums<TypeParam> sums(1000);
  sums.run(stopwatch, {}, report);
  for (const StepResult& step : report.steps) EXPECT_TRUE(step.ok) << step.name;
}

TEST(KahanSum, KeepsWhatASerialSumLoses) {
  std::vector<float> values(1000, 0x1p-25f);
  values[0] = 1;
  EXPECT_EQ(serialSum(values), 1.0f);
  EXPECT_EQ(kahanSum(values), exactSumOnCpu(values.data(), values.size()));
}

// ---- What the tests are held against

TEST(IsNearest, RefusesEveryOtherNumber) {
  for (const Kind kind : kinds) {
    const std::vector<float> values = elements<float>(kind, 3, 101);
    const float sum = sumOnCpu(values);
    EXPECT_TRUE(isNearest(sum, values));
    EXPECT_FALSE(isNearest(std::nextafter(sum, float(infinity)), values));
    EXPECT_FALSE(isNearest(std::nextafter(sum, -float(infinity)), values));
    EXPECT_FALSE(isNearest(float(notANumber), values));
    EXPECT_FALSE(isNearest(-sum, values));
  }
  EXPECT_FALSE(isNearest(-0.0f, {}));
  EXPECT_TRUE(isNearest(1.0f, {1.0f, 0x1p-24f}));
  EXPECT_FALSE(isNearest(1.0f + 0x1p-23f, {1.0f, 0x1p-24f}));
}
