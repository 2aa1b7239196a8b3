#include "report/report.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <ctime>

std::string utcNow() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

unsigned elementBytesOf(const std::string& type) {
  if (type == "bfloat16") return 2;
  if (type == "int32" || type == "float" || type == "bfloat16 in and out") return 4;
  if (type == "int64" || type == "double") return 8;
  return 0;
}

bool Report::allRight() const {
  return std::ranges::all_of(steps, [](const StepResult& step) { return step.ok; });
}

const StepResult* Report::find(const std::string& name) const {
  const auto step = std::ranges::find(steps, name, &StepResult::name);
  return step == steps.end() ? nullptr : &*step;
}

const StepResult* Report::find(Role role) const {
  const auto step = std::find_if(steps.rbegin(), steps.rend(),
                                 [role](const StepResult& s) { return s.role == role; });
  return step == steps.rend() ? nullptr : &*step;
}

double Report::gbps(const StepResult& step) const {
  return double(elements(step)) * step.elementBytes / spreadOf(step.kernelMs).median * 1e-6;
}

std::optional<double> timesLibrary(const StepResult* library, const StepResult& step) {
  if (!library || library == &step || !library->isTimed() || !step.isTimed()) return {};
  if (library->answerMs.empty() != step.answerMs.empty()) return {};
  if (library->answerMs.empty())
    return spreadOf(library->kernelMs).median / spreadOf(step.kernelMs).median;
  return spreadOf(library->answerMs).median / spreadOf(step.answerMs).median;
}

double Report::peakGbps(const StepResult& step) const { return machine.peakGbps * step.gpus; }

double Report::peakGbps() const { return machine.peakGbps * machine.gpus; }

std::string Report::machineName() const {
  const bool several = backend == Backend::gpu && machine.gpus > 1;
  return !several ? machine.name : fmt::format("{} × {}", machine.gpus, machine.name);
}

std::string mistakeOf(const StepResult& step) {
  if (!step.fault.empty()) return step.fault;
  if (step.ok) return "";
  if (step.relativeError)
    return fmt::format("{} is wrong: a relative error of {:g}", step.name, *step.relativeError);
  if (step.realResult)
    return fmt::format("{} is wrong: {:g} instead of {:g}", step.name, *step.realResult,
                       step.realExpected);
  return fmt::format("{} is wrong: {} instead of {}", step.name, step.result, step.expected);
}
