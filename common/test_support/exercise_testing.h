// What the tests of the lessons' exercises share: TEST_EXERCISE(Lesson, task of the exercise, task
// of the solution) for what all of them promise.
#pragma once

#include <iostream>

#include "exercise/grader.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

template <typename T>
void expectExerciseRight(const Exercise<T>& exercise) {
  EXPECT_EQ(firstMistake(exercise, thinned(extentsOf(exercise)), {.seed = 7}), "");
}

// A kernel that does everything right, and then loses one result.
template <typename T>
Exercise<T> withOneResultLost(const Exercise<T>& exercise) {
  Exercise<T> wrong = exercise;
  wrong.call = [call = exercise.call, reference = exercise.reference](T* data, T* results,
                                                                      Extent extent) {
    call(data, results, extent);
    const size_t count = reference(std::vector<T>(extent.elements()), extent).size();
    if (count == 0) return;
    const T lost = T(-77);
#ifdef GPU_BACKEND
    CUDA_CHECK(cudaMemcpy(results + count - 1, &lost, sizeof lost, cudaMemcpyHostToDevice));
#else
    results[count - 1] = lost;
#endif
  };
  return wrong;
}

template <typename T>
void expectRefused(const Exercise<T>& wrong) {
  EXPECT_NE(firstMistake(wrong, extentsOf(wrong), {.seed = 7}), "");
  const Captured out(std::cout);
  const Mode mode = exerciseMode(wrong, "the lesson's", wrong.call);
  try {
    mode.run({});
    ADD_FAILURE() << "a wrong kernel was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, exitWrong);
    EXPECT_TRUE(contains(error.what(), "instead of"));
  }
}

#ifndef GPU_BACKEND

// A barrier that not every thread reaches: the sums are right all the same.
template <typename T>
void expectMissedBarrierRefused(const Exercise<T>& wrong) {
  const Captured out(std::cout);
  try {
    exerciseMode(wrong, "the lesson's", wrong.call).run({});
    ADD_FAILURE() << "a barrier inside a branch was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, exitWrong);
    EXPECT_TRUE(contains(error.what(), "never reached it")) << error.what();
  }
}

// How many goals the kernel meets, by what --exercise prints.
template <typename T>
size_t goalsMet(const Exercise<T>& exercise) {
  const Captured out(std::cout);
  const size_t met = gradeGoals(exercise);
  EXPECT_EQ(met == exercise.goals.size(), out.text().find("not yet") == std::string::npos)
      << out.text();
  return met;
}

// Who has solved the exercise is past this test.
template <typename T>
void expectWorkLeft(const Exercise<T>& exercise) {
  if (goalsMet(exercise) == exercise.goals.size()) GTEST_SKIP() << "exercise.cuh has been solved";
}

template <typename T>
void expectAllMet(const Exercise<T>& exercise) {
  EXPECT_EQ(goalsMet(exercise), exercise.goals.size());
}

#define TEST_GOALS(Lesson, exercise, solution)                     \
  TEST(Lesson##Exercise, LeavesWorkAndTheSolutionMeetsEveryGoal) { \
    expectAllMet(solution);                                        \
    expectWorkLeft(exercise);                                      \
  }
#else
#define TEST_GOALS(Lesson, exercise, solution)
#endif

#define TEST_EXERCISE(Lesson, exercise, solution)         \
  TEST(Lesson##Exercise, IsRightAndSoIsTheSolution) {     \
    NEEDS_DEVICE();                                       \
    expectExerciseRight(exercise);                        \
    expectExerciseRight(solution);                        \
  }                                                       \
  TEST(Lesson##Exercise, IsRefusedWhereOneResultIsLost) { \
    NEEDS_DEVICE();                                       \
    expectRefused(withOneResultLost(solution));           \
  }                                                       \
  TEST_GOALS(Lesson, exercise, solution)
