// Counts what launches do, block after block, from the executor's trace.
#include <algorithm>
#include <unordered_map>

#include "exercise/goals.h"
#include "simt/observe/counting.h"
#include "simt/observe/trace.h"
#include "simt/run/executor.h"

namespace {

// Which elements of an array were touched.
class Touched {
 public:
  explicit Touched(DeviceSpan span)
      : begin_(reinterpret_cast<uintptr_t>(span.begin)),
        elementSize_(span.elementSize),
        touched_(span.elements) {}

  // How many elements these bytes are of.
  size_t add(uintptr_t address, size_t bytes) {
    if (address < begin_ || address >= begin_ + touched_.size() * elementSize_) return 0;
    const size_t first = (address - begin_) / elementSize_;
    const size_t end = std::min(touched_.size(), first + std::max<size_t>(1, bytes / elementSize_));
    std::fill(touched_.begin() + long(first), touched_.begin() + long(end), true);
    return end - first;
  }
  size_t count() const { return size_t(std::ranges::count(touched_, true)); }

 private:
  uintptr_t begin_;
  size_t elementSize_;
  std::vector<bool> touched_;
};

class Watcher {
 public:
  Watcher(DeviceSpan data, DeviceSpan results) : data_(data), results_(results) {
    simt::recordTrace(&trace_,
                      {.maxSteps = size_t(1) << 24, .blockEnded = [this] { takeBlock(); }});
  }
  ~Watcher() { simt::recordTrace(nullptr); }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  void addTo(Count& count) const {
    count.blocks = double(blocks_);
    count.workingBlocks = double(workingBlocks_);
    count.busiestWarp = elements_ == 0 ? 0 : double(busiest_) * double(warps_) / double(elements_);
    count.loaded = data_.count();
    count.stored = results_.count();
    count.keptInShared =
        size_t(std::ranges::count_if(shared_, [](const auto& word) { return word.second.stored; }));
    count.neverLoaded = size_t(std::ranges::count_if(
        shared_, [](const auto& word) { return word.second.stored && !word.second.loaded; }));
  }

 private:
  struct Word {
    bool stored = false, loaded = false;
  };

  void takeBlock() {
    const dim3 size = trace_.blocks.back().size;
    std::vector<size_t> ofWarps((size_t(size.x) * size.y * size.z + 31) / 32);
    for (const simt::TraceStep& step : trace_.steps)
      if (step.space != simt::MemorySpace::none) takeStep(step, ofWarps[step.warp]);
    const size_t busiest = std::ranges::max(ofWarps);
    blocks_ += 1;
    workingBlocks_ += busiest > 0;
    warps_ += ofWarps.size();
    busiest_ = std::max(busiest_, busiest);
    trace_.blocks.clear();
    trace_.steps.clear();
    trace_.words.clear();
  }

  void takeStep(const simt::TraceStep& step, size_t& ofWarp) {
    const bool loads = step.kind != simt::TraceStep::Kind::store;
    const bool stores = step.kind != simt::TraceStep::Kind::load;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((step.lanes >> lane & 1) == 0) continue;
      const uintptr_t address = trace_.address(step, lane);
      if (step.space == simt::MemorySpace::shared) {
        for (uintptr_t at = address; at < address + step.bytes; at += 4) {
          Word& word = shared_[at / 4];
          word.loaded |= loads;
          word.stored |= stores;
        }
        continue;
      }
      if (stores) results_.add(address, step.bytes);
      if (!loads) continue;
      const size_t elements = data_.add(address, step.bytes);
      ofWarp += elements;
      elements_ += elements;
    }
  }

  simt::Trace trace_;
  Touched data_, results_;
  std::unordered_map<uintptr_t, Word> shared_;  // by address / 4
  size_t blocks_ = 0, workingBlocks_ = 0, warps_ = 0, busiest_ = 0, elements_ = 0;
};

}  // namespace

Count countLaunches(const std::function<void()>& launches, DeviceSpan data, DeviceSpan results,
                    const Extent& extent) {
  const simt::WithSettings scope(simt::settingsToCount());
  Count count;
  Watcher watcher(data, results);
  simt::takeCounters();
  launches();
  static_cast<simt::Counters&>(count) = simt::takeCounters();
  count.extent = extent;
  watcher.addTo(count);
  return count;
}
