#include "report/result_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <concepts>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "base/escape.h"
#include "base/unicode.h"
#include "report/result_fields.h"

namespace {

using nlohmann::json;

// A value in the file and the way to it, such as steps[3].kernel_ms.
class Value {
 public:
  Value(const json& value, std::string where) : value_(value), where_(std::move(where)) {}

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(exitUsage, (where_.empty() ? "" : where_ + " ") + why);
  }
  bool has(const std::string& name) const { return value_.is_object() && value_.contains(name); }
  Value operator[](const std::string& name) const {
    if (!value_.is_object()) refuse("is not an object");
    const std::string where = where_.empty() ? name : where_ + "." + name;
    if (!value_.contains(name)) Value(value_, where).refuse("is missing");
    return {value_[name], where};
  }
  // Of an object: the names in it, in the order of the alphabet.
  std::vector<std::string> names() const {
    if (!value_.is_object()) refuse("is not an object");
    std::vector<std::string> names;
    for (const auto& [name, value] : value_.items()) names.push_back(name);
    return names;
  }
  size_t size() const {
    if (!value_.is_array()) refuse("is not a list");
    return value_.size();
  }
  Value operator[](size_t i) const { return {value_[i], fmt::format("{}[{}]", where_, i)}; }

  // Text on one line, cut off where it is longer than most bytes.
  std::string text(size_t most = 200) const {
    if (!value_.is_string()) refuse("is not a text");
    return cutToBytes(terminalText(value_.get<std::string>()), most);
  }
  bool truth() const {
    if (!value_.is_boolean()) refuse("is neither true nor false");
    return value_.get<bool>();
  }
  uint64_t count() const {
    if (!value_.is_number_unsigned() || value_.get<uint64_t>() > uint64_t(INT64_MAX))
      refuse("is not a count");
    return value_.get<uint64_t>();
  }
  unsigned small() const {
    if (count() > INT32_MAX) refuse("is too large");
    return unsigned(count());
  }
  // How many GPUs there can be.
  unsigned gpus() const {
    if (count() < 1 || count() > 1024) refuse("is not between 1 and 1024");
    return unsigned(count());
  }
  double between(double least, double most) const {
    if (!value_.is_number()) refuse("is not a number");
    const double number = value_.get<double>();
    if (!(number > 0)) refuse("is not above 0");
    if (number < least || number > most)
      refuse(fmt::format("is not between {:g} and {:g}", least, most));
    return number;
  }
  double number() const {
    if (value_.is_null()) return std::nan("");  // how a writer says "not a number"
    if (!value_.is_number()) refuse("is not a number");
    return value_.get<double>();
  }
  int64_t integer() const { return value_.is_number_integer() ? value_.get<int64_t>() : 0; }
  bool isInteger() const { return value_.is_number_integer(); }

 private:
  const json& value_;
  std::string where_;
};

// A thousandth of a nanosecond to eleven days, in milliseconds; and what no memory falls below or
// reaches, in GB/s, and no card in watts.
double readTime(const Value& time) { return time.between(1e-9, 1e9); }
double readRate(const Value& rate) { return rate.between(1e-3, 1e9); }

std::vector<double> readTimes(const Value& times) {
  const Value list = times["samples"];
  std::vector<double> samples;
  for (size_t i = 0; i < list.size(); ++i) samples.push_back(readTime(list[i]));
  if (samples.empty()) list.refuse("is empty");
  const Spread spread = spreadOf(samples);
  const auto agrees = [&](const char* name, double value) {
    const double stated = readTime(times[name]);
    if (std::abs(stated - value) > 1e-6 * value) times[name].refuse("is not what its samples say");
  };
  agrees("median", spread.median);
  agrees("min", spread.min);
  agrees("max", spread.max);
  return samples;
}

Counters readCounters(const Value& c) {
  Counters counters;
  for (const simt::CounterInfo& counter : simt::counterList)
    if (c.has(counter.name) ||
        counter.member != &Counters::atomic_conflicts)  // older files lack it
      counters.*counter.member = c[counter.name].count();
  const double active = c["active_lanes"].number();
  if (!(active >= 0 && active <= 32)) c["active_lanes"].refuse("is not between 0 and 32");
  counters.memory_lanes = uint64_t(std::llround(active * double(counters.memoryRequests())));
  return counters;
}

// A name of the list, or "is neither step nor cpu nor library nor roof".
template <typename T, size_t N>
T readName(const Value& value, const std::pair<T, const char*> (&names)[N]) {
  const std::string text = value.text();
  std::string expected;
  for (const auto& [named, name] : names) {
    if (text == name) return named;
    expected += (expected.empty() ? "is neither " : " nor ") + std::string(name);
  }
  value.refuse(expected);
}

// Files that were written before steps had roles know them by these names.
void readEarlierRole(const Value& s, StepResult& step) {
  if (s.has("role")) return;
  if (step.name == "cub::DeviceReduce::Sum" || step.name == "cublasDgemv + cublasDgemm") {
    step.role = Role::library;
    step.lesson = step.name.starts_with("cublas") ? "cuBLAS" : "CUB";
  } else if (step.name.starts_with("CPU, ")) {
    step.role = Role::cpu;
  }
}

// Whatever a file says of a step, a sum that differs is wrong. Floating-point ones may, a little.
bool agrees(const StepResult& step) {
  if (!step.realResult) return step.result == step.expected;
  const double most = 0.01 * std::max(1.0, std::abs(step.realExpected));
  return std::abs(*step.realResult - step.realExpected) <= most;
}

// One direction of the list of fields (result_fields.h): from the file.
class FromFile {
 public:
  explicit FromFile(const Value& object) : object_(object) {}

  template <typename T>
  void needed(const char* name, T& member, Limit limit = Limit::none) const {
    read(object_[name], member, limit);
  }
  template <typename T>
  void optional(const char* name, T& member, Limit limit = Limit::none, const T& = {}) const {
    if (object_.has(name)) read(object_[name], member, limit);
  }
  void part(const char* name, const auto& fields) const {
    const FromFile inner(object_[name]);
    fields(inner);
  }
  void sizes(std::initializer_list<const char*> names,
             std::vector<std::pair<std::string, uint64_t>>& sizes) const {
    for (const char* name : names)
      if (object_.has(name)) sizes.emplace_back(name, object_[name].count());
  }
  void result(const char* resultName, const char* expectedName, StepResult& step) const {
    const Value result = object_[resultName], expected = object_[expectedName];
    if (result.isInteger() && expected.isInteger()) {
      step.result = result.integer();
      step.expected = expected.integer();
    } else {
      step.realResult = result.number();
      step.realExpected = expected.number();
    }
  }
  void shares(const char* name, std::vector<std::pair<std::string, double>>& shares) const {
    const Value list = object_[name];
    double sum = 0;
    for (const std::string& part : list.names()) {
      const double share = list[part].number();
      if (!(share >= 0 && share <= 1)) list[part].refuse("is not between 0 and 1");
      shares.emplace_back(cutToBytes(terminalText(part), 40), share);
      sum += share;
    }
    if (sum > 1.001) list.refuse("add up to more than 1");
    std::ranges::stable_sort(shares, std::greater(), &std::pair<std::string, double>::second);
  }
  void steps(const char* name, Report& report) const {
    const Value list = object_[name];
    for (size_t i = 0; i < list.size(); ++i) {
      report.steps.push_back(readStep(list[i], report));
      if (report.steps.back().gpus > report.machine.gpus)
        list[i]["gpus"].refuse("is more than the machine has");
    }
  }

 private:
  static StepResult readStep(const Value& s, const Report& report) {
    StepResult step;
    stepFields(FromFile(s), step);
    readEarlierRole(s, step);
    step.ok = step.ok && agrees(step);
    step.elementBytes = elementBytesOf(report.typeOf(step));
    return step;
  }

  static void read(const Value& value, std::string& text, Limit limit) {
    text = limit == Limit::paragraph ? value.text(4000) : value.text();
  }
  static void read(const Value& value, bool& truth, Limit) { truth = value.truth(); }
  static void read(const Value& value, std::unsigned_integral auto& count, Limit) {
    count = value.count();
  }
  static void read(const Value& value, unsigned& count, Limit limit) {
    count = limit == Limit::gpus ? value.gpus() : value.small();
  }
  static void read(const Value& value, int& count, Limit) { count = int(value.small()); }
  static void read(const Value& value, double& number, Limit limit) {
    number = limit == Limit::time   ? readTime(value)
             : limit == Limit::rate ? readRate(value)
                                    : value.number();
  }
  static void read(const Value& value, Role& role, Limit) { role = readName(value, roleNames); }
  static void read(const Value& value, Backend& backend, Limit) {
    backend = readName(value, backendNames);
  }
  static void read(const Value& value, std::vector<double>& times, Limit) {
    times = readTimes(value);
  }
  static void read(const Value& value,
                   std::vector<std::pair<std::string, std::vector<double>>>& parts, Limit) {
    for (const std::string& part : value.names())
      parts.emplace_back(cutToBytes(terminalText(part), 40), readTimes(value[part]));
  }
  static void read(const Value& value, Counters& counters, Limit) {
    counters = readCounters(value);
  }
  static void read(const Value& value, StepEstimate& estimate, Limit) {
    estimateFields(FromFile(value), estimate);
  }
  template <typename T>
  static void read(const Value& value, std::optional<T>& member, Limit limit) {
    read(value, member.emplace(), limit);
  }

  Value object_;
};

Report readReport(const Value& file) {
  if (!file.has("schema") && !file.has("steps")) file.refuse("is not a result file");
  if (const Value schema = file["schema"]; !schema.isInteger() || schema.integer() != 1)
    schema.refuse("is not 1, the only one known here");
  Report report;
  reportFields(FromFile(file), report);
  return report;
}

json parse(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw Error(exitUsage, "is empty");
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    const bool end = error.byte > text.size();
    const auto line =
        1 + std::count(text.begin(), text.begin() + long(std::min(error.byte, text.size())), '\n');
    throw Error(exitUsage, end ? "is cut short" : fmt::format("is not JSON (line {})", line));
  } catch (const json::exception&) {
    throw Error(exitUsage, "is not JSON (a number is too large)");
  }
}

}  // namespace

Report parseResult(const std::string& text, const std::string& path) {
  try {
    const json file = parse(text);
    Report report = readReport(Value(file, ""));
    report.file = path;
    return report;
  } catch (const Error& error) {
    throw Error(exitUsage, path + ": " + error.what());
  }
}

std::string resultText(const std::string& path) {
  namespace fs = std::filesystem;
  const uint64_t limit = 64 << 20;
  std::error_code error;
  const auto refuse = [&](const std::string& why) { throw Error(exitUsage, path + ": " + why); };
  if (fs::is_directory(path, error)) refuse("is a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(std::string("cannot be read (") + std::strerror(errno) + ")");
  std::string text, piece(1 << 16, ' ');
  while (file.read(piece.data(), long(piece.size())), file.gcount() > 0) {
    text.append(piece, 0, size_t(file.gcount()));
    if (text.size() > limit) refuse("is larger than 64 MiB");
  }
  if (file.bad()) refuse("cannot be read");
  return text;
}

Report readResult(const std::string& path) { return parseResult(resultText(path), path); }
