#include "weave/figures.h"

#include <cmath>
#include <functional>
#include <numeric>

#include "base/counts.h"
#include "base/text.h"

namespace {

// The arguments of a function, by their place.
class Arguments {
 public:
  Arguments(const Call& call, size_t most) : call_(call) {
    if (call.arguments.size() > most)
      refuse(call.name + " has no use for '" + call.arguments[most] + "'");
  }
  const std::string& operator[](size_t i) const {
    if (i >= call_.arguments.size()) refuse(call_.name + " needs another argument");
    return call_.arguments[i];
  }
  std::string orNothing(size_t i) const {
    return i < call_.arguments.size() ? call_.arguments[i] : "";
  }

 private:
  const Call& call_;
};

// Functions of a step: RESULT; STEP, then n or a cache state where names repeat.
const StepResult& stepOf(Records& records, const Call& call) {
  const Arguments a(call, 4);
  return records.step(a[0], a[1], a.orNothing(2), a.orNothing(3));
}
const StepResult& timedStepOf(Records& records, const Call& call) {
  const Arguments a(call, 4);
  return records.timedStep(a[0], a[1], a.orNothing(2), a.orNothing(3));
}
const Report& reportOf(Records& records, const Call& call) {
  return records.report(Arguments(call, 4)[0]);
}

double answerOf(Records& records, const Call& call) {
  const StepResult& step = stepOf(records, call);
  if (step.answerMs.empty()) refuse("'" + step.name + "' has no answer in " + call.arguments[0]);
  return spreadOf(step.answerMs).median;
}

double peakOf(Records& records, const Call& call) {
  const Report& report = reportOf(records, call);
  if (report.machine.peakGbps == 0) refuse("no peak is known in " + call.arguments[0]);
  const StepResult& step = timedStepOf(records, call);
  return 100 * report.gbps(step) / report.peakGbps(step);
}

// RESULT; STEP; PART; N: the median of what one GPU, or NCCL, took of the whole.
double partOf(Records& records, const Call& call) {
  const Arguments a(call, 4);
  const StepResult& step = records.step(a[0], a[1], a.orNothing(3));
  for (const auto& [part, samples] : step.partMs)
    if (part == a[2]) return spreadOf(samples).median;
  refuse("'" + step.name + "' has no part '" + a[2] + "' in " + a[0]);
}

// RESULT; STEP; OTHER; CACHE: how much longer a step takes than another, over all n, or over those
// from FROM on and below BELOW.
double geometricMeanOf(Records& records, const Call& call) {
  const Arguments a(call, 6);
  const Report& report = records.report(a[0]);
  const std::string from = a.orNothing(4), below = a.orNothing(5);
  const uint64_t least = from.empty() ? 0 : parseCount("geomean", from);
  const uint64_t limit = below.empty() ? UINT64_MAX : parseCount("geomean", below);
  double logs = 0, count = 0;
  for (const StepResult& s : report.steps) {
    if (s.name != a[1] || s.cache != a[3]) continue;
    if (report.elements(s) < least || report.elements(s) >= limit) continue;
    const std::string n = std::to_string(report.elements(s));
    logs += std::log(spreadOf(records.timedStep(a[0], a[1], n, a[3]).kernelMs).median /
                     spreadOf(records.timedStep(a[0], a[2], n, a[3]).kernelMs).median);
    count += 1;
  }
  if (count == 0) refuse("there is no step '" + a[1] + "' in " + a[0]);
  return std::exp(logs / count);
}

// What files say that were written since a card's roof is measured.
double roofOf(const Report& report) {
  if (report.machine.roofGbps == 0) refuse(report.file + " does not say how fast its card reads");
  return report.machine.roofGbps;
}
std::string identityIn(const Report& report) {
  if (report.machine.identity.empty()) refuse(report.file + " does not say which card it is of");
  return report.machine.identity;
}

// ESTIMATES; GROUP, then perhaps WHERE: how far off they are, in percent.
std::vector<double> errorsOf(Records& records, const Call& call) {
  const Arguments a(call, 3);
  return records.estimateErrors(a[0], a[1], a.orNothing(2));
}

double meanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

using NumberOf = std::function<double(Records&, const Call&)>;
const std::map<std::string, NumberOf> numbers = {
    {"ms", [](auto& r, auto& c) { return spreadOf(timedStepOf(r, c).kernelMs).median; }},
    {"min", [](auto& r, auto& c) { return spreadOf(timedStepOf(r, c).kernelMs).min; }},
    {"max", [](auto& r, auto& c) { return spreadOf(timedStepOf(r, c).kernelMs).max; }},
    {"answer", answerOf},
    {"gbps", [](auto& r, auto& c) { return reportOf(r, c).gbps(timedStepOf(r, c)); }},
    {"peak", peakOf},
    {"part", partOf},
    {"gpus", [](auto& r, auto& c) { return double(stepOf(r, c).gpus); }},
    {"blocks", [](auto& r, auto& c) { return double(stepOf(r, c).blocks); }},
    {"n", [](auto& r, auto& c) { return double(reportOf(r, c).elements(stepOf(r, c))); }},
    {"geomean", geometricMeanOf},
    {"estimate",
     [](auto& r, auto& c) {
       const Arguments a(c, 4);
       return r.estimate(a[0], a[1], a[2], a.orNothing(3)).ms;
     }},
    {"estimateInstructions",
     [](auto& r, auto& c) {
       const Arguments a(c, 4);
       return r.estimate(a[0], a[1], a[2], a.orNothing(3)).instructions;
     }},
    {"estimateError", [](auto& r, auto& c) { return meanOf(errorsOf(r, c)); }},
    {"estimateWorst", [](auto& r, auto& c) { return spreadOf(errorsOf(r, c)).max; }},
    {"card",
     [](auto& r, auto& c) {
       const Arguments a(c, 2);
       return r.cardValue(a[0], a[1]);
     }},
    {"samples", [](auto& r, auto& c) { return double(reportOf(r, c).samples); }},
    {"peakgbps", [](auto& r, auto& c) { return reportOf(r, c).machine.peakGbps; }},
    {"roofgbps", [](auto& r, auto& c) { return roofOf(reportOf(r, c)); }},
    {"count",
     [](auto& r, auto& c) {
       const Arguments a(c, 3);
       return countOf(r.step(a[0], a[1]), a[2]);
     }},
    {"prof",
     [](auto& r, auto& c) {
       const Arguments a(c, 4);
       return r.profiled(a[0], a[1], a[2], a.orNothing(3)).value;
     }},
    {"profblocks", [](auto& r, auto& c) {
       const Arguments a(c, 3);
       return r.profiled(a[0], a[1], "", a[2]).blocks;
     }}};

using TextOf = std::function<std::string(Records&, const Call&)>;
const std::map<std::string, TextOf> texts = {
    {"spread", [](auto& r, auto& c) { return timeAndSpread(timedStepOf(r, c).kernelMs); }},
    {"spreadus",
     [](auto& r, auto& c) { return timeAndSpreadInMicroseconds(timedStepOf(r, c).kernelMs); }},
    {"machine", [](auto& r, auto& c) { return reportOf(r, c).machine.name; }},
    {"identity", [](auto& r, auto& c) { return identityIn(reportOf(r, c)); }},
    {"driver", [](auto& r, auto& c) { return reportOf(r, c).machine.driver; }},
    {"cuda", [](auto& r, auto& c) { return reportOf(r, c).machine.cuda; }},
    {"size", [](auto& r, auto& c) { return countName(reportOf(r, c).n); }}};

// Counts how deep named formulas stand in each other, for as long as it lives.
class Deeper {
 public:
  explicit Deeper(int& depth) : depth_(depth) {
    if (++depth_ > 8) {
      --depth_;
      refuse("more than 8 named formulas in each other");
    }
  }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  int& depth_;
};

}  // namespace

std::string substituted(const std::string& text, const std::map<std::string, std::string>& values) {
  std::string filled;
  size_t at = 0;
  for (size_t dollar; (dollar = text.find('$', at)) != std::string::npos;) {
    size_t end = dollar + 1;
    while (end < text.size() && isName("a" + text.substr(end, 1), false)) ++end;
    const auto value = values.find(text.substr(dollar + 1, end - dollar - 1));
    if (value == values.end())
      refuse("nothing is called '" + text.substr(dollar, end - dollar) + "'");
    filled += text.substr(at, dollar - at) + value->second;
    if (filled.size() > longest) refuse("a text grows beyond 100,000 bytes");
    at = end;
  }
  return filled + text.substr(at);
}

// The text of a named formula with the arguments in the place of its parameters.
std::string Figures::withArguments(const Call& call) {
  const NamedFormula& formula = recipes_.formulas.at(call.name);
  if (call.arguments.size() != formula.parameters.size())
    refuse(call.name + " takes " + std::to_string(formula.parameters.size()) + " arguments");
  std::map<std::string, std::string> values;
  for (size_t i = 0; i < call.arguments.size(); ++i)
    values[formula.parameters[i]] = call.arguments[i];
  return substituted(formula.formula, values);
}

double Figures::numberOf(const Call& call) {
  if (++calls_ > 10000) refuse("more than 10,000 functions in one figure");
  if (recipes_.formulas.contains(call.name)) {
    const Deeper deeper(depth_);
    return value(splitFormat(withArguments(call)).formula);
  }
  const auto number = numbers.find(call.name);
  if (number != numbers.end()) return number->second(records_, call);
  if (texts.contains(call.name)) refuse(call.name + " is a text: it stands alone");
  refuse("'" + call.name + "' is no function");
}

double Figures::value(const std::string& formula) {
  return calculate(formula, [this](const Call& call) { return numberOf(call); });
}

std::string Figures::shown(const std::string& text) {
  if (depth_ == 0) calls_ = 0;
  const auto [formula, format] = splitFormat(text);
  const Call call = onlyCallIn(formula);
  if (format.empty() && recipes_.formulas.contains(call.name)) {
    const Deeper deeper(depth_);
    return shown(withArguments(call));
  }
  if (const auto own = texts.find(call.name); own != texts.end()) {
    if (!format.empty()) refuse(call.name + " is a text: it has no format");
    return own->second(records_, call);
  }
  return formatted(value(formula), format.empty() ? "g" : format);
}
