// What tries the mutants of a solution, for mutants.sh.
#pragma once

#include "base/format.h"

#include <iostream>
#include <sstream>

#include "base/errors.h"
#include "base/text.h"
#include "exercise/grader.h"
#include "program/run.h"

template <typename T>
struct Mutant {
  std::string change, sameBecause;
  Exercise<T> exercise;
};

// Why it is refused, or nothing.
template <typename T>
std::string refusalOf(const Exercise<T>& exercise) {
  const Trial trial{.seed = 1, .executor = executorSettings(Options{})};
  const std::string mistake = firstMistake(exercise, extentsOf(exercise), trial);
  if (!mistake.empty()) return mistake;
  std::ostringstream goals;
  std::streambuf* const before = std::cout.rdbuf(goals.rdbuf());
  std::string hidden;
  try {
    gradeGoals(exercise);
  } catch (const Error& error) {
    hidden = error.what();
  }
  std::cout.rdbuf(before);
  for (const std::string& line : split(goals.str(), "\n"))
    if (line.find(": not yet") != std::string::npos) return line;
  return hidden;
}

// Prints what became of each. Returns 1 where one survived that is not the same as the solution, or
// one was refused that is.
template <typename T>
int tryMutants(const std::vector<Mutant<T>>& mutants) {
  size_t refused = 0, same = 0, wrong = 0;
  for (const Mutant<T>& mutant : mutants) {
    const std::string refusal = refusalOf(mutant.exercise);
    const bool isSame = !mutant.sameBecause.empty();
    refused += !refusal.empty();
    same += refusal.empty() && isSame;
    wrong += refusal.empty() != isSame;
    const std::string line = split(refusal, "\n").front();
    std::cout << fmt::format("  {}\n      {}\n", mutant.change,
                             refusal.empty() && isSame ? "the same: " + mutant.sameBecause
                             : refusal.empty()         ? "SURVIVED"
                             : isSame                  ? "REFUSED, THOUGH THE SAME: " + line
                                                       : line)
              << std::flush;
  }
  std::cout << fmt::format("  {} mutants: {} refused, {} the same, {} not as they should be\n",
                           mutants.size(), refused, same, wrong);
  return wrong > 0;
}
