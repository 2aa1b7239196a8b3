// --explore: one small launch, or two side by side, as a page to step through.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure/step.h"
#include "program/options.h"

// What the page shows.
struct Explored {
  std::string title, about;
  std::function<void()> launch;  // may be called more than once
};

// Writes the page. Returns exitWrong when a kernel has a fault, at which the page then opens.
int writeExplorePage(const Options& options, const std::vector<Explored>& launches);

// The same for those steps of a program that --step names, or for the first of its own.
int exploreSteps(const Options& options, const std::vector<Step>& steps,
                 const std::string& program);
