#include "exercise_task.h"
#include "steps.h"
#include "test_support/exercise_testing.h"
#include "test_support/step_tests.h"
#include "test_support/wrong_kernels.h"

// In exercise.cuh and solution.cuh, which are compiled by themselves.
__global__ void exercise(int* data, int* sums, size_t n);
extern const BlockSumKernel solvedExercise;

TEST_STEPS(NeighboredLess, neighboredLessSteps());
TEST_EXERCISE(NeighboredLess, exerciseTask(exercise), exerciseTask(solvedExercise))

#ifndef GPU_BACKEND

// Nsight Compute on an H200, block of 512.
TEST(NeighboredLess, MakesTheRequestsThatTheProfilerCounts) {
  const Counters c = countersPerBlock(neighboredLessSteps(), "neighbored less", 512);
  EXPECT_EQ(c.load_requests, 41u);
  EXPECT_EQ(c.load_sectors, 511u);
  EXPECT_EQ(c.store_requests, 21u);
  EXPECT_EQ(c.store_sectors, 256u);
  EXPECT_EQ(c.barriers, 9u);
  EXPECT_EQ(c.divergent_branches, 6u);
}

TEST(NeighboredLess, MakesBankConflictsInSharedMemory) {
  EXPECT_EQ(
      countersPerBlock(neighboredLessSteps(), "neighbored less, shared", 512).shared_load_conflicts,
      150u);
}

// Exercise 7, and what its answer says.
static void expectRaceWithoutBarrier(unsigned block, int element, unsigned one, unsigned other) {
  DeviceArray<int> data(2 * block, "data"), sums(2, "blockSums");
  const std::vector<int> ones(2 * block, 1);
  data.copyFromHost(ones.data());
  try {
    launch(dim3(2), dim3(block), neighboredLessWithoutItsBarrier, data.data(), sums.data(),
           size_t(2 * block));
    ADD_FAILURE() << "no fault";
  } catch (const simt::Fault& fault) {
    EXPECT_EQ(fault.array, "data");
    EXPECT_EQ(fault.index, element);
    ASSERT_EQ(fault.threads.size(), 2u);
    EXPECT_EQ(fault.threads[0].x, one);
    EXPECT_EQ(fault.threads[1].x, other);
  }
}

TEST(NeighboredLess, WithoutItsBarrierThreadsRaceOfTwoWarpsOrOfTheOnlyOneWithWork) {
  expectRaceWithoutBarrier(512, 64, 16, 32);
  expectRaceWithoutBarrier(64, 4, 1, 2);
}

#endif
