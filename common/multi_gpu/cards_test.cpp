// Slices, and the GPUs that the executor imagines.
#include "multi_gpu/cards.h"

#include <gtest/gtest.h>

#include "multi_gpu/all_reduce.h"
#include "multi_gpu/repeated_input.h"
#include "multi_gpu/scaling.h"
#include "multi_gpu/slices.h"
#include "test_support/host_testing.h"

namespace {

const std::vector<size_t> lengths = {0,    1,    31,      32,         33,         7679,
                                     7680, 7681, 1000003, 1ull << 32, 12345678901};

}  // namespace

TEST(Slices, CoverTheArrayWithoutOverlap) {
  for (const size_t n : lengths)
    for (unsigned gpus = 1; gpus <= 64; ++gpus) {
      size_t next = 0;
      unsigned chunk = 0;
      for (unsigned gpu = 0; gpu < gpus; ++gpu) {
        const Slice slice = sliceOf(n, gpu, gpus);
        EXPECT_EQ(slice.begin, next);
        EXPECT_EQ(slice.firstChunk, chunk);
        next += slice.count;
        chunk += slice.chunks;
      }
      EXPECT_EQ(next, n);
      EXPECT_EQ(chunk, chunkCount);
    }
}

TEST(Slices, BeginAtWholeLines) {
  for (const size_t n : lengths)
    for (unsigned chunk = 0; chunk < chunkCount; ++chunk) {
      const size_t begin = chunkBegin(n, chunk);
      EXPECT_TRUE(begin == n || begin % 32 == 0) << n << ' ' << chunk;
      EXPECT_LE(chunkBegin(n, chunk + 1) - begin, 32 * (n / 32 / chunkCount + 2));
    }
}

TEST(Slices, AreEqualForAsManyGpusAsTheySay) {
  for (const unsigned gpus : {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16})
    for (unsigned gpu = 0; gpu < gpus; ++gpu)
      EXPECT_EQ(sliceOf(240 * 3200, gpu, gpus).count, 240u * 3200 / gpus);
}

TEST(Cards, AreAsManyAsAskedForOrFour) {
  Machine machine;
  Ranks alone;
  EXPECT_EQ(Cards(3, machine, "test", alone).count(), 3u);
  EXPECT_EQ(Cards(0, machine, "test", alone).count(), 4u);
}

TEST(Cards, BeginWhatUsesTheOthersWhenAllAreThere) {
  Machine machine;
  Ranks alone;
  Cards cards(3, machine, "test", alone);
  std::string order;
  cards.run(
      3, [&](unsigned card) { order += std::to_string(card); },
      [&](unsigned card) { order += "abc"[card]; });
  EXPECT_EQ(order, "012abc");
}

namespace {

CardFacts card(const std::string& host, const std::string& name, int multiprocessors,
               const std::string& id) {
  CardFacts facts;
  host.copy(facts.host, 63);
  name.copy(facts.name, 63);
  id.copy(facts.id, 63);
  facts.multiprocessors = multiprocessors;
  return facts;
}

std::string refusalOfCards(const std::vector<CardFacts>& cards) {
  try {
    checkCards(cards);
  } catch (const Error& error) {
    EXPECT_EQ(error.code, exitUsage);
    return error.what();
  }
  return "";
}

}  // namespace

TEST(Cards, AreRefusedWhereTheyAreNotAlike) {
  const CardFacts h200 = card("a", "H200", 132, "0:1");
  EXPECT_EQ(refusalOfCards({h200}), "");
  EXPECT_EQ(refusalOfCards({h200, card("a", "H200", 132, "0:2"), card("b", "H200", 132, "0:1")}),
            "");
  EXPECT_EQ(refusalOfCards({h200, card("a", "H100", 132, "0:2")}),
            "GPU 0 is an H200 with 132 multiprocessors and GPU 1 an H100 with 132: choose equal "
            "ones with CUDA_VISIBLE_DEVICES");
  EXPECT_EQ(
      refusalOfCards({h200, card("b", "H200", 60, "0:2")}),
      "GPU 0 is an H200 with 132 multiprocessors and GPU 1 on b an H200 with 60: choose equal "
      "ones with CUDA_VISIBLE_DEVICES");
}

TEST(Cards, AreRefusedWhereTwoProcessesWouldShareOne) {
  const CardFacts one = card("a", "H200", 132, "0:1"), other = card("a", "H200", 132, "0:2");
  EXPECT_EQ(refusalOfCards({one, other, one}),
            "processes 0 and 2 would share a GPU of a: start no more processes there than it has "
            "GPUs");
}

TEST(Cards, AreNamedWhereTheyRefuse) {
  EXPECT_EQ(
      refusalOf(1, "CUDA-capable device(s) is/are busy or unavailable"),
      "GPU 1 cannot be used (CUDA-capable device(s) is/are busy or unavailable): leave it out "
      "with CUDA_VISIBLE_DEVICES");
}

// Of the fullest: what is divided among them has to fit there.
TEST(Cards, HaveTheMemoryOfTheFullest) {
  Machine machine;
  machine.freeBytes = 12000;
  Ranks alone;
  Cards(3, machine, "test", alone);
  EXPECT_EQ(machine.freeBytes, 4000u);
}

TEST(AllReduce, GivesEveryCardWhatAllHave) {
  Machine machine;
  Ranks alone;
  Cards cards(3, machine, "test", alone);
  AllReduce allReduce(cards, 3);
  DeviceArray<double> values(6, "values"), combined(6, "combined");
  const double numbers[6] = {1, -2, 30, 4, 500, 6};
  values.copyFromHost(numbers);
  const auto combine = [&](Combination how) {
    cards.run(3, [&](unsigned card) {
      allReduce.join(card, values.data() + 2 * card, combined.data() + 2 * card, 2, how);
    });
    return std::vector<double>(combined.data(), combined.data() + 6);
  };
  EXPECT_EQ(combine(Combination::sum), (std::vector<double>{531, 8, 531, 8, 531, 8}));
  EXPECT_EQ(combine(Combination::minimum), (std::vector<double>{1, -2, 1, -2, 1, -2}));
  EXPECT_EQ(combine(Combination::maximum), (std::vector<double>{500, 6, 500, 6, 500, 6}));
}

TEST(RepeatedInput, FillsAnySliceAndCountsItsValues) {
  const RepeatedInput<int> input(7, [](size_t i) { return int(i); });
  DeviceArray<int> pattern(7, "pattern"), data(20, "data");
  pattern.copyFromHost(input.values().data());
  input.fill(data.data(), 5, 20, pattern);
  for (size_t i = 0; i < 20; ++i) EXPECT_EQ(data.data()[i], int((i + 5) % 7));
  std::vector<size_t> times(7);
  input.visit(16, [&](int value, size_t count) { times[size_t(value)] += count; });
  EXPECT_EQ(times, (std::vector<size_t>{3, 3, 2, 2, 2, 2, 2}));
}

TEST(Scaling, ComparesWithOneGpuAtTheSameLengthAndAtTheSameShare) {
  Report report{.program = "test", .backend = Backend::gpu};
  report.machine.gpus = 2;
  report.machine.peakGbps = 8000;
  const auto add = [&](uint64_t n, unsigned gpus, double ms) {
    StepResult step{
        .lesson = "", .name = "sum on " + gpuCount(gpus), .n = n, .kernelMs = {ms}, .gpus = gpus};
    if (gpus == 2) step.partMs = {{"GPU 0", {0.5}}, {"GPU 1", {0.75}}, {"NCCL", {0.125}}};
    report.steps.push_back(step);
  };
  add(1000000, 1, 1);
  add(2000000, 1, 2);
  add(2000000, 2, 1.25);
  const Captured out(std::cout);
  printScaling(report, {"sum"});
  EXPECT_TRUE(contains(out.text(), "1.250 (1.250–1.250)")) << "ms";
  EXPECT_TRUE(contains(out.text(), "6.4"));    // GB/s: 8 MB in 1.25 ms
  EXPECT_TRUE(contains(out.text(), "1.60×"));  // with 2,000,000 in 2 ms, and 1,000,000 in 1
  EXPECT_TRUE(contains(out.text(), "500.0–750.0"));
  EXPECT_TRUE(contains(out.text(), "125.0"));
}

TEST(Scaling, SaysWhichGpuIsSlow) {
  Report report{.program = "test", .backend = Backend::gpu};
  const auto add = [&](uint64_t n, double first, double second) {
    report.steps.push_back(
        {.lesson = "",
         .name = "sum on 2 GPUs",
         .n = n,
         .gpus = 2,
         .partMs = {{"GPU 0", {first}}, {"GPU 1", {second}}, {"NCCL", {0.001}}}});
  };
  EXPECT_EQ(slowGpuRemark(report), "");
  add(1000, 1, 2);  // launches, more than work
  add(2000, 1, 1.1);
  EXPECT_EQ(slowGpuRemark(report), "");
  add(2000, 1, 1.5);
  EXPECT_EQ(slowGpuRemark(report),
            "GPU 1 took 1.50 times as long as GPU 0 for its part of sum on 2 GPUs: something else "
            "may run on it, or it is slowed down (nvidia-smi -q -d PERFORMANCE).");
  add(3000, 1, 1.1);
  report.steps.back().kernelMs = {1.5, 1.4, 1.6};
  EXPECT_EQ(slowGpuRemark(report), "");
  report.steps.back().kernelMs = {1.5, 2.5, 3};
  EXPECT_EQ(slowGpuRemark(report),
            "sum on 2 GPUs took 2.500 ms, and no GPU was at work for more than 1.100 ms of them: "
            "something else may run on one of them (nvidia-smi).");
}
