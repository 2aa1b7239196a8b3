#include "multi_gpu/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/counts.h"
#include "base/table.h"
#include "report/statistics.h"

namespace {

std::vector<const StepResult*> stepsOf(const Report& report, const std::string& what) {
  std::vector<const StepResult*> steps;
  for (const StepResult& step : report.steps)
    if (step.name == what + " on " + gpuCount(step.gpus)) steps.push_back(&step);
  return steps;
}

// What one GPU took for n elements, or nothing.
const StepResult* oneGpuAt(const Report& report, const std::vector<const StepResult*>& steps,
                           uint64_t n) {
  for (const StepResult* step : steps)
    if (step->gpus == 1 && report.elements(*step) == n) return step;
  return nullptr;
}

std::string timesAsFast(const Report& report, const StepResult* one, const StepResult& step) {
  if (!one || step.gpus == 1) return "";
  return fixed(report.gbps(step) / report.gbps(*one), 2) + "×";
}

// The medians of the GPUs, the least and the most, and NCCL's, in microseconds.
std::pair<std::string, std::string> partTexts(const StepResult& step) {
  double least = 1e300, most = 0;
  std::string nccl;
  for (const auto& [part, samples] : step.partMs) {
    if (samples.empty()) continue;
    const double us = 1000 * spreadOf(samples).median;
    if (part == "NCCL") {
      nccl = fixed(us, 1);
    } else {
      least = std::min(least, us);
      most = std::max(most, us);
    }
  }
  if (most == 0) return {"", nccl};
  return {step.gpus == 1 ? fixed(most, 1) : fmt::format("{}–{}", fixed(least, 1), fixed(most, 1)),
          nccl};
}

std::string rate(double gbps) { return fixed(gbps, gbps < 100 ? 1 : 0); }

std::string checked(const StepResult& step) {
  return !step.fault.empty() ? "FAULT" : step.ok ? "right" : "WRONG";
}

}  // namespace

std::string gpuCount(unsigned gpus) { return fmt::format("{} GPU{}", gpus, gpus == 1 ? "" : "s"); }

void printScaling(const Report& report, const std::vector<std::string>& whats) {
  Table table;
  table.add({"", "n", "GPUs", "ms (min–max)", "GB/s", "GB/s per GPU", "% of peak", "× one, same n",
             "× one, n per GPU", "each GPU µs", "NCCL µs", "result"});
  for (const std::string& what : whats) {
    const std::vector<const StepResult*> steps = stepsOf(report, what);
    for (const StepResult* step : steps) {
      const uint64_t n = report.elements(*step);
      const double gbps = report.gbps(*step), peak = report.peakGbps(*step);
      const auto [cards, nccl] = partTexts(*step);
      const StepResult* const weak =
          n % step->gpus == 0 ? oneGpuAt(report, steps, n / step->gpus) : nullptr;
      table.add({what, countName(n), fmt::to_string(step->gpus), timeAndSpread(step->kernelMs),
                 rate(gbps), rate(gbps / step->gpus), peak > 0 ? fixed(100 * gbps / peak, 1) : "",
                 timesAsFast(report, oneGpuAt(report, steps, n), *step),
                 timesAsFast(report, weak, *step), cards, nccl, checked(*step)});
    }
  }
  table.print();
  std::cout << '\n';
}

void printSharedCounts(const Report& report, const std::vector<std::string>& whats) {
  Table table;
  table.add({"", "n", "GPUs", "blocks", "load requests", "load sectors", "store requests",
             "barriers", "result"});
  for (const std::string& what : whats)
    for (const StepResult* step : stepsOf(report, what)) {
      const Counters c = step->counters.value_or(Counters());
      table.add({what, countName(report.elements(*step)), fmt::to_string(step->gpus),
                 step->blocks > 1 ? fmt::to_string(step->blocks) : "–",  // 1: of several launches
                 fmt::to_string(c.load_requests), fmt::to_string(c.load_sectors),
                 fmt::to_string(c.store_requests), fmt::to_string(c.barriers), checked(*step)});
    }
  table.print();
  std::cout << '\n';
}

std::string slowGpuRemark(const Report& report) {
  const StepResult* longest = nullptr;
  for (const StepResult& step : report.steps)
    if (step.gpus > 1 && !step.partMs.empty() && !step.partMs[0].second.empty() &&
        (!longest || report.elements(step) >= report.elements(*longest)))
      longest = &step;
  if (!longest) return "";
  std::vector<std::pair<double, std::string>> medians;
  for (const auto& [part, samples] : longest->partMs)
    if (part != "NCCL") medians.emplace_back(spreadOf(samples).median, part);
  const auto [fast, slow] = std::ranges::minmax(medians);
  // Launches of another program come between those of this one, and are in no event's time.
  const double whole = longest->kernelMs.empty() ? 0 : spreadOf(longest->kernelMs).median;
  if (whole > 2 * slow.first && whole - slow.first > 0.3)
    return fmt::format(
        "{} took {} ms, and no GPU was at work for more than {} ms of them: something else may run "
        "on one of them (nvidia-smi).",
        longest->name, milliseconds(whole), milliseconds(slow.first));
  if (slow.first < 1.2 * fast.first) return "";
  return fmt::format(
      "{} took {} times as long as {} for its part of {}: something else may run on it, or it is "
      "slowed down (nvidia-smi -q -d PERFORMANCE).",
      slow.second, fixed(slow.first / fast.first, 2), fast.second, longest->name);
}
