// Sums that several GPUs share: of the program's parts, on either backend.
#include <algorithm>
#include <cstring>

#include "mode.h"

#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

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

// The totals of all chunks: a sum of theirs may be rounded to the same bits by chance.
template <typename Operator, typename T>
std::vector<typename Operator::Value> totalsOn(unsigned gpus, const RepeatedInput<T>& input,
                                               size_t n) {
  Machine machine = selectDevice(0, "test");
  Ranks alone;
  Cards cards(gpus, machine, "test", alone);
  AllReduce allReduce(cards, gpus);
  SumOnCards<Operator, T> sum(cards, allReduce, input, n);
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

}  // namespace

TEST(SeveralGpus, SumAnyLength) {
  NEEDS_DEVICE();
  for (const size_t n : {0, 1, 33, 7681, 30011}) expectSameBits<Sum<long long>, int>(n);
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
  NEEDS_COUNTERS();
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
