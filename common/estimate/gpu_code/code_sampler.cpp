#include "estimate/gpu_code/code_sampler.h"

#include <algorithm>

#include "base/errors.h"
#include "base/escape.h"
#include "estimate/gpu_code/launched.h"
#include "estimate/gpu_code/of_executor.h"
#include "simt/run/executor.h"

namespace estimate::gpu_code {
namespace {

// On a GPU of few multiprocessors, a block of a grid that fills it can go through a large part of
// an array. Where its warps execute more instructions than this, the launch is looked at as on a
// GPU of so many: blocks do the less, and one multiprocessor gets the more of them, one after the
// other.
constexpr uint64_t longBlocks = 16'000'000;
constexpr uint64_t mostInstructions = 300'000'000;  // of all blocks of a launch: some 10 s
constexpr unsigned manyMultiprocessors = 128;

}  // namespace

CodeSampler::CodeSampler(unsigned multiprocessors, std::vector<uint64_t> (*sample)(uint64_t blocks))
    : multiprocessors_(multiprocessors), sample_(sample) {}

void CodeSampler::collect(const std::function<void()>& launch, unsigned multiprocessors,
                          uint64_t most) {
  simt::Settings settings = simt::settings();
  settings.multiprocessors = multiprocessors;
  settings.instead = [&](const simt::LaunchCall& call) {
    Asked asked = askedOf(call);
    launches_.push_back(listed(asked, sample_(asked.grid.all()), most));
  };
  const simt::WithSettings scope(settings);
  launch();
}

size_t CodeSampler::run(const std::function<void()>& launch) {
  const size_t before = launches_.size();
  const bool few = multiprocessors_ < manyMultiprocessors;
  try {
    try {
      collect(launch, multiprocessors_, few ? longBlocks : mostInstructions);
    } catch (const TooLong&) {
      launches_.resize(before);
      if (!few) throw;
      collect(launch, manyMultiprocessors, mostInstructions);
    }
  } catch (const Unsupported& problem) {
    launches_.resize(before);
    throw Error(exitUsage, "no estimate of " + terminalText(problem.what()));
  }
  return launches_.size();
}

}  // namespace estimate::gpu_code
