// What was measured, counted and profiled, as the recipes of a page name it.
#pragma once

#include <map>
#include <string>

#include "report/profile.h"
#include "report/report.h"
#include "weave/recipes.h"
#include "weave/repository.h"

// Reads each file once. Functions throw Error (exitUsage) for what is not there.
class Records {
 public:
  // Both have to live as long as the object does.
  Records(const Repository& repository, const Recipes& recipes)
      : repository_(repository), recipes_(recipes) {}

  const Report& report(const std::string& name);

  // The step of this name; where several have it, which1 and which2 are its n or its cache state.
  const StepResult& step(const std::string& name, const std::string& step,
                         const std::string& which1 = "", const std::string& which2 = "");
  // The same, with times.
  const StepResult& timedStep(const std::string& name, const std::string& step,
                              const std::string& which1 = "", const std::string& which2 = "");

  // What the profiler counted for a kernel: a metric by its short name, the name or title of the
  // counter that counts the same, or its own name. An empty block is a profile without blocks.
  const ProfileRow& profiled(const std::string& name, const std::string& kernel,
                             const std::string& metric, const std::string& block);

 private:
  const Repository& repository_;
  const Recipes& recipes_;
  std::map<std::string, Report> reports_;
  std::map<std::string, Profile> profiles_;
};

// A counter by its name in result files or its title; null for another name.
const simt::CounterInfo* counterNamed(const std::string& name);

// Of one step: a counter's total, or active_lanes, their average per request.
double countOf(const StepResult& step, const std::string& counter);
