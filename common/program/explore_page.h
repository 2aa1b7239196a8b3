// --explore: one small launch, or two side by side, as a page to step through.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/errors.h"
#include "program/lesson.h"

// What the page shows.
struct Explored {
  std::string title, about;
  std::function<void()> launch;  // may be called more than once
  // What is estimated: a launch of usual size, on arrays that it allocates itself, and what to say
  // of it. Or nothing.
  std::function<void()> timed = {};
  std::string timedAbout = {};
  bool longBlocks = false;  // of that launch: fewer of them are looked at
  // What the others are compared with: left out where one of them has a fault, which is shown
  // alone, where it has one itself, and beside one that is the same.
  bool isStart = false;
};

// Writes the page. Returns exitWrong when a kernel has a fault, at which the page then opens.
int writeExplorePage(const Options& options, std::vector<Explored> launches);

// Which of them --step names. Throws Error (exitUsage) where there is none of that name.
template <typename Named>
Named chosenByName(const std::string& name, const std::vector<Named>& all) {
  std::string names;
  for (const Named& one : all) {
    if (one.name == name) return one;
    names += (names.empty() ? "" : "; ") + one.name;
  }
  throw Error(exitUsage, "--step '" + name + "': expected one of: " + names);
}

// The same for those steps of a program that --step names, or for the first of its own. A GPU shows
// nothing of the kind.
#ifdef GPU_BACKEND
inline constexpr ExploreSteps exploreSteps = nullptr;
#else
int exploreSteps(const Options& options, const std::vector<Step>& steps,
                 const std::string& program);
#endif
