#include "simt/run/results.h"

#include <atomic>
#include <mutex>
#include <utility>

namespace simt {
namespace {

struct Results {
  std::mutex mutex;
  Counters counters;
  std::vector<Fault> faults;
  bool forgotten = false;
  uint64_t plainBlocks = 0;
  const char* whyNonePlain = nullptr;
  std::atomic<uint64_t> blocksEnded = 0, blocksOfLaunch = 0;
};
Results& results() {
  static auto& all = *new Results;  // programs launch until their very end
  return all;
}

}  // namespace

std::vector<Fault> takeFaults() {
  const std::scoped_lock lock(results().mutex);
  return std::exchange(results().faults, {});
}
void addFaults(const std::vector<Fault>& faults) {
  const std::scoped_lock lock(results().mutex);
  results().faults.insert(results().faults.end(), faults.begin(), faults.end());
}

Counters takeCounters() {
  const std::scoped_lock lock(results().mutex);
  return std::exchange(results().counters, Counters());
}
void addCounters(const Counters& counted) {
  const std::scoped_lock lock(results().mutex);
  results().counters += counted;
}

bool someForgotten() {
  const std::scoped_lock lock(results().mutex);
  return std::exchange(results().forgotten, false);
}
void noteForgotten() {
  const std::scoped_lock lock(results().mutex);
  results().forgotten = true;
}

uint64_t takePlainBlocks() {
  const std::scoped_lock lock(results().mutex);
  return std::exchange(results().plainBlocks, 0);
}
void notePlainBlocks(uint64_t blocks) {
  const std::scoped_lock lock(results().mutex);
  results().plainBlocks += blocks;
}

const char* takeWhyNonePlain() {
  const std::scoped_lock lock(results().mutex);
  return std::exchange(results().whyNonePlain, nullptr);
}
void noteWhyNonePlain(const char* why) {
  const std::scoped_lock lock(results().mutex);
  results().whyNonePlain = why;
}

Position position() { return {results().blocksEnded, results().blocksOfLaunch}; }
void notePosition(const Position& position) {
  results().blocksEnded.store(position.ended, std::memory_order_relaxed);
  results().blocksOfLaunch.store(position.blocks, std::memory_order_relaxed);
}

}  // namespace simt
