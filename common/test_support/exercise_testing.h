// What the tests of the lessons' exercises share.
#pragma once

#include "exercise/grader.h"
#include "test_support/kernel_testing.h"

template <typename T>
void expectExerciseRight(const Exercise<T>& exercise) {
  EXPECT_EQ(firstMistake(exercise, extentsOf(exercise), {.seed = 7}), "");
}

#ifndef GPU_BACKEND

// How many goals the kernel meets, by what --exercise prints.
template <typename T>
size_t goalsMet(const Exercise<T>& exercise) {
  testing::internal::CaptureStdout();
  const size_t met = gradeGoals(exercise);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(met == exercise.goals.size(), text.find("not yet") == std::string::npos) << text;
  return met;
}

// Of exercise.cuh as it comes. Who has solved the exercise can leave this test out.
template <typename T>
void expectWorkLeft(const Exercise<T>& exercise) {
  EXPECT_LT(goalsMet(exercise), exercise.goals.size()) << "exercise.cuh has been solved";
}

template <typename T>
void expectAllMet(const Exercise<T>& exercise) {
  EXPECT_EQ(goalsMet(exercise), exercise.goals.size());
}

#endif
