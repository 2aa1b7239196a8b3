#include "estimate/feed.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <span>

#include "estimate/feed_program.h"
#include "estimate/repeated_loops.h"

namespace estimate {
namespace {

using Kind = Operation::Kind;
using StepKind = simt::TraceStep::Kind;

constexpr uint64_t sectorBytes = 32, lineBytes = 128, pieceBytes = 512;

Kind kindOf(const simt::TraceStep& step) {
  const bool shared = step.space == simt::MemorySpace::shared;
  switch (step.kind) {
    case StepKind::load: return shared ? Kind::sharedLoad : Kind::load;
    case StepKind::store: return shared ? Kind::sharedStore : Kind::store;
    case StepKind::atomic: return shared ? Kind::sharedAtomic : Kind::atomic;
    case StepKind::shuffle: return Kind::shuffle;
    case StepKind::vote:
    case StepKind::reduce: return Kind::vote;
    case StepKind::warpBarrier: return Kind::warpBarrier;
    case StepKind::blockBarrier: return Kind::blockBarrier;
    case StepKind::gridBarrier: return Kind::gridBarrier;
    default: return Kind::instructions;
  }
}

template <typename Function>
void forEachLane(uint32_t lanes, Function&& function) {
  for (; lanes != 0; lanes &= lanes - 1) function(unsigned(std::countr_zero(lanes)));
}

// What the lanes of one request touch: each once, in order.
class Places {
 public:
  void add(uint64_t place) {
    if (count_ == 0 || all_[count_ - 1] != place) all_[count_++] = place;
  }
  std::span<const uint64_t> sorted() {
    uint64_t* const end = all_.data() + count_;
    if (!std::is_sorted(all_.data(), end)) std::sort(all_.data(), end);
    count_ = size_t(std::unique(all_.data(), end) - all_.data());
    return {all_.data(), count_};
  }

 private:
  static constexpr size_t most = 32 * 9;  // sectors that 255 bytes of each lane can lie in
  std::array<uint64_t, most> all_;
  size_t count_ = 0;
};

LaneShape shapeOf(const simt::Trace& trace, const simt::TraceStep& step, uint64_t lowest) {
  if (step.kind != StepKind::load) return {};
  LaneShape shape{step.lanes, 0, 0};
  Places distances;
  uint64_t all = 16;
  forEachLane(step.lanes, [&](unsigned lane) {
    const uint64_t distance = trace.address(step, lane) - lowest;
    distances.add(distance);
    all |= distance;
    shape.hash = (shape.hash ^ distance) * 0x9e3779b97f4a7c15u;
    shape.hash ^= shape.hash >> 29;
  });
  shape.distinct = uint8_t(distances.sorted().size());
  shape.alignment = uint8_t(all & -all);
  return shape;
}

// A unit of L2 updates the addresses of a sector at the same time, and each with one lane after the
// other.
struct Turns {
  unsigned all = 0, ofWholeSectors = 0;  // that update all of a sector's bytes
};

Turns turnsOf(const simt::Trace& trace, const simt::TraceStep& step) {
  std::map<uint64_t, std::map<uint64_t, unsigned>> sectors;  // lanes of each address
  forEachLane(step.lanes, [&](unsigned lane) {
    const uint64_t address = trace.address(step, lane);
    ++sectors[address / sectorBytes][address];
  });
  Turns turns;
  for (const auto& [sector, addresses] : sectors) {
    unsigned fewest = 32, most = 0;
    for (const auto& [address, lanes] : addresses) {
      fewest = std::min(fewest, lanes);
      most = std::max(most, lanes);
    }
    turns.all += most;
    if (addresses.size() * step.bytes >= sectorBytes) turns.ofWholeSectors += fewest;
  }
  return turns;
}

bool isGlobalAccess(const Operation& o) {
  return o.kind == Operation::Kind::load || o.kind == Operation::Kind::store ||
         o.kind == Operation::Kind::atomic;
}

}  // namespace

Feed::TakenLaunch& Feed::launchOf(const simt::TracedBlock& block) {
  if (long(block.launch) != number_) {
    number_ = long(block.launch);
    Launch launch;
    launch.kernel = block.kernel;
    launch.blocks = uint64_t(block.grid.x) * block.grid.y * block.grid.z;
    launch.threads = block.size.x * block.size.y * block.size.z;
    launch.sharedBytes = block.sharedBytes;
    if (!taken_.empty()) taken_.back().forget();
    taken_.push_back({.launch = std::move(launch)});
  }
  return taken_.back();
}

// The array of global memory that an address lies in, as the launch numbers them.
uint16_t Feed::arrayOf(const simt::Trace& trace, uint64_t from, uint64_t to, TakenLaunch& launch) {
  for (const simt::TracedArray& array : trace.arrays) {
    if (from - array.address >= array.bytes) continue;
    const auto [known, isNew] = launch.arrays.try_emplace(array.address);
    TakenLaunch::Extent& extent = known->second;
    if (isNew) {
      extent = {uint16_t(launch.launch.arrays.size()), from, to};
      launch.launch.arrays.push_back(0);
    }
    extent.from = std::min(extent.from, from);
    extent.to = std::max(extent.to, to);
    launch.launch.arrays[extent.place] = extent.to - extent.from;
    return extent.place;
  }
  return 0;
}

// Whether a sector comes from memory for the step at this place: for the first that reads it. Of
// blocks that run side by side, that is the one whose warp has made fewer reads before, whatever
// their numbers.
bool Feed::readsFirst(TakenLaunch& launch, uint64_t sector, const FirstRead& place) {
  const auto [first, isNew] = launch.read.tryEmplace(sector, place);
  if (isNew) return true;
  const uint64_t number = launch.blocks[place.block].number;
  if (first.before <= place.before || launch.blocks[first.block].number + 1 != number) return false;
  Operation& later = launch.blocks[first.block].warps[first.warp].steps[first.step].operation;
  --later.memorySectors;
  ++later.l2Sectors;
  later.aloneSectors = std::min(later.aloneSectors, later.memorySectors);
  first = place;
  return true;
}

Operation Feed::operationOf(const simt::Trace& trace, const simt::TraceStep& step,
                            TakenLaunch& launch, Touched& block, const FirstRead& place) {
  Operation o;
  o.kind = kindOf(step);
  o.lanes = uint8_t(std::popcount(step.lanes));
  o.bytes = step.bytes;
  if (step.space == simt::MemorySpace::none) return o;
  uint64_t lowest = UINT64_MAX, highest = 0;
  Places sectors, lines;
  forEachLane(step.lanes, [&](unsigned lane) {
    const uint64_t address = trace.address(step, lane);
    lowest = std::min(lowest, address);
    highest = std::max(highest, address + step.bytes);
    for (uint64_t s = address / sectorBytes; s <= (address + step.bytes - 1) / sectorBytes; ++s)
      sectors.add(s);
  });
  o.address = lowest;
  if (step.kind == StepKind::atomic) {
    const Turns turns =
        step.space == simt::MemorySpace::shared ? Turns{step.conflicts + 1u} : turnsOf(trace, step);
    o.passes = uint16_t(turns.all);
    o.wholeSectors = uint16_t(turns.ofWholeSectors);
  }
  if (step.space == simt::MemorySpace::shared) {
    for (const simt::TracedArray& array : trace.arrays)
      if (lowest - array.address < array.bytes) launch.shared[array.address] = array.bytes;
    if (step.kind != StepKind::atomic) {
      const unsigned fewest = step.bytes >= 16  ? (o.lanes + 7u) / 8
                              : step.bytes == 8 ? (o.lanes + 15u) / 16
                                                : 1;
      o.conflicts = uint16_t(step.conflicts);
      o.passes = uint16_t(fewest + step.conflicts);
    }
    return o;
  }
  o.array = arrayOf(trace, lowest, highest, launch);
  const bool writes = step.kind != StepKind::load;
  if (step.kind == StepKind::atomic)
    for (const uint64_t sector : sectors.sorted()) {
      const uint64_t piece = sector * sectorBytes / pieceBytes;
      if (!block.atomicPieces.tryEmplace(piece, {}).second) continue;
      const auto [isShared, isNew] = launch.atomicPieces.tryEmplace(piece, false);
      if (isNew) ++launch.piecesOfOneBlock;
      if (isNew || isShared) continue;
      isShared = true;
      --launch.piecesOfOneBlock;
      ++launch.sharedPieces;
    }
  for (const uint64_t sector : sectors.sorted()) {
    lines.add(sector * sectorBytes / lineBytes);
    auto& ofBlock = writes ? block.written : block.read;
    const bool byBlock = !ofBlock.tryEmplace(sector, {}).second;
    if (!writes && !byBlock) ++block.lines.tryEmplace(sector * sectorBytes / lineBytes, 0).first;
    // What a block or the launch wrote, it need not read from further away.
    if (byBlock || (!writes && block.written.contains(sector)))
      ++o.l1Sectors;
    else if (writes ? !launch.written.tryEmplace(sector, {}).second
                    : launch.written.contains(sector))
      ++o.l2Sectors;
    else if (writes || readsFirst(launch, sector, place))
      ++o.memorySectors;
    else
      ++o.l2Sectors;
  }
  o.lines = uint16_t(lines.sorted().size());
  return o;
}

void Feed::take(simt::Trace& trace) {
  std::vector<TakenBlock*> blocks;
  std::vector<Touched> touched(trace.blocks.size());
  for (const simt::TracedBlock& block : trace.blocks) {
    const uint64_t number = simt::numberOf(block.index, block.grid);
    TakenLaunch& launch = launchOf(block);
    const unsigned warps = (launch.launch.threads + 31) / 32;
    launch.blocks.push_back({number, std::vector<TakenWarp>(warps)});
  }
  if (!taken_.empty())
    for (size_t i = 0; i < trace.blocks.size(); ++i)
      blocks.push_back(
          &taken_.back().blocks[taken_.back().blocks.size() - trace.blocks.size() + i]);
  std::vector<std::pair<const simt::TraceStep*, FirstRead>> fromMemory;
  for (const simt::TraceStep& step : trace.steps) {
    TakenLaunch& launch = taken_.back();
    Touched& block = touched[step.block];
    block.reads.resize(blocks[step.block]->warps.size());
    std::vector<Step>& steps = blocks[step.block]->warps[step.warp].steps;
    if (step.behindFence)
      steps.push_back({Operation{.kind = Kind::fence, .lanes = 32}, step.pc, {}});
    const FirstRead place{uint32_t(blocks[step.block] - launch.blocks.data()), step.warp,
                          uint32_t(steps.size()), block.reads[step.warp]};
    const Operation operation = operationOf(trace, step, launch, block, place);
    steps.push_back({operation, step.pc, shapeOf(trace, step, operation.address)});
    if (operation.kind != Kind::load) continue;
    ++block.reads[step.warp];
    if (operation.memorySectors > 0) fromMemory.emplace_back(&step, place);
  }
  for (const auto& [step, place] : fromMemory) {
    Places alone;  // sectors of whose line the block has read nothing else
    forEachLane(step->lanes, [&, &read = *step](unsigned lane) {
      const uint64_t address = trace.address(read, lane);
      if (touched[read.block].lines.tryEmplace(address / lineBytes, 0).first == 1)
        alone.add(address / sectorBytes);
    });
    Operation& o = blocks[step->block]->warps[place.warp].steps[place.step].operation;
    o.aloneSectors = uint16_t(std::min<size_t>(alone.sorted().size(), o.memorySectors));
  }
  cutOff_ = cutOff_ || trace.cutOff;
  trace.blocks.clear();
  trace.steps.clear();
  trace.words.clear();
}

// The executor makes a product of tensor cores out of twelve shuffles (simt/device/include/mma.h):
// how many steps, if one begins here. They stand on one line of the source, and in machine code
// three times four in a loop, or one after the other.
size_t Feed::tensorProduct(const std::vector<Step>& steps, size_t begin,
                           const std::map<const void*, std::string>& sourceOf) {
  constexpr size_t shuffles = 12, turn = 3;
  if (steps[begin].operation.kind != Kind::shuffle || !steps[begin].pc) return 0;
  std::vector<const void*> places;
  const std::string& source = sourceOf.at(steps[begin].pc);
  size_t i = begin;
  for (; i < steps.size() && places.size() < shuffles; ++i) {
    const Step& step = steps[i];
    if (step.operation.kind == Kind::instructions) continue;
    if (step.operation.kind != Kind::shuffle || step.operation.lanes != 32 || !step.pc ||
        sourceOf.at(step.pc) != source)
      return 0;
    places.push_back(step.pc);
  }
  if (places.size() < shuffles) return 0;
  const size_t distinct = std::set<const void*>(places.begin(), places.end()).size();
  // Of the three of a turn, two may be one in a loop of their own.
  const bool isLoop = places[0] != places[1] && distinct <= turn &&
                      std::equal(places.begin() + turn, places.end(), places.begin());
  return isLoop || distinct == shuffles ? i - begin : 0;
}

std::vector<Launch> Feed::launches() {
  std::set<const void*> places, global;
  for (const TakenLaunch& launch : taken_)
    for (const TakenBlock& block : launch.blocks)
      for (const TakenWarp& warp : block.warps)
        for (const Step& step : warp.steps)
          if (step.pc) {
            places.insert(step.pc);
            if (isGlobalAccess(step.operation)) global.insert(step.pc);
          }
  const std::vector<const void*> list(places.begin(), places.end());
  const Instructions instructions(list, {global.begin(), global.end()});
  const std::vector<std::string> sources = simt::sourcesOf(list);
  std::map<const void*, std::string> sourceOf;
  for (size_t i = 0; i < list.size(); ++i) sourceOf[list[i]] = sources[i];

  std::vector<Launch> launches;
  for (TakenLaunch& taken : taken_) {
    Launch launch = std::move(taken.launch);
    uint64_t shared = 0;
    for (const auto& [address, bytes] : taken.shared) shared += bytes;
    launch.sharedBytes = std::max(launch.sharedBytes, uint32_t(shared));
    // Of blocks that are left out, too, each has as many of its own.
    launch.atomicPieces =
        double(taken.sharedPieces) + double(taken.piecesOfOneBlock) * double(launch.blocks) /
                                         double(std::max<size_t>(1, taken.blocks.size()));
    std::map<std::string, uint32_t> numbers = {{"", 0}};
    for (const TakenBlock& block : taken.blocks) {
      launch.sampled.push_back({block.number, {}});
      for (const TakenWarp& warp : block.warps) {
        ProgramWriter writer(instructions);
        for (size_t i = 0; i < warp.steps.size(); ++i) {
          const Step& step = warp.steps[i];
          const auto [number, isNew] = numbers.try_emplace(step.pc ? sourceOf[step.pc] : "",
                                                           uint32_t(launch.sources.size()));
          if (isNew) launch.sources.push_back(number->first);
          if (const size_t steps = tensorProduct(warp.steps, i, sourceOf); steps > 0) {
            writer.addTensorProduct(number->second);
            i += steps - 1;
            continue;
          }
          writer.add(step.operation, step.pc, number->second, step.shape);
        }
        launch.sampled.back().warps.push_back(writer.finish());
      }
      foldLoops(launch.sampled.back());
    }
    launches.push_back(std::move(launch));
  }
  taken_.clear();
  return launches;
}

}  // namespace estimate
