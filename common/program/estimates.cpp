#include "program/estimates.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "base/counts.h"
#include "base/errors.h"
#include "base/progress.h"
#include "base/text.h"
#include "cuda/launch.h"
#include "estimate/explored.h"
#include "estimate/launch_time.h"
#include "estimate/sampled.h"
#include "estimate/wait_text.h"
#include "measure/workspace.h"
#include "report/result_file.h"
#include "report/tables.h"

namespace {

using estimate::Estimate;

// A step that is several launches takes the time of all of them.
struct Whole {
  double ms = 0;
  estimate::WaitTimes shares = {};
  std::vector<estimate::SourceShare> sources;

  void add(const Estimate& one) {
    const double all = ms + one.ms;
    const double before = all > 0 ? ms / all : 0, now = all > 0 ? one.ms / all : 1;
    for (size_t i = 0; i < shares.size(); ++i) shares[i] = shares[i] * before + one.shares[i] * now;
    for (estimate::SourceShare& line : sources)
      for (double& share : line.shares) share *= before;
    for (estimate::SourceShare line : one.sources) {
      for (double& share : line.shares) share *= now;
      sources.push_back(std::move(line));
    }
    ms = all;
  }
};

StepResult* stepOf(Report& report, const std::string& name) {
  const auto step = std::ranges::find(report.steps, name, &StepResult::name);
  return step != report.steps.end() && step->isRight() ? &*step : nullptr;
}

void printSources(const std::string& step, const Whole& whole) {
  std::cout << "Where the estimated time of " << step << " goes:\n";
  sourceTable(whole.sources, "waits for", 3).print();
  std::cout << '\n';
}

}  // namespace

std::string ladderRecord(const std::string& card, uint64_t n, unsigned block) {
  const std::string size =
      n == uint64_t(1) << 28 ? "" : fmt::format("_2e{:.10g}", std::log2(double(n)));
  return fmt::format("{}_ladder{}{}.json", card, size,
                     size.empty() && block == 512 ? "" : fmt::format("_block_{}", block));
}

std::optional<Report> recordedLadder(const Options& options, uint64_t n, unsigned block) {
  namespace fs = std::filesystem;
  const estimate::Card card = estimate::findCard(options.card);
  const fs::path path = fs::path(RESULTS_FOLDER) / ladderRecord(card.key, n, block);
  std::error_code ignored;
  if (card.key.empty() || !fs::exists(path, ignored)) return {};
  Report recorded = readResult(path.string());
  if (!recorded.machine.name.starts_with(card.name)) return {};
  return recorded;
}

EstimatedTask estimatedTaskOf(const Step& step, uint64_t n, unsigned block) {
  return {step.name, [step, n, block] {
            DeviceArray<int> data(n, "data"), blockSums(blocksFor(n, block), "blockSums");
            DeviceArray<long long> total(1, "total");
            if (step.wholeSum) {
              step.wholeSum(data.data(), n, total.data());
              return;
            }
            if (const uint64_t grid = gridOf(step, n, block); grid > 0)
              launch(dim3(unsigned(grid)), dim3(block), kernelOf(step, block), data.data(),
                     blockSums.data(), n);
          }};
}

void checkCard(const Options& options) {
  if (options.estimate) estimate::findCard(options.card);
}

std::optional<PageEstimate> exploredEstimate(const std::function<void()>& launch,
                                             const std::string& task, const Options& options,
                                             bool longBlocks) {
  if (!options.estimate) return {};
  const estimate::Card card = estimate::findCard(options.card);
  estimate::Sampler sampler(unsigned(card.multiprocessors),
                            longBlocks ? estimate::fewOf : estimate::sampleOf);
  try {
    sampler.run(launch);
  } catch (const Error& error) {
    std::cerr << task << ": " << error.what() << '\n';
    return {};
  }
  Whole whole;
  estimate::Timeline longest;
  double ms = 0;
  for (const estimate::Launch& one : sampler.take()) {
    Estimate estimated = estimateLaunch(one, card, {}, true);
    whole.add(estimated);
    if (estimated.ms <= ms || estimated.timeline.empty()) continue;
    ms = estimated.ms;
    longest = timelineOf(one, std::move(estimated), card, estimate::exploredCycles);
  }
  if (ms == 0) return {};
  return explored(task, whole.shares, whole.sources, longest);
}

void addEstimates(Report& report, const std::vector<EstimatedTask>& tasks, uint64_t n,
                  const Options& options, bool longBlocks) {
  if (!options.estimate) return;
  const estimate::Card card = estimate::findCard(options.card);
  if (const std::string lack = estimate::whatEstimatesLack(); !lack.empty()) {
    std::cerr << report.program << ": " << lack << '\n';
    return;
  }
  struct Part {
    StepResult* step;
    size_t first, last;  // of the launches
  };
  std::vector<Part> parts;
  estimate::Sampler sampler(unsigned(card.multiprocessors),
                            longBlocks ? estimate::fewOf : estimate::sampleOf);
  Progress progress(report.program);
  for (const EstimatedTask& task : tasks) {
    StepResult* const step = stepOf(report, task.step);
    if (!step) continue;
    progress.show(task.step + ", estimate");
    const size_t first = sampler.launched();
    try {
      parts.push_back({step, first, sampler.run(task.launch)});
    } catch (const Error& error) {
      std::cerr << report.program << ": " << task.step << " at n = " << countName(n) << ": "
                << error.what() << '\n';
    }
  }
  const std::vector<estimate::Launch> launches = sampler.take();
  for (const Part& part : parts) {
    Whole whole;
    for (size_t i = part.first; i < part.last; ++i) whole.add(estimateLaunch(launches[i], card));
    if (whole.ms <= 0) continue;
    part.step->estimate = StepEstimate{card.name, n, whole.ms, estimate::namedWaits(whole.shares)};
    if (options.where) printSources(part.step->name, whole);
  }
}

void printEstimates(const Report& report, const Options& options,
                    const std::function<bool(const std::string& step)>& isAsRecorded,
                    const std::string& speedup) {
  const auto estimated = std::ranges::find_if(
      report.steps, [](const StepResult& s) { return s.estimate.has_value(); });
  if (estimated == report.steps.end()) return;
  std::optional<Report> recorded;
  try {
    recorded = recordedLadder(options, estimated->estimate->n, report.block);
  } catch (const Error&) {
    // Nothing that can be read is recorded there.
  }
  const auto recordedMs = [&](const StepResult& step) {
    const StepResult* const then = recorded ? recorded->find(step.name) : nullptr;
    if (then && then->isTimed() && recorded->elements(*then) == step.estimate->n &&
        recorded->blockOf(*then) == report.blockOf(step) && step.lesson == then->lesson &&
        isAsRecorded(step.name))
      return spreadOf(then->kernelMs).median;
    return 0.0;
  };
  printEstimates(report, recordedMs, speedup);
}
