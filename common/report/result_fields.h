// The fields of a result file, named once for both directions: File is the reader or the writer,
// and the rest is what it fills or what it writes. An optional field is left out where it has the
// value that stands for none.
#pragma once

#include "report/report.h"

// What the reader asks of a value beside its type.
enum class Limit {
  none,
  time,       // in milliseconds
  rate,       // GB/s, watts
  gpus,       // how many there can be
  paragraph,  // a longer text than a name
};

template <typename File, typename MachineType>
void machineFields(File&& file, MachineType& m) {
  file.needed("name", m.name);
  file.optional("sms", m.sms);
  file.optional("l2_bytes", m.l2Bytes);
  file.optional("driver", m.driver);
  file.optional("cuda", m.cuda);
  file.optional("clock_mhz", m.clockMhz);
  file.optional("memory_clock_mhz", m.memoryClockMhz);
  file.optional("power_limit_watts", m.powerLimitWatts, Limit::rate);
  file.optional("cpu", m.cpu);
  file.optional("cores", m.cores);
  file.optional("gpus", m.gpus, Limit::gpus, 1u);
  file.optional("peak_gbps", m.peakGbps, Limit::rate);
  file.optional("identity", m.identity);
  file.optional("roof_gbps", m.roofGbps, Limit::rate);
}

template <typename File, typename ReportType>
void inputFields(File&& file, ReportType& report) {
  file.needed("n", report.n);
  file.needed("block", report.block);
  file.needed("seed", report.seed);
  file.needed("samples", report.samples);
  file.needed("type", report.type);
  file.sizes({"rows", "cols", "batch"}, report.sizes);
  file.optional("cache", report.cache);
}

template <typename File, typename EstimateType>
void estimateFields(File&& file, EstimateType& estimate) {
  file.needed("card", estimate.card);
  file.needed("n", estimate.n);
  file.needed("ms", estimate.ms, Limit::time);
  file.shares("shares", estimate.shares);
}

template <typename File, typename StepType>
void stepFields(File&& file, StepType& step) {
  file.needed("lesson", step.lesson);
  file.needed("name", step.name);
  file.needed("ok", step.ok);
  file.result("result", "expected", step);
  file.needed("blocks", step.blocks);
  file.optional("role", step.role);
  file.optional("max_relative_error", step.relativeError);
  file.optional("n", step.n);
  file.optional("block", step.block);
  file.optional("type", step.type);
  file.optional("cache", step.cache);
  file.optional("fault", step.fault, Limit::paragraph);
  file.optional("based_on", step.basedOn);
  file.optional("gpus", step.gpus, Limit::gpus, 1u);
  file.optional("kernel_ms", step.kernelMs);
  file.optional("answer_ms", step.answerMs);
  file.optional("part_ms", step.partMs);
  file.optional("counters", step.counters);
  file.optional("estimate", step.estimate);
}

template <typename File, typename ReportType>
void reportFields(File&& file, ReportType& report) {
  file.needed("program", report.program);
  file.needed("backend", report.backend);
  file.optional("date", report.date);
  file.optional("command", report.command, Limit::paragraph);
  file.optional("label", report.label);
  file.part("machine", [&](auto& machine) { machineFields(machine, report.machine); });
  file.part("input", [&](auto& input) { inputFields(input, report); });
  file.steps("steps", report);
}

// How a file names them.
constexpr std::pair<Role, const char*> roleNames[] = {
    {Role::step, "step"}, {Role::cpu, "cpu"}, {Role::library, "library"}, {Role::roof, "roof"}};
constexpr std::pair<Backend, const char*> backendNames[] = {{Backend::gpu, "gpu"},
                                                            {Backend::cpu, "cpu"}};
