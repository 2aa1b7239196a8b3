// What compare's tests share. COMPARE is the program, RESULTS_DIR the folder of recorded results.
#pragma once

#include <nlohmann/json.hpp>

#include "compare/comparison.h"
#include "report/result_file.h"
#include "test_support/host_testing.h"
#include "test_support/program_testing.h"

using nlohmann::json;

inline const std::string recorded = RESULTS_DIR "/h200_ladder.json";
inline const std::string counted = RESULTS_DIR "/cpu_ladder.json";

inline StepResult timedStep(const std::string& lesson, const std::string& name, double ms) {
  return {.lesson = lesson, .name = name, .ok = true, .kernelMs = {ms, 2 * ms, ms / 2}};
}

// A card with 1000 GB/s: n elements of 4 bytes, so 1 ms is 4 GB/s for a million.
inline Report card(const std::string& name, std::vector<StepResult> steps) {
  Report report{.program = "ladder", .backend = Backend::gpu, .n = 1000000, .block = 512};
  report.machine.name = name;
  report.machine.peakGbps = 1000;
  report.steps = std::move(steps);
  return report;
}

inline StepResult countedStep(const std::string& name, const std::string& basedOn,
                              Counters counters) {
  return {.lesson = "x", .name = name, .basedOn = basedOn, .ok = true, .counters = counters};
}

inline Outcome compare(const Words& arguments, const Setting& setting = {}) {
  return run(COMPARE, arguments, setting);
}

// The result file of one step, as a value to spoil.
inline json aResult() {
  json file = json::parse(contentsOf(recorded));
  file["steps"] = json::array({file["steps"][0]});
  return file;
}

inline size_t countOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}
