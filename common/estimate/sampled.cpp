#include "estimate/sampled.h"

#include <algorithm>

#include "base/errors.h"
#include "base/escape.h"
#include "estimate/gpu_code/launched.h"
#include "estimate/gpu_code/of_executor.h"
#include "simt/run/executor.h"

namespace estimate {
namespace {

// On a GPU of few multiprocessors, a block of a grid that fills it can go through a large part of
// an array. Where its warps execute more instructions than this, the launch is looked at as on a
// GPU of so many: blocks do the less, and one multiprocessor gets the more of them, one after the
// other.
constexpr uint64_t longBlocks = 2'000'000;
constexpr unsigned manyMultiprocessors = 128;

}  // namespace

std::vector<uint64_t> sampleOf(uint64_t blocks) {
  constexpr uint64_t run = 4;
  std::vector<uint64_t> sample;
  for (const uint64_t first :
       {uint64_t(0), blocks / 3, blocks / 3 * 2, blocks - std::min(blocks, run)})
    for (uint64_t i = first; i < std::min(blocks, first + run); ++i) sample.push_back(i);
  std::ranges::sort(sample);
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  return sample;
}

std::vector<uint64_t> fewOf(uint64_t blocks) {
  if (blocks == 0) return {};
  if (blocks == 1) return {0};
  return {(blocks - 1) / 2, blocks - 1};
}

Sampler::Sampler(unsigned multiprocessors, std::vector<uint64_t> (*sample)(uint64_t blocks))
    : multiprocessors_(multiprocessors), sample_(sample) {}

void Sampler::collect(const std::function<void()>& launch, unsigned multiprocessors,
                      uint64_t most) {
  simt::Settings settings = simt::settings();
  settings.multiprocessors = multiprocessors;
  settings.instead = [&](const simt::LaunchCall& call) {
    const gpu_code::Asked asked = gpu_code::askedOf(call);
    launches_.push_back(gpu_code::listed(asked, sample_(asked.grid.all()), most));
  };
  const simt::WithSettings scope(settings);
  launch();
}

size_t Sampler::run(const std::function<void()>& launch) {
  if (const std::string lack = whatEstimatesLack(); !lack.empty()) throw Error(exitUsage, lack);
  const size_t before = launches_.size();
  const bool few = multiprocessors_ < manyMultiprocessors;
  try {
    try {
      collect(launch, multiprocessors_, few ? longBlocks : gpu_code::mostInstructions);
    } catch (const gpu_code::TooLong&) {
      launches_.resize(before);
      if (!few) throw;
      collect(launch, manyMultiprocessors, gpu_code::mostInstructions);
    }
  } catch (const gpu_code::Unsupported& problem) {
    launches_.resize(before);
    throw Error(exitUsage, "no estimate of " + terminalText(problem.what()));
  }
  return launches_.size();
}

std::string whatEstimatesLack() {
  return gpu_code::isThere()
             ? ""
             : "no estimates: they need clang++, which makes the code of a GPU, when "
               "programs are built (./common/setup.sh installs it)";
}

}  // namespace estimate
