// Exact sums of what fills their accumulators to the brim: inputs made from each bound that
// exact_sum.cuh and wide_number.h state.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "base/format.h"
#include "exact_sum_testing.h"
#include "sum_on_device_testing.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

namespace {

constexpr bool onGpu = thisBackend == Backend::gpu;
template <typename T>
constexpr size_t warpTile = 32 * size_t(exactSumElements<T>);
// Two full turns of a warp until it hands on: the first is one short, as if for left-over elements.
constexpr size_t tilesOfTwoTurns = 2 * exactSumTiles - 1;

// A number of T, of times 2^lowest units. A window of field 0 begins at half the smallest normal.
template <typename T>
T inWindow(double times, int lowest) {
  constexpr int bias = std::numeric_limits<T>::max_exponent - 1;
  return T(std::ldexp(times, lowest - bias));
}

// Where windows begin: at the smallest numbers, in the middle, and at the largest.
template <typename T>
std::vector<int> windows() {
  constexpr int top = int(FormatOf<T>::largestField) - int(windowWidth<T>) + 7;
  return {0, top / 16 * 8, top / 8 * 8};
}

// What fills a window: an element for each bound, in units of 2^lowest. Ties are halves of what a
// double's high keeps, a quarter. From the top window some are beyond T.
template <typename T>
std::vector<double> brims() {
  const double largest =
      std::ldexp(2 - double(std::numeric_limits<T>::epsilon()), int(windowWidth<T>));
  if (sizeof(T) == 4) return {largest, 1, 1 + 0x1p-23};
  return {largest, 0x1p45 - 0.875, 0x1p45 - 0.625, 0x1p44 + 1.125, 0x1p44 + 1.375, 1};
}

template <typename T>
void expectBitsOfCpu(const std::vector<T>& values, const std::string& what, unsigned grid,
                     unsigned block, size_t offset = 0) {
  EXPECT_EQ(bitsOf(sumOnDevice(values, offset, grid, block)), bitsOf(sumOnCpu(values)))
      << what << ", " << grid << " blocks of " << block << ", " << offset << " elements off";
}

// So many values, each the first or its opposite where isNegative(i).
template <typename T, typename IsNegative>
std::vector<T> signedValues(size_t n, T value, const IsNegative& isNegative) {
  std::vector<T> values(n, value);
  for (size_t i = 0; i < n; ++i)
    if (isNegative(i)) values[i] = -value;
  return values;
}

}  // namespace

template <typename T>
class ExactBounds : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(ExactBounds, Types);

// Each element leaves an eighth, half of what a double's high keeps, and all of the same sign. The
// first of each tile brings the window; beside it the others are small.
TEST(ExactSumOfDoubles, KeepsTheErrorsOfTwoTurnsOfAWarp) {
  NEEDS_DEVICE();
  std::vector<double> values(tilesOfTwoTurns * warpTile<double>, 1.125 * 0x1p-47);
  for (size_t i = 0; i < values.size(); i += warpTile<double>)
    values[i] = (0x1p44 + 1.125) * 0x1p-47;
  EXPECT_EQ(sumOnCpu(values), 7.8750000002578417);
  EXPECT_TRUE(isNearest(sumOnCpu(values), values));
  expectBitsOfCpu(values, "ties", 1, 32);
  expectBitsOfCpu(values, "ties", 7, 64);
  for (double& value : values) value = -value;
  expectBitsOfCpu(values, "ties below 0", 1, 32);
}

// A warp that takes two turns of nothing but the largest that a window and its errors can be.
TYPED_TEST(ExactBounds, LeaveRoomForAWarpOfEveryBrim) {
  NEEDS_DEVICE();
  using T = TypeParam;
  for (const int lowest : windows<T>())
    for (const double brim : brims<T>()) {
      const T value = inWindow<T>(brim, lowest);
      if (std::isinf(value)) continue;
      const std::string what = fmt::format("{} * 2^{}", brim, lowest);
      const size_t n = tilesOfTwoTurns * warpTile<T> + 2;
      expectBitsOfCpu(std::vector<T>(n, value), what, 1, 32);
      expectBitsOfCpu(std::vector<T>(n, -value), "-" + what, 1, 32);
      expectBitsOfCpu(signedValues(n, value, [](size_t i) { return i % 2 == 1; }),
                      what + ", every second negative", 1, 32);
      expectBitsOfCpu(signedValues(n, value, [](size_t i) { return i / warpTile<T> % 2 == 1; }),
                      what + ", every second tile negative", 1, 32);
    }
}

// The same where many warps and blocks are at their bounds together, and what they hand on cancels
// down to the last bits: a term of 2^63 that wraps shows in every one of them.
TYPED_TEST(ExactBounds, HoldForManyWarpsAndBlocks) {
  NEEDS_DEVICE();
  using T = TypeParam;
  const T top = std::numeric_limits<T>::max();
  const size_t tiles = onGpu ? 64 * 64 : 8 * tilesOfTwoTurns;
  for (const double brim : brims<T>()) {
    for (const T value : {inWindow<T>(brim, windows<T>()[1]), top}) {
      std::vector<T> values(tiles * warpTile<T> + 7, value);
      for (const auto& [grid, block] : {std::pair(1u, 256u), {3u, 64u}, {8u, 32u}})
        expectBitsOfCpu(values, fmt::format("{}", value), grid, block, grid % 3);
      if (!onGpu) break;
    }
  }
}

// Half of the array takes away what the other gave: only a subnormal stays.
TYPED_TEST(ExactBounds, LeaveTheSmallestNumberOfTheLargest) {
  NEEDS_DEVICE();
  using T = TypeParam;
  const T top = std::numeric_limits<T>::max(), tiny = std::numeric_limits<T>::denorm_min();
  const size_t half = tilesOfTwoTurns * warpTile<T>;
  std::vector<T> values = signedValues(2 * half, top, [&](size_t i) { return i >= half; });
  values.push_back(tiny);
  EXPECT_EQ(sumOnDevice(values, 0, 1, 32), tiny);
  EXPECT_EQ(sumOnDevice(values, 3, 5, 64), tiny);
  for (size_t i = 0; i < half; ++i) values[i] = -values[i];
  EXPECT_EQ(sumOnCpu(values), -T(INFINITY));
  EXPECT_EQ(sumOnDevice(values, 0, 2, 96), -T(INFINITY));
}

// A window for every 24 or 40 exponents: as many passes, and terms of a limb, as a tile can make.
TYPED_TEST(ExactBounds, HoldForTilesOfEveryWindow) {
  NEEDS_DEVICE();
  using T = TypeParam;
  constexpr int fields = int(FormatOf<T>::largestField) - 10;  // the sum is finite
  std::vector<T> values(4 * warpTile<T> + 9);
  const T ulp = std::numeric_limits<T>::epsilon();
  for (const bool bothSigns : {false, true}) {
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = inWindow<T>(2 - ulp, int(i * 3 % fields));
      if (bothSigns && i % 5 < 2) values[i] = -values[i];
    }
    EXPECT_TRUE(isNearest(sumOnCpu(values), values));
    expectBitsOfCpu(values, "all exponents", 1, 32);
    expectBitsOfCpu(values, "all exponents", 2, 64, 1);
  }
}

// What all blocks have handed on may be as much as mostTerms of the largest terms, of either sign.
TYPED_TEST(ExactBounds, LeaveRoomInTheNumberOfAllBlocks) {
  NEEDS_DEVICE();
  using T = TypeParam;
  using Wide = WideNumber<T>;
  const std::vector<T> values = elements<T>(Kind::bothSigns, 3, 5000);
  DeviceArray<T> data(values.size(), "input"), total(1, "total");
  data.copyFromHost(values.data());
  DeviceArray<Wide> ofAllBlocks(1, "the sum so far");
  DeviceArray<unsigned> blocksDone(1, "blocksDone");
  for (const bool negative : {false, true}) {
    Wide full = {};
    for (unsigned k = 0; k + 4 < Wide::limbCount; ++k)
      full.limbs[k] = (mostTerms - 100) * (negative ? 0 - (3ull << 31) : 3ull << 31);
    Wide expected = full;
    for (const T value : values) addElement(expected, value);
    const unsigned none = 0;
    ofAllBlocks.copyFromHost(&full);
    blocksDone.copyFromHost(&none);
    launch(dim3(3), dim3(64), ExactKernels<T>::sum(), static_cast<const T*>(data.data()),
           values.size(), ofAllBlocks.data(), blocksDone.data(), total.data());
    T sum{};
    total.copyToHost(&sum, 1);
    EXPECT_EQ(bitsOf(sum), bitsOf(rounded(expected))) << (negative ? "negative" : "positive");
    EXPECT_TRUE(std::isfinite(sum));
  }
}

// mostTerms of one term are that term, 30 bits further up.
TEST(WideNumber, HoldsTheMostTermsThatItTakes) {
  for (const int64_t value : {INT64_MAX, -INT64_MAX, INT64_MIN, INT64_C(0xffffffff), INT64_C(-1)})
    for (unsigned bit = 64; bit < 96; ++bit) {
      WideNumber<float> terms = {}, shifted = {};
      const auto add = [value](WideNumber<float>& number, unsigned at, uint64_t times) {
        const LimbTerms term = limbTerms(value, at);
        for (const uint64_t limb : {term.low, term.middle, term.high})
          EXPECT_LT(std::abs(double((long long)limb)), 3 * 0x1p31);
        number.limbs[at / 32] += times * term.low;
        number.limbs[at / 32 + 1] += times * term.middle;
        number.limbs[at / 32 + 2] += times * term.high;
        carry(number);
      };
      add(terms, bit, mostTerms);
      add(shifted, bit + 30, 1);
      for (unsigned k = 0; k < terms.limbCount; ++k)
        EXPECT_EQ(terms.limbs[k], shifted.limbs[k]) << value << " * 2^" << bit << ", limb " << k;
    }
}

TYPED_TEST(ExactBounds, RefuseAnArrayThatIsTooLong) {
  NEEDS_DEVICE();
  using T = TypeParam;
  ExactSum<T> sum;
  const size_t most = (size_t(1) << 39) / sizeof(T);
  EXPECT_EQ(refusalOf([&] { sum(nullptr, most + 1, nullptr); }),
            fmt::format("exactSum: {} elements, but its integers hold {}", most + 1, most));
  EXPECT_NE(refusalOf([&] { sum.number(nullptr, most + 1, nullptr); }), "");
}

#ifndef GPU_BACKEND

TYPED_TEST(ExactBounds, HoldUnderManySchedules) {
  using T = TypeParam;
  const T value = inWindow<T>(brims<T>()[1], windows<T>()[1]);
  const std::vector<T> values(2 * tilesOfTwoTurns * warpTile<T>, value);
  const auto bits = bitsOf(sumOnCpu(values));
  for (uint64_t seed = 0; seed <= 8; ++seed) {
    const WithSchedule schedule(
        seed == 0 ? simt::Schedule::Order::reverse : simt::Schedule::Order::random, seed);
    EXPECT_EQ(bitsOf(sumOnDevice(values, 1, 1 + seed % 3, 64)), bits) << "seed " << seed;
  }
}

#ifdef __SSE2__
// As code does that -ffast-math has linked, or nvcc's --ftz=true compiled for float.
TYPED_TEST(ExactBounds, RefuseArithmeticWithoutSubnormals) {
  const unsigned asItWas = _mm_getcsr();
  _mm_setcsr(asItWas | 0x8040);  // results and operands
  const std::string refusal = refusalOf([] { ExactSum<TypeParam>(); });
  _mm_setcsr(asItWas);
  EXPECT_TRUE(contains(refusal, "subnormal numbers count as 0 here")) << refusal;
}
#endif

#endif
