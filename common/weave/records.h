// What was measured, counted and profiled, as the recipes of a page name it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/profile.h"
#include "report/recorded_estimates.h"
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

  // What the timing model says of a step; an empty where is the only one there is.
  const RecordedEstimate& estimate(const std::string& name, const std::string& group,
                                   const std::string& step, const std::string& where = "");
  // The same of a step of a result, which is the estimate's record; null where there is none.
  const RecordedEstimate* estimateOf(const std::string& name, const std::string& result,
                                     const StepResult& step);
  // How far off the estimates of a group are that were measured, too, in percent and without sign;
  // an empty where is any.
  std::vector<double> estimateErrors(const std::string& name, const std::string& group,
                                     const std::string& where = "");

  // A value of common/cards/CARD.json, in the unit that it has there.
  double cardValue(const std::string& card, const std::string& value);

  // The files that were asked for something since the last call, by their paths from the root.
  std::set<std::string> takeAsked() { return std::exchange(asked_, {}); }

 private:
  const std::vector<RecordedEstimate>& estimates(const std::string& name);
  const std::string& pathOfEstimates(const std::string& name) const;
  const Report& reportAt(const std::string& path);

  const Repository& repository_;
  const Recipes& recipes_;
  std::map<std::string, Report> reports_;  // by their paths from the root
  std::map<std::string, Profile> profiles_;
  std::map<std::string, std::vector<RecordedEstimate>> estimates_;
  std::set<std::string> asked_;
};

// A counter by its name in result files or its title; null for another name.
const simt::CounterInfo* counterNamed(const std::string& name);

// Of one step: a counter's total, or active_lanes, their average per request.
double countOf(const StepResult& step, const std::string& counter);
