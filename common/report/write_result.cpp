#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "base/errors.h"
#include "report/result_fields.h"
#include "report/result_file.h"

namespace {

using Json = nlohmann::ordered_json;

// One direction of the list of fields (result_fields.h): to the file.
class ToFile {
 public:
  template <typename T>
  void needed(const char* name, const T& member, Limit = Limit::none) {
    json_[name] = valueOf(member);
  }
  template <typename T>
  void optional(const char* name, const T& member, Limit = Limit::none, const T& none = {}) {
    if (member != none) json_[name] = valueOf(member);
  }
  void part(const char* name, const auto& fields) {
    ToFile inner;
    fields(inner);
    json_[name] = inner.json();
  }
  void sizes(std::initializer_list<const char*>,
             const std::vector<std::pair<std::string, uint64_t>>& sizes) {
    for (const auto& [name, size] : sizes) json_[name] = size;
  }
  void result(const char* resultName, const char* expectedName, const StepResult& step) {
    json_[resultName] = step.realResult ? Json(*step.realResult) : Json(step.result);
    json_[expectedName] = step.realResult ? Json(step.realExpected) : Json(step.expected);
  }
  void shares(const char* name, const std::vector<std::pair<std::string, double>>& shares) {
    json_[name] = Json::object();
    for (const auto& [part, share] : shares) json_[name][part] = share;
  }
  void steps(const char* name, const Report& report) {
    json_[name] = Json::array();
    for (const StepResult& step : report.steps) {
      ToFile inner;
      stepFields(inner, step);
      json_[name].push_back(inner.json());
    }
  }
  const Json& json() const { return json_; }

 private:
  template <typename T>
  static Json valueOf(const T& value) {
    return value;
  }
  template <typename T>
  static Json valueOf(const std::optional<T>& value) {
    return valueOf(*value);
  }
  static Json valueOf(Role role) { return nameOf(role, roleNames); }
  static Json valueOf(Backend backend) { return nameOf(backend, backendNames); }
  // Times with seven digits: the clock that measured them has no more.
  static double rounded(double ms) { return std::stod(fmt::format("{:.7g}", ms)); }
  static Json valueOf(std::vector<double> samples) {
    std::ranges::transform(samples, samples.begin(), rounded);
    const Spread s = spreadOf(samples);
    return {{"median", rounded(s.median)}, {"min", s.min}, {"max", s.max}, {"samples", samples}};
  }
  static Json valueOf(const std::vector<std::pair<std::string, std::vector<double>>>& parts) {
    Json json = Json::object();
    for (const auto& [part, samples] : parts)
      if (!samples.empty()) json[part] = valueOf(samples);
    return json;
  }
  static Json valueOf(const Counters& counters) {
    Json json;
    for (const simt::CounterInfo& counter : simt::counterList)
      json[counter.name] = counters.*counter.member;
    json["active_lanes"] = counters.activeLanes();
    return json;
  }
  static Json valueOf(const StepEstimate& estimate) {
    ToFile inner;
    estimateFields(inner, estimate);
    return inner.json();
  }
  template <typename T, size_t N>
  static Json nameOf(T value, const std::pair<T, const char*> (&names)[N]) {
    return std::ranges::find(names, value, &std::pair<T, const char*>::first)->second;
  }

  Json json_ = Json::object();
};

bool holdsObjects(const Json& value) {
  return value.is_structured() &&
         std::ranges::any_of(value, [](const Json& v) { return v.is_object() || holdsObjects(v); });
}

// What holds no object stands on one line, and so do neighbours in an object that are neither
// objects nor lists: a step's names and sums, one line for each of its times, one for its counters.
std::string laidOut(const Json& value, const std::string& indent) {
  const auto plain = [](const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  if (!value.is_structured()) return plain(value);
  const bool onOneLine = !holdsObjects(value);
  const std::string newLine = onOneLine ? "" : "\n" + indent;
  std::string text;
  bool afterPlain = true;
  for (const auto& [name, member] : value.items()) {
    const bool together = onOneLine || (afterPlain && !member.is_structured());
    if (!text.empty()) text += together ? ", " : "," + newLine + "  ";
    if (value.is_object()) text += plain(name) + ": ";
    text += laidOut(member, indent + "  ");
    afterPlain = !member.is_structured();
  }
  text = (onOneLine ? "" : newLine + "  ") + text + newLine;
  return value.is_array() ? "[" + text + "]" : "{" + text + "}";
}

std::string toJson(const Report& report) {
  ToFile file;
  file.needed("schema", 1);
  reportFields(file, report);
  return laidOut(file.json(), "") + "\n";
}

// Of times, seven digits are kept.
bool isSame(const nlohmann::json& before, const nlohmann::json& after, bool isTime) {
  if (!isTime || !before.is_number_float() || !after.is_number()) return before == after;
  const double value = before;
  return std::abs(value - after.get<double>()) <= 1e-6 * std::abs(value);
}

// The way to the first value of before that is not in after, or nothing.
std::string lostFrom(const nlohmann::json& before, const nlohmann::json& after,
                     bool isTime = false) {
  if (!before.is_structured()) return isSame(before, after, isTime) ? "" : " differs";
  for (const auto& [name, value] : before.items()) {
    const std::string step = before.is_object() ? "." + name : "[" + name + "]";
    const bool there = before.is_object() ? after.is_object() && after.contains(name)
                                          : after.is_array() && after.size() == before.size();
    if (!there) return step + " would be lost";
    const std::string lost =
        lostFrom(value, before.is_object() ? after[name] : after[size_t(std::stoul(name))],
                 isTime || name.ends_with("_ms"));
    if (!lost.empty()) return step + lost;
  }
  return "";
}

}  // namespace

std::string rewritten(const std::string& text, const std::string& path) {
  const std::string again = toJson(parseResult(text, path));
  if (const std::string lost = lostFrom(nlohmann::json::parse(text), nlohmann::json::parse(again));
      !lost.empty())
    throw Error(exitUsage, path + ": " + lost.substr(1) + ", so it stays as it is");
  return again;
}

bool isResultFile(const std::string& text) {
  try {
    parseResult(text, "");
    return true;
  } catch (const Error&) {
    return false;
  }
}

ResultFile::ResultFile(const std::string& path)
    : file_("--json", path, isResultFile, "a result file") {}

void ResultFile::write(const Report& report) { file_.write(toJson(report)); }
