// What the lessons' tests share: every length, every block size, every schedule, on either backend.
#pragma once

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "cuda/device.h"
#include "cuda/launch.h"
#include "measure/device_stopwatch.h"
#include "measure/input.h"
#include "measure/workspace.h"
#include "test_support/sanitizer.h"

// Skips the test with a clear message where a gpu test has no GPU.
#define NEEDS_DEVICE() \
  if (!deviceAvailable()) GTEST_SKIP() << "no usable GPU on this machine"

// The executor comes to a million elements in the tests whose name begins with Slow.
inline const size_t largeTestLength =
    thisBackend == Backend::gpu && !underSanitizer() ? 1000003 : 100003;
inline const std::vector<size_t> testLengths =
    thinned<size_t>({0, 1, 2, 31, 32, 33, 511, 512, 513, 997, 4095, 4097, largeTestLength});
inline const std::vector<unsigned> testBlocks = thinned<unsigned>({32, 64, 128, 256, 512, 1024});

// The total a step leaves for this input, or a test failure with the fault it ran into.
inline int64_t totalOf(const Step& step, const Input& input, unsigned block) {
  Workspace workspace(input, block);
#ifdef GPU_BACKEND
  return workspace.totalOf(step);
#else
  try {
    return workspace.totalOf(step);
  } catch (const simt::Fault& fault) {
    ADD_FAILURE() << fault.what();
    return -1;
  }
#endif
}

// Checks the step's sum over all test lengths and block sizes.
inline void expectSumsAnyLength(const Step& step) {
  for (const size_t n : testLengths) {
    const Input input = makeInput(n, 7);
    for (const unsigned block : testBlocks)
      EXPECT_EQ(totalOf(step, input, block), input.sum) << "n " << n << ", block " << block;
  }
}

// A stopwatch that runs kernels as the tests want them.
inline DeviceStopwatch testStopwatch() {
#ifdef GPU_BACKEND
  return {"test", Machine()};
#else
  return {"test", Machine(), simt::settings()};
#endif
}

#ifndef GPU_BACKEND

// Sets the executor's schedule until the end of the scope.
class WithSchedule {
 public:
  WithSchedule(simt::Schedule::Order order, uint64_t seed)
      : settings_(simt::Settings{.schedule = {order, seed}}) {}

 private:
  simt::WithSettings settings_;
};

// Checks the step's sum and the absence of faults under random schedules with these seeds; seed 0
// stands for the reverse schedule.
inline void expectSumsUnderSchedules(const Step& step, const std::vector<size_t>& lengths,
                                     uint64_t firstSeed, uint64_t lastSeed,
                                     const std::vector<unsigned>& blocks = testBlocks) {
  for (const size_t n : lengths) {
    const Input input = makeInput(n, 7);
    for (const unsigned block : blocks) {
      for (uint64_t seed = firstSeed; seed <= lastSeed; ++seed) {
        const WithSchedule schedule(
            seed == 0 ? simt::Schedule::Order::reverse : simt::Schedule::Order::random, seed);
        EXPECT_EQ(totalOf(step, input, block), input.sum)
            << "n " << n << ", block " << block << ", schedule seed " << seed;
      }
    }
  }
}

inline void expectSumsAnySchedule(const Step& step) {
  expectSumsUnderSchedules(step, thinned<size_t>({0, 1, 2, 31, 32, 33, 511, 512, 513, 2500}), 0,
                           thinned(20));
}

// The counters of one full block of this size, averaged over 16 blocks.
inline Counters countersPerBlock(const Step& step, unsigned block) {
  const Input input = makeInput(size_t(block) * step.elementsPerThread * 16, 7);
  Workspace workspace(input, block);
  simt::takeCounters();
  workspace.totalOf(step);
  Counters counters = simt::takeCounters();
  for (const simt::CounterInfo& counter : simt::counterList) counters.*counter.member /= 16;
  return counters;
}

inline Counters countersPerBlock(const std::vector<Step>& steps, const std::string& name,
                                 unsigned block) {
  return countersPerBlock(findStep(steps, name), block);
}

// For tests of estimates, which include estimate/sampled.h.
#define NEEDS_GPU_CODE() \
  if (const std::string lack = estimate::whatEstimatesLack(); !lack.empty()) GTEST_SKIP() << lack

#endif
