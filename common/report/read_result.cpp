#include "report/result_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "base/escape.h"
#include "base/unicode.h"

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
// reaches, in GB/s.
double readTime(const Value& time) { return time.between(1e-9, 1e9); }
double readBandwidth(const Value& rate) { return rate.between(1e-3, 1e9); }

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

StepEstimate readEstimate(const Value& e) {
  StepEstimate estimate{.card = e["card"].text(), .n = e["n"].count(), .ms = readTime(e["ms"])};
  const Value shares = e["shares"];
  double sum = 0;
  for (const std::string& name : shares.names()) {
    const double share = shares[name].number();
    if (!(share >= 0 && share <= 1)) shares[name].refuse("is not between 0 and 1");
    estimate.shares.emplace_back(cutToBytes(terminalText(name), 40), share);
    sum += share;
  }
  if (sum > 1.001) shares.refuse("add up to more than 1");
  std::ranges::stable_sort(estimate.shares, std::greater(),
                           &std::pair<std::string, double>::second);
  return estimate;
}

// Files that were written before steps had roles know them by these names.
Role readRole(const Value& s) {
  if (!s.has("role")) {
    const std::string name = s["name"].text();
    if (name == "cub::DeviceReduce::Sum" || name == "cublasDgemv + cublasDgemm")
      return Role::library;
    return name.starts_with("CPU, ") ? Role::cpu : Role::step;
  }
  const std::string role = s["role"].text();
  if (role == "library") return Role::library;
  if (role == "cpu") return Role::cpu;
  if (role != "step") s["role"].refuse("is neither step nor cpu nor library");
  return Role::step;
}

// Whatever a file says of a step, a sum that differs is wrong. Floating-point ones may, a little.
bool agrees(const StepResult& step) {
  if (!step.realResult) return step.result == step.expected;
  const double most = 0.01 * std::max(1.0, std::abs(step.realExpected));
  return std::abs(*step.realResult - step.realExpected) <= most;
}

void readResultOf(const Value& s, StepResult& step) {
  const Value result = s["result"], expected = s["expected"];
  if (result.isInteger() && expected.isInteger()) {
    step.result = result.integer();
    step.expected = expected.integer();
  } else {
    step.realResult = result.number();
    step.realExpected = expected.number();
  }
  step.ok = s["ok"].truth() && agrees(step);
}

StepResult readStep(const Value& s, const std::string& type) {
  StepResult step{.lesson = s["lesson"].text(), .name = s["name"].text()};
  readResultOf(s, step);
  step.blocks = s["blocks"].count();
  step.role = readRole(s);
  if (step.role == Role::library && !s.has("role"))
    step.lesson = step.name.starts_with("cublas") ? "cuBLAS" : "CUB";
  if (s.has("n")) step.n = s["n"].count();
  if (s.has("block")) step.block = s["block"].small();
  if (s.has("type")) step.type = s["type"].text();
  if (s.has("cache")) step.cache = s["cache"].text();
  if (s.has("fault")) step.fault = "fault";  // a paragraph, and told when it was found
  if (s.has("based_on")) step.basedOn = s["based_on"].text();
  if (s.has("max_relative_error")) step.relativeError = s["max_relative_error"].number();
  if (s.has("kernel_ms")) step.kernelMs = readTimes(s["kernel_ms"]);
  if (s.has("answer_ms")) step.answerMs = readTimes(s["answer_ms"]);
  if (s.has("gpus")) step.gpus = s["gpus"].gpus();
  if (s.has("part_ms"))
    for (const std::string& part : s["part_ms"].names())
      step.partMs.emplace_back(cutToBytes(terminalText(part), 40), readTimes(s["part_ms"][part]));
  if (s.has("counters")) step.counters = readCounters(s["counters"]);
  if (s.has("estimate")) step.estimate = readEstimate(s["estimate"]);
  step.elementBytes = elementBytesOf(step.type.empty() ? type : step.type);
  return step;
}

Machine readMachine(const Value& m) {
  Machine machine;
  machine.name = m["name"].text();
  if (m.has("peak_gbps")) machine.peakGbps = readBandwidth(m["peak_gbps"]);
  if (m.has("sms")) machine.sms = int(m["sms"].small());
  if (m.has("gpus")) machine.gpus = m["gpus"].gpus();
  if (m.has("cores")) machine.cores = int(m["cores"].small());
  if (m.has("l2_bytes")) machine.l2Bytes = m["l2_bytes"].count();
  if (m.has("driver")) machine.driver = m["driver"].text();
  if (m.has("cuda")) machine.cuda = m["cuda"].text();
  return machine;
}

Report readReport(const Value& file) {
  if (!file.has("schema") && !file.has("steps")) file.refuse("is not a result file");
  if (const Value schema = file["schema"]; !schema.isInteger() || schema.integer() != 1)
    schema.refuse("is not 1, the only one known here");
  Report report;
  report.program = file["program"].text();
  const std::string backend = file["backend"].text();
  if (backend != "gpu" && backend != "cpu") file["backend"].refuse("is neither gpu nor cpu");
  report.backend = backend == "gpu" ? Backend::gpu : Backend::cpu;
  if (file.has("label")) report.label = file["label"].text();
  if (file.has("date")) report.date = file["date"].text();
  if (file.has("command")) report.command = file["command"].text(1000);

  report.machine = readMachine(file["machine"]);
  const Value input = file["input"];
  report.n = input["n"].count();
  report.block = input["block"].small();
  report.seed = input["seed"].count();
  report.samples = input["samples"].small();
  report.type = input["type"].text();
  if (input.has("cache")) report.cache = input["cache"].text();
  for (const char* size : {"rows", "cols", "batch"})
    if (input.has(size)) report.sizes.emplace_back(size, input[size].count());

  const Value steps = file["steps"];
  for (size_t i = 0; i < steps.size(); ++i) {
    report.steps.push_back(readStep(steps[i], report.type));
    if (report.steps.back().gpus > report.machine.gpus)
      steps[i]["gpus"].refuse("is more than the machine has");
  }
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

Report readResult(const std::string& path) {
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
  return parseResult(text, path);
}
