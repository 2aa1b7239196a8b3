#include "estimate/sampled.h"

#include <algorithm>

#include "estimate/feed.h"
#include "simt/observe/trace.h"
#include "simt/run/executor.h"

namespace estimate {
namespace {

using Sample = std::vector<uint64_t> (*)(uint64_t blocks);

// On a GPU of few multiprocessors, a block of a grid that fills it can go through a large part of
// an array. Where it goes on for longer than this (Settings::mostTurns), the launch is looked at as
// on a GPU of so many: blocks do the less, and one multiprocessor gets the more of them, one after
// the other.
constexpr uint64_t longBlock = 1 << 12;
constexpr unsigned manyMultiprocessors = 128;

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
      : asked(sampledSettings(multiprocessors, sample)), settings(asked) {}
  simt::Settings asked;
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

void Sampler::trace(const std::function<void()>& launch) {
  parts_->feed.beginLaunches();
  parts_->trace = {};
  simt::recordTrace(&parts_->trace, {.maxSteps = size_t(1) << 22,
                                     .blockEnded = [this] { parts_->feed.take(parts_->trace); }});
  try {
    launch();
  } catch (...) {
    simt::recordTrace(nullptr);
    throw;
  }
  simt::recordTrace(nullptr);
}

size_t Sampler::run(const std::function<void()>& launch) {
  simt::Settings settings = parts_->asked;
  if (settings.multiprocessors >= manyMultiprocessors) {
    trace(launch);
    return parts_->feed.size();
  }
  const size_t before = parts_->feed.size();
  try {
    settings.mostTurns = longBlock;
    const simt::WithSettings bounded(settings);
    trace(launch);
  } catch (const simt::Fault& fault) {
    if (fault.kind != simt::Fault::Kind::endlessLoop) throw;
    parts_->feed.dropFrom(before);
    settings = parts_->asked;
    settings.multiprocessors = manyMultiprocessors;
    const simt::WithSettings larger(settings);
    trace(launch);
  }
  return parts_->feed.size();
}

size_t Sampler::launched() const { return parts_->feed.size(); }

SampledLaunches Sampler::take() {
  const bool cutOff = parts_->feed.cutOff();
  return {parts_->feed.launches(), cutOff};
}

}  // namespace estimate
