// What only a GPU can run: the library's examples, bulk copies, and more than 2^31 elements.
#include <algorithm>

#include "bulk_copy_sum.h"
#include "modes/segments.h"
#include "test_support/kernel_testing.h"
#include "whole_sum.h"

// In library.cuh.
long long librarySumOf(const int* data, int n);
int libraryMaximumOf(const int* data, int n);

TEST(Library, SumsAndFindsTheMaximum) {
  NEEDS_DEVICE();
  for (const size_t n : {1, 31, 4097, 1000003}) {
    const Input input = makeInput(n, 7);
    DeviceArray<int> data(n, "input");
    data.copyFromHost(input.values.get());
    EXPECT_EQ(librarySumOf(data.data(), int(n)), input.sum);
    EXPECT_EQ(libraryMaximumOf(data.data(), int(n)),
              *std::max_element(input.values.get(), input.values.get() + n));
  }
}

TEST(Library, SumsInEveryWayThatItHas) {
  NEEDS_DEVICE();
  DeviceArray<long long> total(1, "total");
  for (const Step& step : librarySums())
    for (const size_t n : {0, 1, 4097, 1000003}) {
      const Input input = makeInput(n, 7);
      DeviceArray<int> data(n, "input");
      data.copyFromHost(input.values.get());
      total.poison();
      long long result = -1;
      copyToHost(&result, step.wholeSum(data.data(), n, total.data()), 1);
      EXPECT_EQ(step.total32 ? int(result) : result, input.sum) << step.name << ", n " << n;
    }
}

TEST(Library, WarpReduceSumsSegments) {
  NEEDS_DEVICE();
  DeviceStopwatch stopwatch = testStopwatch();
  const std::vector<SegmentStep> steps = {{"cub::WarpReduce", "", segmentsCub, 256},
                                          {"cub::WarpReduce", "", segmentsCub, 1024}};
  for (const size_t n : testLengths)
    for (const StepResult& step : runSegments(stopwatch, {.samples = 1}, steps, n, 7))
      EXPECT_TRUE(step.ok) << step.fault;
}

TEST(BulkCopy, IsRightForAnyLengthAndAlignment) {
  NEEDS_DEVICE();
  if (!bulkCopyWorks()) GTEST_SKIP() << "needs compute capability 9.0, and to be compiled for it";
  for (const size_t n : {0, 1, 5, 8191, 8192, 8193, 16385, 24575, 24576, 24577, 24580, 100003,
                         underSanitizer() ? 200017 : 4000037}) {
    const Input input = makeInput(n, 7);
    for (size_t offset = 0; offset < 4; ++offset) {
      std::vector<int> padded(offset, 77);
      padded.insert(padded.end(), input.values.get(), input.values.get() + n);
      DeviceArray<int> data(n + offset, "input");
      data.copyFromHost(padded.data());
      for (int call = 0; call < 3; ++call) {
        long long result = -1;
        copyToHost(&result, bulkCopySum(data.data() + offset, n, nullptr), 1);
        EXPECT_EQ(result, input.sum) << "n " << n << ", offset " << offset << ", call " << call;
      }
    }
  }
}

TEST(SinglePass, SumsMoreThan2To31Elements) {
  NEEDS_DEVICE();
  if (sanitizerTool() == "racecheck") GTEST_SKIP() << "takes minutes under racecheck";
  const size_t n = (size_t(1) << 31) + 4099;
  size_t freeBytes = 0, total = 0;
  CUDA_CHECK(cudaMemGetInfo(&freeBytes, &total));
  if (freeBytes < (n + 1) * sizeof(int) + (size_t(1) << 28))
    GTEST_SKIP() << "needs 8.3 GiB of GPU memory";
  DeviceArray<int> data(n + 1, "input");
  CUDA_CHECK(cudaMemset(data.data(), 1, (n + 1) * sizeof(int)));  // every element 0x01010101
  DeviceArray<long long> place(1, "total");
  for (const auto sum : {singlePassSum, atomicPerBlockSum}) {
    long long result = -1;
    copyToHost(&result, sum(data.data() + 1, n, place.data()), 1);
    EXPECT_EQ(result, int64_t(n) * 0x01010101);
  }
  if (bulkCopyWorks()) {
    long long result = -1;
    copyToHost(&result, bulkCopySum(data.data() + 1, n, nullptr), 1);
    EXPECT_EQ(result, int64_t(n) * 0x01010101);
  }
}
