#include "report.h"

#include <algorithm>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "check.h"
#include "table.h"

std::string milliseconds(double ms) {
  return fixed(ms, ms < 1 ? 4 : ms < 10 ? 3 : ms < 100 ? 2 : 1);
}

std::string timeAndSpread(const std::vector<double>& samples) {
  const Spread s = spreadOf(samples);
  return milliseconds(s.median) + " (" + milliseconds(s.min) + "–" + milliseconds(s.max) + ")";
}

std::string utcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::ostringstream text;
  text << std::put_time(&utc, "%Y-%m-%dT%H:%M:%SZ");
  return text.str();
}

unsigned elementBytesOf(const std::string& type) {
  if (type == "int32" || type == "float") return 4;
  if (type == "int64" || type == "double") return 8;
  return 0;
}

namespace {

// The average of a count, with a digit behind the point where it is not whole.
std::string average(uint64_t count, double parts) {
  const double value = parts == 0 ? 0 : double(count) / parts;
  return fixed(value, value == double(uint64_t(value)) ? 0 : 1);
}

struct Column {
  std::string title;
  uint64_t (*count)(const Counters&);
};
const std::vector<Column> usualColumns = {
    {"load requests", [](const Counters& c) { return c.load_requests; }},
    {"load sectors", [](const Counters& c) { return c.load_sectors; }},
    {"store requests", [](const Counters& c) { return c.store_requests; }},
    {"store sectors", [](const Counters& c) { return c.store_sectors; }},
    {"bank conflicts",
     [](const Counters& c) { return c.shared_load_conflicts + c.shared_store_conflicts; }},
    {"divergent branches", [](const Counters& c) { return c.divergent_branches; }},
    {"barriers", [](const Counters& c) { return c.barriers; }}};
const std::vector<Column> otherColumns = {
    {"shared load requests", [](const Counters& c) { return c.shared_load_requests; }},
    {"conflicts", [](const Counters& c) { return c.shared_load_conflicts; }},
    {"shared store requests", [](const Counters& c) { return c.shared_store_requests; }},
    {"conflicts", [](const Counters& c) { return c.shared_store_conflicts; }},
    {"shuffles", [](const Counters& c) { return c.shuffles; }},
    {"atomics", [](const Counters& c) { return c.atomics; }}};

std::string speedup(const StepResult* from, const StepResult& to) {
  if (!from || from == &to || from->kernelMs.empty()) return "";
  return fixed(spreadOf(from->kernelMs).median / spreadOf(to.kernelMs).median, 2) + "×";
}

std::string checked(const StepResult& step) {
  if (!step.fault.empty()) return "FAULT";
  if (step.ok) return "right";
  std::ostringstream text;
  text << "WRONG: ";
  if (step.realResult)
    text << *step.realResult;
  else
    text << step.result;
  return text.str();
}

nlohmann::ordered_json timesJson(const std::vector<double>& samples) {
  const Spread s = spreadOf(samples);
  return {{"median", s.median}, {"min", s.min}, {"max", s.max}, {"samples", samples}};
}

nlohmann::ordered_json countersJson(const Counters& c) {
  return {{"load_requests", c.load_requests},
          {"load_sectors", c.load_sectors},
          {"store_requests", c.store_requests},
          {"store_sectors", c.store_sectors},
          {"shared_load_requests", c.shared_load_requests},
          {"shared_load_conflicts", c.shared_load_conflicts},
          {"shared_store_requests", c.shared_store_requests},
          {"shared_store_conflicts", c.shared_store_conflicts},
          {"divergent_branches", c.divergent_branches},
          {"barriers", c.barriers},
          {"shuffles", c.shuffles},
          {"atomics", c.atomics},
          {"active_lanes", c.activeLanes()}};
}

nlohmann::ordered_json machineJson(const Report& report) {
  const Machine& m = report.machine;
  nlohmann::ordered_json json = {{"name", m.name}};
  if (report.backend == Backend::gpu) {
    json["sms"] = m.sms;
    json["l2_bytes"] = m.l2Bytes;
    json["driver"] = m.driver;
    json["cuda"] = m.cuda;
  } else {
    json["cores"] = m.cores;
  }
  if (m.peakGbps > 0) json["peak_gbps"] = m.peakGbps;
  return json;
}

std::string toJson(const Report& report) {
  nlohmann::ordered_json json = {{"schema", 1},
                                 {"program", report.program},
                                 {"backend", report.backend == Backend::gpu ? "gpu" : "cpu"},
                                 {"date", report.date},
                                 {"command", report.command},
                                 {"machine", machineJson(report)},
                                 {"input",
                                  {{"n", report.n},
                                   {"block", report.block},
                                   {"seed", report.seed},
                                   {"samples", report.samples},
                                   {"type", report.type}}}};
  if (!report.label.empty()) json["label"] = report.label;
  for (const auto& [name, size] : report.sizes) json["input"][name] = size;
  if (!report.cache.empty()) json["input"]["cache"] = report.cache;
  json["steps"] = nlohmann::ordered_json::array();
  for (const StepResult& step : report.steps) {
    nlohmann::ordered_json s = {
        {"lesson", step.lesson}, {"name", step.name},         {"ok", step.ok},
        {"result", step.result}, {"expected", step.expected}, {"blocks", step.blocks}};
    if (step.realResult) {
      s["result"] = *step.realResult;
      s["expected"] = step.realExpected;
    }
    if (step.relativeError) s["max_relative_error"] = *step.relativeError;
    if (step.n) s["n"] = *step.n;
    if (step.block > 0) s["block"] = step.block;
    if (!step.type.empty()) s["type"] = step.type;
    if (!step.cache.empty()) s["cache"] = step.cache;
    if (!step.fault.empty()) s["fault"] = step.fault;
    if (!step.basedOn.empty()) s["based_on"] = step.basedOn;
    if (!step.kernelMs.empty()) s["kernel_ms"] = timesJson(step.kernelMs);
    if (!step.answerMs.empty()) s["answer_ms"] = timesJson(step.answerMs);
    if (step.counters) s["counters"] = countersJson(*step.counters);
    json["steps"].push_back(std::move(s));
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

bool Report::allRight() const {
  return std::ranges::all_of(steps, [](const StepResult& step) { return step.ok; });
}

const StepResult* Report::find(const std::string& name) const {
  for (const StepResult& step : steps)
    if (step.name == name) return &step;
  return nullptr;
}

double Report::gbps(const StepResult& step) const {
  return double(elements(step)) * step.elementBytes / spreadOf(step.kernelMs).median * 1e-6;
}

Spread spreadOf(std::vector<double> samples) {
  std::ranges::sort(samples);
  const size_t middle = samples.size() / 2;
  const double median =
      samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
  return {median, samples.front(), samples.back()};
}

void printTimes(const Report& report) {
  const bool gpu = report.backend == Backend::gpu;
  const StepResult* first = report.steps.empty() ? nullptr : &report.steps.front();
  const double peak = report.machine.peakGbps;
  const StepResult* library = report.find("cub::DeviceReduce::Sum");
  const bool cublas = report.find("cublasDgemv + cublasDgemm");
  if (cublas) library = report.find("cublasDgemv + cublasDgemm");
  const bool answers = std::ranges::any_of(
      report.steps, [](const StepResult& step) { return !step.answerMs.empty(); });
  Table table;
  table.add({"step", gpu ? "kernel ms (min–max)" : "ms (min–max)", "GB/s", "% of peak",
             "× step before", "× first",
             !library ? ""
             : cublas ? "× cuBLAS"
                      : "× CUB",
             answers ? "answer ms (min–max)" : "", "sum"});
  for (const StepResult& step : report.steps) {
    if (step.kernelMs.empty()) {
      table.add({step.name, "", "", "", "", "", "", "", checked(step)});
      continue;
    }
    const double gbps = report.gbps(step);
    table.add({step.name, timeAndSpread(step.kernelMs), fixed(gbps, gbps < 100 ? 1 : 0),
               peak > 0 ? fixed(100 * gbps / peak, 1) : "",
               speedup(report.find(step.basedOn), step), speedup(first, step),
               speedup(library, step), step.answerMs.empty() ? "" : timeAndSpread(step.answerMs),
               checked(step)});
  }
  table.print();
  std::cout << '\n';
}

static void printCounterTable(const Report& report, const std::vector<Column>& columns,
                              bool perBlock) {
  Table table;
  Table::Row titles = {"step"};
  if (perBlock) titles.push_back("blocks");
  for (const Column& column : columns) titles.push_back(column.title);
  titles.push_back(perBlock ? "sum" : "active lanes");
  table.add(titles);
  for (const StepResult& step : report.steps) {
    Table::Row row = {step.name};
    if (perBlock) row.push_back(std::to_string(step.blocks));
    const double parts = perBlock ? double(step.blocks) : double(report.elements(step)) / 1000;
    for (const Column& column : columns)
      row.push_back(step.counters ? average(column.count(*step.counters), parts) : "");
    if (perBlock)
      row.push_back(checked(step));
    else
      row.push_back(step.counters ? fixed(step.counters->activeLanes(), 1) : "");
    table.add(row);
  }
  table.print();
}

void printCounters(const Report& report, bool all) {
  const std::string block =
      report.block > 0 ? "block of " + std::to_string(report.block) + " threads" : "block";
  std::cout << "Counted per " << block << ":\n";
  printCounterTable(report, usualColumns, true);
  if (all) {
    std::cout << "\nThe other counters, per " << block << ":\n";
    printCounterTable(report, otherColumns, true);
  }
  std::cout << "\nCounted per 1,000 elements:\n";
  printCounterTable(report, usualColumns, false);
  std::cout << '\n';
}

void printWholeCounters(const Report& report) {
  std::cout << "Counted in all:\n";
  Table table;
  Table::Row titles = {"step"};
  for (const Column& column : usualColumns) titles.push_back(column.title);
  titles.insert(titles.end(), {"sectors per load request", "active lanes", "result"});
  table.add(titles);
  for (const StepResult& step : report.steps) {
    if (!step.counters) continue;
    const Counters& c = *step.counters;
    Table::Row row = {step.name};
    for (const Column& column : usualColumns) row.push_back(std::to_string(column.count(c)));
    row.push_back(average(c.load_sectors, double(c.load_requests)));
    row.push_back(fixed(c.activeLanes(), 1));
    row.push_back(checked(step));
    table.add(row);
  }
  table.print();
}

bool isResultFile(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  return json.is_object() && json.value("schema", nlohmann::json()) == 1 &&
         json.value("steps", nlohmann::json()).is_array();
}

ResultFile::ResultFile(const std::string& path)
    : file_("--json", path, isResultFile, "a result file") {}

void ResultFile::write(const Report& report) { file_.write(toJson(report)); }
