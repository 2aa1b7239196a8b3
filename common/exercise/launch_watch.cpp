#include "exercise/launch_watch.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "simt/observe/trace.h"
#include "simt/run/counting.h"
#include "simt/run/executor.h"

namespace {

using Kind = simt::TraceStep::Kind;

constexpr size_t wordBytes = 4;

// An array's elements, and which of them were touched.
class Touched {
 public:
  explicit Touched(DeviceSpan span)
      : begin_(reinterpret_cast<uintptr_t>(span.begin)),
        elementSize_(span.elementSize),
        touched_(span.elements) {}

  // The elements that these bytes are of: from the first up to the second.
  std::pair<size_t, size_t> of(uintptr_t address, size_t bytes) const {
    if (address < begin_ || address >= begin_ + touched_.size() * elementSize_) return {0, 0};
    const size_t first = (address - begin_) / elementSize_;
    return {first, std::min(touched_.size(), first + std::max<size_t>(1, bytes / elementSize_))};
  }
  void add(std::pair<size_t, size_t> range) {
    std::fill(touched_.begin() + long(range.first), touched_.begin() + long(range.second), true);
  }
  size_t count() const { return size_t(std::ranges::count(touched_, true)); }

 private:
  uintptr_t begin_;
  size_t elementSize_;
  std::vector<bool> touched_;
};

// Who may know what of the elements that are asked after: a bit for each. Nothing is forgotten, so
// that more is believed of a kernel than is true, and never less.
class Ways {
 public:
  Ways(const std::vector<size_t>& asked, size_t results) : ofResults_(results) {
    for (size_t i = 0; i < asked.size(); ++i) ofElements_[asked[i]] |= uint64_t(1) << i;
  }
  bool areAsked() const { return !ofElements_.empty(); }
  void beginBlock(size_t threads) { ofThreads_.assign(threads, 0); }
  void endBlock() { ofShared_.clear(); }

  void load(size_t thread, simt::MemorySpace space, uintptr_t address, size_t bytes,
            std::pair<size_t, size_t> elements) {
    for (size_t element = elements.first; element < elements.second; ++element)
      if (const auto found = ofElements_.find(element); found != ofElements_.end())
        ofThreads_[thread] |= found->second;
    const auto& words = space == simt::MemorySpace::shared ? ofShared_ : ofGlobal_;
    for (uintptr_t word = address / wordBytes; word * wordBytes < address + bytes; ++word)
      if (const auto found = words.find(word); found != words.end())
        ofThreads_[thread] |= found->second;
  }
  void store(size_t thread, simt::MemorySpace space, uintptr_t address, size_t bytes,
             std::pair<size_t, size_t> results) {
    const uint64_t known = ofThreads_[thread];
    if (known == 0) return;
    for (size_t result = results.first; result < results.second; ++result)
      ofResults_[result] |= known;
    auto& words = space == simt::MemorySpace::shared ? ofShared_ : ofGlobal_;
    for (uintptr_t word = address / wordBytes; word * wordBytes < address + bytes; ++word)
      words[word] |= known;
  }
  // Lanes hand each other what they have: of a shuffle each from another one, else all to all.
  void meet(const simt::Trace& trace, const simt::TraceStep& step) {
    uint64_t before[32] = {}, all = 0;
    const size_t first = size_t(step.warp) * 32,
                 width = std::min<size_t>(32, ofThreads_.size() - first);
    for (unsigned lane = 0; lane < width; ++lane) {
      before[lane] = ofThreads_[first + lane];
      if (step.lanes >> lane & 1) all |= before[lane];
    }
    for (unsigned lane = 0; lane < width; ++lane)
      if (step.lanes >> lane & 1)
        ofThreads_[first + lane] |=
            step.kind == Kind::shuffle ? before[trace.sourceLane(step, lane) % 32] : all;
  }
  std::vector<uint64_t> take() { return std::move(ofResults_); }

 private:
  using Words = std::unordered_map<uintptr_t, uint64_t>;  // by address / wordBytes
  std::unordered_map<size_t, uint64_t> ofElements_;
  std::vector<uint64_t> ofResults_, ofThreads_;
  Words ofShared_, ofGlobal_;
};

class Watcher {
 public:
  Watcher(DeviceSpan data, DeviceSpan results, const std::vector<size_t>& asked)
      : data_(data),
        results_(results),
        numberBytes_(data.elementSize),
        begin_(reinterpret_cast<uintptr_t>(data.begin)),
        ways_(asked, results.elements) {
    simt::recordTrace(&trace_,
                      {.maxSteps = size_t(1) << 24, .blockEnded = [this] { takeBlock(); }});
  }
  ~Watcher() { simt::recordTrace(nullptr); }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  Watched take() {
    if (!trace_.steps.empty()) takeBlock();  // of one that ended with a fault
    Watched watched{count_, ways_.take(), std::move(loads_)};
    Count& count = watched.count;
    count.blocks = double(blocks_);
    count.workingBlocks = double(workingBlocks_);
    count.busiestWarp = elements_ == 0 ? 0 : double(busiest_) * double(warps_) / double(elements_);
    count.loaded = data_.count();
    count.stored = results_.count();
    count.keptInShared =
        size_t(std::ranges::count_if(shared_, [](const auto& word) { return word.second.stored; }));
    count.neverLoaded = size_t(std::ranges::count_if(
        shared_, [](const auto& word) { return word.second.stored && !word.second.loaded; }));
    return watched;
  }

 private:
  struct Word {
    bool stored = false, loaded = false;
  };
  struct OfWarp {
    size_t elements = 0;  // that it loads
    size_t bytes = 0;     // that it gets, from wherever
    bool waits = false;   // it has used something since it loaded elements
  };

  static bool isAccess(const simt::TraceStep& step) {
    return step.space != simt::MemorySpace::none;
  }
  static bool loads(const simt::TraceStep& step) {
    return isAccess(step) && step.kind != Kind::store;
  }
  static bool stores(const simt::TraceStep& step) {
    return isAccess(step) && step.kind != Kind::load;
  }
  static bool isMeeting(const simt::TraceStep& step) {
    return step.kind == Kind::shuffle || step.kind == Kind::vote || step.kind == Kind::reduce;
  }

  void takeBlock() {
    const dim3 size = trace_.blocks.back().size;
    const size_t threads = size_t(size.x) * size.y * size.z;
    ofWarps_.assign((threads + 31) / 32, {});
    ofThreads_.assign(ofWarps_.size() * 32, 0);
    for (const simt::TraceStep& step : trace_.steps) takeStep(step);
    if (ways_.areAsked()) followWays();
    const size_t busiest = std::ranges::max(ofWarps_, {}, &OfWarp::elements).elements;
    blocks_ += 1;
    workingBlocks_ += busiest > 0;
    warps_ += ofWarps_.size();
    busiest_ = std::max(busiest_, busiest);
    const size_t ofWarp = std::ranges::max(ofWarps_, {}, &OfWarp::bytes).bytes;
    count_.numbersOfWarp = std::max(count_.numbersOfWarp, ofWarp / numberBytes_);
    count_.numbersOfThread =
        std::max(count_.numbersOfThread, std::ranges::max(ofThreads_) / numberBytes_);
    trace_.blocks.clear();
    trace_.steps.clear();
    trace_.words.clear();
  }

  void takeStep(const simt::TraceStep& step) {
    OfWarp& ofWarp = ofWarps_[step.warp];
    const size_t elementsBefore = ofWarp.elements;
    if (isAccess(step))
      takeAccess(step, ofWarp);
    else if (step.kind == Kind::shuffle)
      ofWarp.bytes += size_t(std::popcount(step.lanes)) * wordBytes;
    // To load is not to wait, nor is to go on.
    const bool uses = step.kind != Kind::load && step.kind != Kind::code;
    ofWarp.waits = uses || (ofWarp.waits && ofWarp.elements == elementsBefore);
  }

  void takeAccess(const simt::TraceStep& step, OfWarp& ofWarp) {
    uint64_t places = 0xcbf29ce484222325u ^ step.lanes;
    size_t elements = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((step.lanes >> lane & 1) == 0) continue;
      const uintptr_t address = trace_.address(step, lane);
      if (loads(step)) {
        ofWarp.bytes += step.bytes;
        ofThreads_[size_t(step.warp) * 32 + lane] += step.bytes;
      }
      if (step.space == simt::MemorySpace::shared) {
        for (uintptr_t at = address; at < address + step.bytes; at += wordBytes) {
          Word& word = shared_[at / wordBytes];
          word.loaded |= loads(step);
          word.stored |= stores(step);
        }
        continue;
      }
      if (stores(step)) results_.add(results_.of(address, step.bytes));
      if (!loads(step)) continue;
      const auto range = data_.of(address, step.bytes);
      data_.add(range);
      elements += range.second - range.first;
      places = (places ^ (address - begin_)) * 0x100000001b3u;
    }
    if (elements == 0) return;
    ofWarp.elements += elements;
    elements_ += elements;
    loads_[{blocks_, step.warp}].push_back({places, step.lanes, unsigned(elements), ofWarp.waits});
  }

  // Twice: of warps that wait for each other by flags, steps may stand in another order.
  void followWays() {
    ways_.beginBlock(ofThreads_.size());
    for (unsigned turn = 0; turn < 2; ++turn)
      for (const simt::TraceStep& step : trace_.steps) {
        if (isMeeting(step)) ways_.meet(trace_, step);
        for (unsigned lane = 0; isAccess(step) && lane < 32; ++lane) {
          if ((step.lanes >> lane & 1) == 0) continue;
          const size_t thread = size_t(step.warp) * 32 + lane;
          const uintptr_t address = trace_.address(step, lane);
          if (loads(step))
            ways_.load(thread, step.space, address, step.bytes, data_.of(address, step.bytes));
          if (stores(step))
            ways_.store(thread, step.space, address, step.bytes, results_.of(address, step.bytes));
        }
      }
    ways_.endBlock();
  }

  simt::Trace trace_;
  Touched data_, results_;
  const size_t numberBytes_;
  const uintptr_t begin_;
  Ways ways_;
  LoadsOfWarps loads_;
  Count count_;
  std::unordered_map<uintptr_t, Word> shared_;  // by address / wordBytes
  std::vector<OfWarp> ofWarps_;
  std::vector<size_t> ofThreads_;  // bytes that they get
  size_t blocks_ = 0, workingBlocks_ = 0, warps_ = 0, busiest_ = 0, elements_ = 0;
};

}  // namespace

Watched watchLaunches(const std::function<void()>& launches, DeviceSpan data, DeviceSpan results,
                      const Extent& extent, const std::vector<size_t>& asked) {
  const simt::WithSettings scope(simt::settingsToCount());
  Watcher watcher(data, results, asked);
  simt::takeCounters();
  launches();
  Watched watched = watcher.take();
  static_cast<simt::Counters&>(watched.count) = simt::takeCounters();
  watched.count.extent = extent;
  watched.count.underWay = loadsUnderWay(watched.loads, watched.loads);
  return watched;
}

double loadsUnderWay(const LoadsOfWarps& loads, const LoadsOfWarps& onOtherData) {
  size_t elements = 0, waits = 0;
  for (const auto& [warp, ofWarp] : loads) {
    const auto found = onOtherData.find(warp);
    size_t same = 0;  // loads before the first that is another one
    while (found != onOtherData.end() && same < std::min(ofWarp.size(), found->second.size()) &&
           ofWarp[same].places == found->second[same].places)
      ++same;
    uint32_t lanes = 0;  // of the loads that are under way
    for (size_t i = 0; i < ofWarp.size(); ++i) {
      if (ofWarp[i].waits || i >= same) {
        waits += size_t(std::popcount(lanes));
        lanes = 0;
      }
      lanes |= ofWarp[i].lanes;
      elements += ofWarp[i].elements;
    }
    waits += size_t(std::popcount(lanes));
  }
  return waits == 0 ? 0 : double(elements) / double(waits);
}
