// The program of a lesson on sums: runs its steps side by side and reports what they took.
#pragma once

#include "measure/step.h"
#include "program/options.h"

// --explore; see explore_page.h.
using ExploreSteps = int (*)(const Options&, const std::vector<Step>&, const std::string& program);

struct Lesson {
  std::string program;
  std::vector<Step> steps;
  std::vector<Mode> modes = {};
  bool perBlock = true;  // counts are shown per block, too
  void (*afterwards)(const Report&,
                     const Options&) = nullptr;  // has the report before the last line is printed
  ExploreSteps explore = nullptr;                // where --explore is offered
};

// The body of main(): reads the command line; runs every step that this device can run, prints the
// table and writes the result file, or does what a mode does. Returns the exit code.
int runLesson(int argc, char** argv, const Lesson& lesson);
