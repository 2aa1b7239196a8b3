// What the pages of kernels hold, for tests.
#pragma once

#include "explore/explore.h"

#include <nlohmann/json.hpp>

#include "../../../08_shuffle/steps.h"
#include "explore/declared_types.h"
#include "explore/tests/explored_kernels.h"
#include "explore/trace_json.h"
#include "measure/workspace.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

using nlohmann::json;

inline Recording recordingOf(const Step& step, unsigned block, uint64_t n) {
  return recordLaunch(step.name, "", [=] {
    Input ones{std::make_unique<int[]>(n), n, int64_t(n)};
    std::fill_n(ones.values.get(), n, 1);
    Workspace(ones, block).totalOf(step);
  });
}

inline Recording recordingOf(const std::string& name) {
  const Step step = findStep(ladderTo08(), name);
  return recordingOf(step, 64, uint64_t(64) * step.elementsPerThread);
}

// What the steps of a trace add up to, in the order of the counters.
inline std::vector<uint64_t> sumsOf(const json& trace) {
  std::vector<uint64_t> sums(trace["counters"].size());
  for (const json& step : trace["steps"])
    if (step.contains("c"))
      for (const json& one : step["c"]) sums.at(one[0].get<size_t>()) += one[1].get<uint64_t>();
  return sums;
}

inline std::vector<uint64_t> countersOf(const Counters& counted) {
  std::vector<uint64_t> values;
  for (const simt::CounterInfo& counter : simt::counterList)
    values.push_back(counted.*counter.member);
  return values;
}

inline json traceOf(const Recording& recording) { return traceAsJson(recording, 4'000'000); }

inline std::string joined(const std::vector<uint64_t>& values) {
  std::string text;
  for (const uint64_t value : values) text += std::to_string(value) + ' ';
  return text;
}

template <typename T, typename Kernel>
Recording recordingOf(Kernel kernel, const std::string& array, size_t n, unsigned threads = 32) {
  return recordLaunch("a kernel", "", [=] {
    DeviceArray<T> data(n, array);
    const std::vector<T> zeros(n);
    data.copyFromHost(zeros.data());
    launch(dim3(1), dim3(threads), kernel, data.data());
  });
}

// Two warps of a multiprocessor that has room for a block, on a kernel of lesson 02.
inline PageEstimate madeUpEstimate() {
  EstimatedTimeline timeline{.cycles = 400, .rowsEach = 2};
  timeline.kinds = {{"memory", "memory and atomics", 0.75},
                    {"barrier", "barriers", 0.2},
                    {"empty", "no warp", 0.05}};
  timeline.sources = {"", "neighbored.cuh:17"};
  timeline.segments = {
      {0, 0, 0, 100, 0, 1}, {1, 0, 50, 400, 1, 0}, {0, 1, 200, 400, 1, 1}, {0, 0, 100, 200, 1, 1}};
  return {.about = "estimated on a card",
          .lines = {{"neighbored.cuh:17", 0.9, "memory 75 %"}},
          .timeline = timeline};
}

// Whether a step says this.
inline bool says(const json& trace, const std::string& sentence) {
  return std::ranges::any_of(trace["steps"],
                             [&](const json& step) { return step["text"] == sentence; });
}
