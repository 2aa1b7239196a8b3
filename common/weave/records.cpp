#include "weave/records.h"

#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/counts.h"
#include "base/errors.h"
#include "report/result_file.h"

const Report& Records::report(const std::string& name) {
  const auto path = recipes_.results.find(name);
  if (path == recipes_.results.end()) refuse("'" + name + "' is no result of this page");
  return reportAt(path->second);
}

const Report& Records::reportAt(const std::string& path) {
  asked_.insert(path);
  if (const auto known = reports_.find(path); known != reports_.end()) return known->second;
  contentsOf(repository_, path);  // or it is refused
  return reports_[path] = readResult(repository_.root + "/" + path);
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
  asked_.insert(recipes_.profiles.at(name));
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

const std::string& Records::pathOfEstimates(const std::string& name) const {
  const auto path = recipes_.estimates.find(name);
  if (path == recipes_.estimates.end()) refuse("'" + name + "' are no estimates of this page");
  return path->second;
}

const std::vector<RecordedEstimate>& Records::estimates(const std::string& name) {
  const std::string& path = pathOfEstimates(name);
  asked_.insert(path);
  if (const auto known = estimates_.find(path); known != estimates_.end()) return known->second;
  contentsOf(repository_, path);
  return estimates_[path] = readEstimates(repository_.root + "/" + path);
}

const RecordedEstimate& Records::estimate(const std::string& name, const std::string& group,
                                          const std::string& step, const std::string& where) {
  const RecordedEstimate* found = nullptr;
  const std::string what = "'" + step + "' of '" + group + "' in " + name;
  for (const RecordedEstimate& e : estimates(name)) {
    if (e.group != group || e.step != step || (!where.empty() && e.where != where)) continue;
    if (found) refuse("there are several estimates of " + what);
    found = &e;
  }
  if (!found)
    refuse("there is no estimate of " + what + (where.empty() ? "" : ", '" + where + "'"));
  return *found;
}

const RecordedEstimate* Records::estimateOf(const std::string& name, const std::string& result,
                                            const StepResult& step) {
  const Report& report = this->report(result);
  const std::string& path = recipes_.results.at(result);
  for (const RecordedEstimate& e : estimates(name))
    if (e.record == path.substr(path.rfind('/') + 1) && e.step == step.name &&
        (e.n == 0 || e.n == report.elements(step)))
      return &e;
  return nullptr;
}

std::vector<double> Records::estimateErrors(const std::string& name, const std::string& group,
                                            const std::string& where) {
  const std::string& path = pathOfEstimates(name);
  std::vector<double> errors;
  for (const RecordedEstimate& e : estimates(name)) {
    if (e.group != group || (!where.empty() && e.where != where) || !e.record.ends_with(".json"))
      continue;
    const double measured = measuredMs(e, reportAt(path.substr(0, path.rfind('/') + 1) + e.record));
    if (measured > 0) errors.push_back(100 * std::abs(e.ms / measured - 1));
  }
  if (errors.empty())
    refuse("nothing of '" + group + "' in " + name + (where.empty() ? "" : ", '" + where + "',") +
           " was measured");
  return errors;
}

double Records::cardValue(const std::string& card, const std::string& value) {
  const std::string path = "common/cards/" + card + ".json";
  asked_.insert(path);
  const auto all = nlohmann::json::parse(contentsOf(repository_, path), nullptr, false);
  const std::string missing = "there is no value '" + value + "' in " + path;
  if (value.find_first_of("/~") != std::string::npos) refuse(missing);
  const auto place = nlohmann::json::json_pointer("/parameters/" + value + "/value");
  if (!all.contains(place) || !all[place].is_number()) refuse(missing);
  return all[place];
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
