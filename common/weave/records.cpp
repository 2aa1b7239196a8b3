#include "weave/records.h"

#include <cctype>

#include "base/counts.h"
#include "base/errors.h"
#include "report/result_file.h"

const Report& Records::report(const std::string& name) {
  if (const auto known = reports_.find(name); known != reports_.end()) return known->second;
  const auto path = recipes_.results.find(name);
  if (path == recipes_.results.end()) refuse("'" + name + "' is no result of this page");
  contentsOf(repository_, path->second);  // or it is refused
  return reports_[name] = readResult(repository_.root + "/" + path->second);
}

const StepResult& Records::step(const std::string& name, const std::string& step,
                                const std::string& which1, const std::string& which2) {
  const Report& all = report(name);
  const auto fits = [&](const StepResult& s, const std::string& which) {
    if (which.empty()) return true;
    if (std::isdigit(static_cast<unsigned char>(which[0])))
      return all.elements(s) == parseCount("n", which);
    return s.cache == which;
  };
  for (const StepResult& s : all.steps)
    if (s.name == step && fits(s, which1) && fits(s, which2)) return s;
  refuse("there is no step '" + step + "' in " + name);
}

const StepResult& Records::timedStep(const std::string& name, const std::string& step,
                                     const std::string& which1, const std::string& which2) {
  const StepResult& s = this->step(name, step, which1, which2);
  if (s.kernelMs.empty()) refuse("'" + step + "' was not timed in " + name);
  return s;
}

const ProfileRow& Records::profiled(const std::string& name, const std::string& kernel,
                                    const std::string& metric, const std::string& block) {
  if (!profiles_.contains(name)) {
    const auto path = recipes_.profiles.find(name);
    if (path == recipes_.profiles.end()) refuse("'" + name + "' is no profile of this page");
    contentsOf(repository_, path->second);
    profiles_.emplace(name, Profile(repository_.root + "/" + path->second));
  }
  std::string own = metric;
  if (const auto known = recipes_.metrics.find(metric); known != recipes_.metrics.end())
    own = known->second;
  else if (const simt::CounterInfo* const counter = counterNamed(metric))
    own = counter->metric;
  if (own.empty() && !metric.empty()) refuse("the profiler has no like of " + metric);
  const unsigned threads = block.empty() ? 0 : unsigned(parseCount("block", block));
  const ProfileRow* const row = profiles_.at(name).find(kernel, own, threads);
  if (!row)
    refuse("there is no " + (own.empty() ? "figure" : own) + " of " + kernel + " at block '" +
           block + "' in " + name);
  return *row;
}

const simt::CounterInfo* counterNamed(const std::string& name) {
  for (const simt::CounterInfo& counter : simt::counterList)
    if (name == counter.name || name == counter.title) return &counter;
  return nullptr;
}

double countOf(const StepResult& step, const std::string& counter) {
  if (!step.counters) refuse("'" + step.name + "' was not counted");
  if (counter == "active_lanes" || counter == "active lanes") return step.counters->activeLanes();
  const simt::CounterInfo* const known = counterNamed(counter);
  if (!known) refuse("'" + counter + "' is no counter");
  return double((*step.counters).*(known->member));
}
