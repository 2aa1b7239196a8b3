#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "report/result_file.h"

namespace {

using Json = nlohmann::ordered_json;

Json timesJson(const std::vector<double>& samples) {
  const Spread s = spreadOf(samples);
  return {{"median", s.median}, {"min", s.min}, {"max", s.max}, {"samples", samples}};
}

Json countersJson(const Counters& counters) {
  Json json;
  for (const simt::CounterInfo& counter : simt::counterList)
    json[counter.name] = counters.*counter.member;
  json["active_lanes"] = counters.activeLanes();
  return json;
}

Json machineJson(const Report& report) {
  const Machine& m = report.machine;
  Json json = {{"name", m.name}};
  if (report.backend == Backend::gpu) {
    json["sms"] = m.sms;
    json["l2_bytes"] = m.l2Bytes;
    json["driver"] = m.driver;
    json["cuda"] = m.cuda;
  } else {
    json["cores"] = m.cores;
  }
  if (m.gpus > 1) json["gpus"] = m.gpus;
  if (m.peakGbps > 0) json["peak_gbps"] = m.peakGbps;
  return json;
}

Json estimateJson(const StepEstimate& estimate) {
  Json shares = Json::object();
  for (const auto& [name, share] : estimate.shares) shares[name] = share;
  return {{"card", estimate.card}, {"n", estimate.n}, {"ms", estimate.ms}, {"shares", shares}};
}

Json stepJson(const StepResult& step) {
  Json s = {{"lesson", step.lesson}, {"name", step.name},         {"ok", step.ok},
            {"result", step.result}, {"expected", step.expected}, {"blocks", step.blocks}};
  if (step.role != Role::step) s["role"] = step.role == Role::cpu ? "cpu" : "library";
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
  if (step.gpus > 1) s["gpus"] = step.gpus;
  for (const auto& [part, samples] : step.partMs)
    if (!samples.empty()) s["part_ms"][part] = timesJson(samples);
  if (step.counters) s["counters"] = countersJson(*step.counters);
  if (step.estimate) s["estimate"] = estimateJson(*step.estimate);
  return s;
}

std::string toJson(const Report& report) {
  Json json = {{"schema", 1},
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
  json["steps"] = Json::array();
  for (const StepResult& step : report.steps) json["steps"].push_back(stepJson(step));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

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
