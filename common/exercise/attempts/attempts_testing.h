// Attempts at an exercise that its grader refuses: for their results, or for a goal.
#pragma once

#include <iostream>

#include "base/text.h"
#include "exercise/grader.h"
#include "program/run.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

// The first mistake that --exercise finds has this in it.
template <typename T>
void expectWrong(const Exercise<T>& attempt, const std::string& mistake) {
  const Trial trial{.seed = 1, .executor = executorSettings(Options{})};
  const std::string found = firstMistake(attempt, extentsOf(attempt), trial);
  EXPECT_TRUE(contains(found, mistake)) << (found.empty() ? "accepted" : found);
}

// Only where indices need more than 32 bits.
template <typename T>
void expectWrongWhereLarge(const Exercise<T>& attempt) {
  const std::string found = firstMistake(attempt, {}, {.seed = 1});
  EXPECT_TRUE(contains(found, "does not fit in 32 bits")) << (found.empty() ? "accepted" : found);
}

// The results are right, and this goal is missed.
template <typename T>
void expectMissed(const Exercise<T>& attempt, const std::string& goal) {
  const Captured out(std::cout);
  const size_t met = gradeGoals(attempt);
  EXPECT_LT(met, attempt.goals.size());
  bool missed = false;
  for (const std::string& line : split(out.text(), "\n"))
    missed = missed || (line.starts_with(goal) && contains(line, ": not yet"));
  EXPECT_TRUE(missed) << out.text();
}

// Right, and all goals are met: full marks.
template <typename T>
void expectFullMarks(const Exercise<T>& attempt) {
  const Trial trial{.seed = 1, .executor = executorSettings(Options{})};
  EXPECT_EQ(firstMistake(attempt, thinned(extentsOf(attempt)), trial), "");
  const Captured out(std::cout);
  EXPECT_EQ(gradeGoals(attempt), attempt.goals.size()) << out.text();
}

// The goals cannot be counted, and this is why.
template <typename T>
void expectHidden(const Exercise<T>& attempt, const std::string& why) {
  try {
    gradeGoals(attempt);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, exitWrong);
    EXPECT_TRUE(contains(error.what(), why)) << error.what();
  }
}
