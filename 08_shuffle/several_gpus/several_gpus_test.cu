// Sums that several GPUs share: of the program's parts, on either backend.
#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include "../floating_point/exact_sum_testing.h"
#include "mode.h"

#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"
#include "test_support/sanitizer.h"

namespace {

// As many cards as the tests can have: on the executor as many as they like.
unsigned cardsHere() {
#ifdef GPU_BACKEND
  int count = 0;
  CUDA_CHECK(cudaGetDeviceCount(&count));
  return std::min(4, count);
#else
  return 4;
#endif
}

// So many cards and what connects them, for all tests: setting NCCL up takes a second.
struct Together {
  explicit Together(unsigned gpus)
      : machine(selectDevice(0, "test")),
        cards(gpus, machine, "test", alone),
        allReduce(cards, gpus) {}
  Machine machine;
  Ranks alone;
  Cards cards;
  AllReduce allReduce;
};

Together& together(unsigned gpus) {
  static std::map<unsigned, Together> all;
  return all.try_emplace(gpus, gpus).first->second;
}

// The totals of all chunks: a sum of theirs may be rounded to the same bits by chance.
template <typename Operator, typename T>
std::vector<typename Operator::Value> totalsOn(unsigned gpus, const RepeatedInput<T>& input,
                                               size_t n) {
  SumOnCards<Operator, T> sum(together(gpus).cards, together(gpus).allReduce, input, n);
  sum.poison();
  sum.run();
  EXPECT_TRUE(agrees<Operator>(sum.total(), expectedOf<Operator>(input, n), n))
      << sum.total() << " on " << gpus << " GPUs, n " << n;
  return sum.totals();
}

template <typename Operator, typename T>
void expectSameBits(size_t n) {
  const RepeatedInput<T> input = inputFor<T>(n, 7);
  const auto one = totalsOn<Operator>(1, input, n);
  for (unsigned gpus = 2; gpus <= cardsHere(); ++gpus) {
    const auto totals = totalsOn<Operator>(gpus, input, n);
    EXPECT_EQ(std::memcmp(totals.data(), one.data(), one.size() * sizeof one[0]), 0)
        << gpus << " GPUs, n " << n;
  }
}

// The exact sum of these values, shared by so many GPUs.
template <typename T>
T exactSumOn(unsigned gpus, const std::vector<T>& values) {
  const RepeatedInput<T> input(values.size(), [&](size_t i) { return values[i]; });
  ExactSumOnCards<T> sum(together(gpus).cards, together(gpus).allReduce, input, values.size());
  T first{};
  for (int run = 0; run < 2; ++run) {  // each has to leave its memory as it found it
    sum.poison();
    sum.run();
    if (run == 0) first = sum.total();
  }
  const T second = sum.total();
  EXPECT_EQ(std::memcmp(&first, &second, sizeof first), 0) << first << ", then " << second;
  return first;
}

template <typename T>
void expectExact(const std::vector<T>& values, const std::string& what) {
  const T expected = exactSumOnCpu(values.data(), values.size());
  for (unsigned gpus = 1; gpus <= cardsHere(); ++gpus) {
    const T sum = exactSumOn(gpus, values);
    EXPECT_EQ(std::memcmp(&sum, &expected, sizeof sum), 0)
        << what << ": " << sum << " on " << gpus << " GPUs, " << expected << " on the CPU";
  }
}

}  // namespace

template <typename T>
class ExactOnGpus : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(ExactOnGpus, FloatTypes);

TYPED_TEST(ExactOnGpus, HasTheBitsOfTheCpuForAnyLength) {
  NEEDS_DEVICE();
  using T = TypeParam;
  for (const Kind kind : kinds)
    for (const size_t n : thinned<size_t>({1, 33, 997, 4001})) {
      const std::vector<T> values = elements<T>(kind, n, n);
      expectExact(values, fmt::format("kind {}, n {}", int(kind), n));
      if (n > 33) continue;
      EXPECT_TRUE(isNearest(exactSumOn(cardsHere(), values), values)) << int(kind) << ", " << n;
    }
}

// What goes to which GPU, and what each of them has to round off if it did, changes with the order.
TYPED_TEST(ExactOnGpus, HasTheSameBitsInAnyOrder) {
  NEEDS_DEVICE();
  using T = TypeParam;
  std::mt19937_64 random(1);
  for (const Kind kind : {Kind::wide, Kind::cancelling, Kind::anyBits}) {
    std::vector<T> values = elements<T>(kind, 9, 8003);
    const T expected = exactSumOnCpu(values.data(), values.size());
    for (unsigned order = 0; order < thinned(12); ++order) {
      std::shuffle(values.begin(), values.end(), random);
      const T sum = exactSumOn(1 + order % cardsHere(), values);
      EXPECT_EQ(std::memcmp(&sum, &expected, sizeof sum), 0) << int(kind) << ", order " << order;
    }
  }
}

// The two large ones are in the first and the last slice: each GPU's sum alone would round off the
// small one, or be infinite.
TYPED_TEST(ExactOnGpus, KeepsWhatCancelsBetweenGpus) {
  NEEDS_DEVICE();
  using T = TypeParam;
  constexpr T largest = std::numeric_limits<T>::max(), tiny = std::numeric_limits<T>::denorm_min();
  for (const T large : {T(0x1p100), largest}) {
    std::vector<T> values(9001, 0);
    values[0] = values[1] = values[2] = large;
    values[8998] = values[8999] = values[9000] = -large;
    values[4500] = tiny;
    for (unsigned gpus = 1; gpus <= cardsHere(); ++gpus)
      EXPECT_EQ(exactSumOn(gpus, values), tiny) << gpus;
    values[8998] = 0;
    for (unsigned gpus = 1; gpus <= cardsHere(); ++gpus)
      EXPECT_EQ(exactSumOn(gpus, values), large) << gpus;
  }
  std::vector<T> values(9001, T(-0.0));
  expectExact(values, "negative zeros");
  values[8000] = values[1000] = largest;
  expectExact(values, "too large only together");
}

TYPED_TEST(ExactOnGpus, TellsOfInfinitiesAndNaNsOfAnySlice) {
  NEEDS_DEVICE();
  using T = TypeParam;
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  for (const size_t place : {0, 3000})
    for (const T special : {infinity, -infinity, nan}) {
      std::vector<T> values = elements<T>(Kind::wide, 2, 3001);
      values[place] = special;
      expectExact(values, fmt::format("{} at {}", special, place));
      values[3000 - place] = -infinity;  // on another GPU
      expectExact(values, fmt::format("{} at {}, and another", special, place));
    }
}

// Of a repeated input the reference takes each value as often as it comes, but only once.
TYPED_TEST(ExactOnGpus, IsComparedWithTheSumOfARepeatedInput) {
  using T = TypeParam;
  for (const Kind kind : kinds) {
    WideNumber<T> together = {}, oneByOne = {};
    for (const T value : elements<T>(kind, 3, 100)) {
      addElement(together, value, 512);
      for (unsigned i = 0; i < 512; ++i) addElement(oneByOne, value);
    }
    EXPECT_EQ(rounded(together), rounded(oneByOne)) << int(kind);
  }
}

TEST(SeveralGpus, SumAnyLength) {
  NEEDS_DEVICE();
  for (const size_t n : thinned<size_t>({0, 1, 33, 7681, 30011}))
    expectSameBits<Sum<long long>, int>(n);
}

// With several tiles for each chunk: there is an order to change.
TEST(SeveralGpus, FloatingPointSumsHaveTheSameBitsOnAnyNumber) {
  NEEDS_DEVICE();
  for (const size_t n : {1000, 700001}) {
    expectSameBits<Sum<float>, float>(n);
    expectSameBits<Sum<double>, double>(n);
  }
}

TEST(SeveralGpus, FindMinimaAndMaximaOfEveryType) {
  NEEDS_DEVICE();
  expectSameBits<Minimum<int>, int>(5003);
  expectSameBits<Maximum<int>, int>(5003);
  expectSameBits<Minimum<long long>, long long>(5003);
  expectSameBits<Maximum<long long>, long long>(5003);
  expectSameBits<Minimum<float>, float>(5003);
  expectSameBits<Maximum<float>, float>(5003);
  expectSameBits<Minimum<double>, double>(5003);
  expectSameBits<Maximum<double>, double>(5003);
  expectSameBits<Sum<long long>, long long>(5003);
}

TEST(SeveralGpus, RefuseACheckThatFindsAnotherSum) {
  const RepeatedInput<float> input = inputFor<float>(1000, 7);
  const auto expected = expectedOf<Sum<float>>(input, 1000);
  EXPECT_TRUE(agrees<Sum<float>>(float(expected.first), expected, 1000));
  EXPECT_FALSE(agrees<Sum<float>>(float(expected.first) + 0.1f, expected, 1000));
}

#ifndef GPU_BACKEND

// A chunk takes the same loads whoever makes it, and only what each GPU writes of the others'
// places is added.
TEST(SeveralGpus, LoadWhatOneGpuLoads) {
  const RepeatedInput<int> input = inputFor<int>(30011, 7);
  simt::takeCounters();
  totalsOn<Sum<long long>>(1, input, 30011);
  const Counters one = simt::takeCounters();
  for (unsigned gpus = 2; gpus <= 4; ++gpus) {
    totalsOn<Sum<long long>>(gpus, input, 30011);
    const Counters shared = simt::takeCounters();
    EXPECT_EQ(shared.load_requests, one.load_requests) << gpus;
    EXPECT_EQ(shared.load_sectors, one.load_sectors) << gpus;
    EXPECT_EQ(shared.store_requests, one.store_requests + (gpus - 1) * chunkCount) << gpus;
  }
}

#endif

#ifdef GPU_BACKEND

// As when its process dies: what NCCL has launched on the other GPU would wait for ever.
TEST(SeveralGpusDeathTest, EndTheProgramWhenOneDoesNotComeToTheExchange) {
  NEEDS_DEVICE();
  if (cardsHere() < 2) GTEST_SKIP() << "one GPU has nothing to exchange";
  if (underSanitizer()) GTEST_SKIP() << "compute-sanitizer does not let the process end";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Machine machine = selectDevice(0, "test");
        Ranks alone;
        Cards cards(2, machine, "08_shuffle", alone);
        AllReduce allReduce(cards, 2);
        DeviceArray<long long> values(2, "values");
        cards.run(
            2,
            [&](unsigned card) {
              if (card == 0)
                allReduce.join(card, values.data(), values.data() + 1, 1, Combination::sum);
            },
            {}, "the sum", 3);
      },
      testing::ExitedWithCode(exitWrong),
      "08_shuffle: the sum took longer than 3 s: GPU 0 of 2 did not come back\n$");
}

TEST(SeveralGpus, RefuseMoreThanThereAre) {
  NEEDS_DEVICE();
  Machine machine = selectDevice(0, "test");
  Ranks alone;
  EXPECT_TRUE(contains(refusalOf([&] { Cards(64, machine, "test", alone); }),
                       "--gpus 64: this machine has "));
}

#endif
