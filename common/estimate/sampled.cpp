#include "estimate/sampled.h"

#include <algorithm>

#include "estimate/feed.h"
#include "simt/executor.h"
#include "simt/trace.h"

namespace estimate {
namespace {

using Sample = std::vector<uint64_t> (*)(uint64_t blocks);

simt::Settings sampledSettings(unsigned multiprocessors, Sample sample) {
  simt::Settings settings;
  settings.findFaults = false;
  settings.multiprocessors = multiprocessors;
  settings.sample = sample;
  return settings;
}

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

struct Sampler::Parts {
  Parts(unsigned multiprocessors, Sample sample)
      : settings(sampledSettings(multiprocessors, sample)) {}
  simt::WithSettings settings;
  simt::Counters before = simt::takeCounters();
  simt::Trace trace;
  Feed feed;
};

Sampler::Sampler(unsigned multiprocessors, Sample sample)
    : parts_(new Parts(multiprocessors, sample)) {}

Sampler::~Sampler() {
  simt::recordTrace(nullptr);
  simt::takeCounters();
  simt::addCounters(parts_->before);
  delete parts_;
}

size_t Sampler::run(const std::function<void()>& launch) {
  parts_->feed.beginLaunches();
  simt::recordTrace(&parts_->trace, {.maxSteps = size_t(1) << 22,
                                     .blockEnded = [this] { parts_->feed.take(parts_->trace); }});
  try {
    launch();
  } catch (...) {
    simt::recordTrace(nullptr);
    throw;
  }
  simt::recordTrace(nullptr);
  return parts_->feed.size();
}

size_t Sampler::launched() const { return parts_->feed.size(); }

SampledLaunches Sampler::take() {
  const bool cutOff = parts_->feed.cutOff();
  return {parts_->feed.launches(), cutOff};
}

}  // namespace estimate
