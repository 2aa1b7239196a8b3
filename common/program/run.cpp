#include "program/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>

#include "base/counts.h"
#include "base/terminal.h"
#include "cuda/device.h"
#include "measure/workspace.h"
#include "report/tables.h"

Report startReport(const Options& options, const std::string& program) {
  Machine machine = selectDevice(options.device, program);
#ifdef GPU_BACKEND
  if (!options.json.empty())
    machine.roofGbps = readRate(program, machine, std::min(options.samples, 9u));
#endif
  return {.program = program,
          .backend = thisBackend,
          .machine = machine,
          .block = options.block,
          .samples = options.samples,
          .seed = options.seed,
          .label = options.label,
          .date = utcNow(),
          .command = options.command};
}

#ifndef GPU_BACKEND
simt::Settings executorSettings(const Options& options) {
  using Order = simt::Schedule::Order;
  const Order order = options.schedule == "reverse"  ? Order::reverse
                      : options.schedule == "random" ? Order::random
                                                     : Order::forward;
  return {.schedule = {order, options.scheduleSeed},
          .findFaults = !options.fast,
          .missedBarriersFail = true};
}
#endif

Sampling samplingOf(const Options& options) { return {.samples = options.samples}; }

DeviceStopwatch stopwatchFor([[maybe_unused]] const Options& options, const Report& report) {
#ifdef GPU_BACKEND
  return {report.program, report.machine};
#else
  return {report.program, report.machine, executorSettings(options)};
#endif
}

void printMachine(const Report& report) {
  const Machine& m = report.machine;
  if (report.backend == Backend::gpu)
    std::cout << sentence(fmt::format("{}, {} SMs, {:.0f} GB/s theoretical, driver {}, CUDA {}",
                                      report.machineName(), m.sms, m.peakGbps, m.driver, m.cuda));
  else
    std::cout << sentence(fmt::format(
        "{} kernels run on the CPU ({}) under the SIMT executor, which counts instead of timing",
        gpuPresent() ? "The" : "No GPU here: the", m.name));
}

void printHeader(const Report& report) {
  printMachine(report);
  std::string line = "n = " + countName(report.n) + ' ' + report.type;
  if (report.type == "int32") line += fmt::format(" ({:g} MB)", double(report.n) * 4 / 1e6);
  if (report.block > 0) line += fmt::format(", block {}", report.block);
  line += fmt::format(", seed {}", report.seed);
  if (report.backend == Backend::gpu)
    line += fmt::format(", medians of {} interleaved samples, {}", report.samples, report.cache);
  std::cout << sentence(line) << '\n';
}

void printReport(const Report& report, const Options& options, bool perBlock) {
  if (report.backend == Backend::gpu)
    printTimes(report);
  else
    printCounters(report, {.all = options.allCounters, .perBlock = perBlock});
#ifndef GPU_BACKEND
  if (simt::someForgotten())
    std::cout << '\n'
              << sentence(
                     "Some launch touched more memory than the search for races keeps records of: "
                     "races between its blocks may be missed; a smaller --n shows all.");
#endif
}
