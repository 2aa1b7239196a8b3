// Reports to test with: of a cpu program, of a gpu program.
#pragma once

#include <functional>
#include <iostream>
#include <string>

#include "report/report.h"
#include "test_support/host_testing.h"

// What body prints.
inline std::string printed(const std::function<void()>& body) {
  const Captured out(std::cout);
  body();
  return out.text();
}

inline Report cpuReport() {
  Report report;
  report.program = "ladder";
  report.backend = Backend::cpu;
  report.machine.name = "A CPU";
  report.machine.cores = 4;
  report.n = 1024;
  report.block = 512;
  report.samples = 30;
  report.seed = 9;
  report.steps.push_back({.lesson = "02_neighbored",
                          .name = "neighbored",
                          .ok = true,
                          .result = 7,
                          .expected = 7,
                          .blocks = 2,
                          .counters = Counters{.load_requests = 383, .load_sectors = 1022}});
  return report;
}

inline Report gpuReport() {
  Report report = cpuReport();
  report.backend = Backend::gpu;
  report.machine.name = "A GPU";
  report.machine.peakGbps = 1000;
  report.steps[0].counters.reset();
  report.steps[0].kernelMs = {3, 1, 2};
  report.steps[0].answerMs = {6, 4};
  return report;
}
