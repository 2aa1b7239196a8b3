#include "estimate/found_in_caches.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "estimate/between.h"

namespace estimate {

namespace {

// Of what is read at random places L2 keeps 0.4 of its size: its halves keep copies, and other
// things go through it (bytes from memory, counted for tables of 16 MiB to 1 GiB on an H200 and an
// H100).
constexpr double keptAtRandom = 0.4;
// … of arrays of threads 0.7 (likewise, for 27 to 138 MB on an H100).
constexpr double keptOfOwn = 0.7;

// Of sectors that are read at random places among so many bytes, the part that comes from memory:
// it brings 64 bytes at a time, and what came before is found.
double partAtRandom(double sectors, double bytes, const Card& card) {
  const double pairs = std::max(1.0, bytes / 64);
  const double room = std::min(1.0, keptAtRandom * card.l2Bytes / std::max(1.0, bytes));
  const double whenFull = room < 1 ? -pairs * std::log(1 - room) : sectors;
  const double until = std::min(sectors, whenFull);
  return (pairs * (1 - std::exp(-until / pairs)) + (sectors - until) * (1 - room)) / sectors;
}

// How blocks go through what they read of an array: each somewhat further on than the one before.
struct WayThrough {
  bool goesOn = true;
  uint64_t first = UINT64_MAX, last = 0;  // where the first and the last of them begin
  uint64_t widest = 0;                    // what lies between the ends of one
  void add(uint64_t from, uint64_t to) {
    if (from >= to) return;
    first = std::min(first, from);
    goesOn = goesOn && from >= last;
    last = std::max(last, from);
    widest = std::max(widest, to - from);
  }
  // Between the first block that reads a place and the last, what all bring in of so many bytes.
  double between(double bytes, double all) const {
    const bool isThrough = goesOn && last > first && 3 * double(last - first) > bytes;
    return isThrough ? double(widest) / bytes * all : INFINITY;
  }
};

// What L1 lacks of an array of each thread, by how much of L1 all that comes between would fill: of
// 16 and 64 warps that go through theirs, 12 to 256 words of 4 bytes long, in turn (H100).
constexpr std::array<std::pair<double, double>, 8> lackingOfOwn = {
    {{0.4, 0}, {0.6, 0.06}, {1, 0.25}, {1.5, 0.4}, {1.75, 0.5}, {2, 0.8}, {3, 0.93}, {4, 0.98}}};

}  // namespace

ComesOnce::ComesOnce(const Launch& launch, const std::vector<const Block*>& typical,
                     const Card& card, double atOnce)
    : parts_(4 * launch.arrays.size(), 1), rest_(parts_.size(), 0), byBlocks_(parts_.size()) {
  std::vector<double> touched(parts_.size(), 0);  // sectors, by all blocks
  std::vector<uint64_t> from(parts_.size(), UINT64_MAX), to(parts_.size(), 0);
  std::map<std::pair<size_t, size_t>, double> byEach;  // … by each operation of a warp
  std::vector<WayThrough> ways(launch.arrays.size());
  for (const Block* block : typical) {
    std::vector<std::pair<uint64_t, uint64_t>> reads(ways.size(), {UINT64_MAX, 0});
    for (const Warp& warp : block->warps)
      for (size_t i = 0; i < warp.operations.size(); ++i) {
        const Operation& o = warp.operations[i];
        const size_t at = placeOf(o);
        const double sectors =
            o.memorySectors * warp.timesOf(i) / double(typical.size()) * double(launch.blocks);
        touched[at] += sectors;
        byEach[{at, i}] += sectors;
        from[at] = std::min(from[at], o.address);
        to[at] = std::max(to[at], o.address + o.extent);
        if (at % 4 != 0 || o.lanes == 0) continue;
        auto& [low, high] = reads[at / 4];
        low = std::min(low, o.address), high = std::max(high, o.address + o.extent);
      }
    for (size_t a = 0; a < ways.size(); ++a) ways[a].add(reads[a].first, reads[a].second);
  }
  const double ofAll = std::accumulate(launch.arrays.begin(), launch.arrays.end(), 0.0);
  for (size_t at = 4; at < touched.size(); at += 2) {
    const double bytes = double(launch.arrays[at / 4]);
    const double all = 32 * (touched[at] + touched[at + 1]);
    const bool isWritten = at % 4 == 2;
    if (!isWritten && touched[at + 1] > 0)
      parts_[at + 1] = partAtRandom(touched[at + 1], double(to[at + 1] - from[at + 1]), card);
    if (all <= bytes) continue;
    // Half of L2 is for what is written: see writesReachMemory.
    const double room = std::min(1.0, (isWritten ? card.l2Bytes / 2 : card.l2Bytes) / bytes);
    // What is read again soon is still there, however large the array is.
    const bool isSoon = !isWritten && ways[at / 4].between(bytes, ofAll) < card.l2Bytes / 4;
    if (room == 1 || isSoon) parts_[at] = bytes / all;
    // Where one load of all blocks goes through an array several times, it is not their neighbours
    // that read the same.
    const bool again = std::ranges::any_of(byEach, [&](const auto& each) {
      return each.first.first == at && 32 * each.second > 1.5 * bytes;
    });
    byBlocks_[at] = !isWritten && again && parts_[at] * double(launch.blocks) > atOnce;
    if (isWritten) parts_[at + 1] = 1 - room * (1 - bytes / all);
  }
}

Block ComesOnce::applied(Block block) {
  // What is read again when those that read it are gone, whole blocks find, or nothing of it.
  std::vector<bool> finds(parts_.size(), false);
  for (size_t at = 0; at < parts_.size(); ++at) {
    if (!byBlocks_[at]) continue;
    rest_[at] += parts_[at];
    finds[at] = rest_[at] < 1;
    rest_[at] -= finds[at] ? 0 : 1;
  }
  for (Warp& warp : block.warps)
    for (Operation& o : warp.operations) {
      const size_t at = placeOf(o);
      if (parts_[at] >= 1 || (byBlocks_[at] && !finds[at])) continue;
      if (!byBlocks_[at]) rest_[at] += o.memorySectors * parts_[at];
      const auto sectors =
          uint16_t(byBlocks_[at] ? 0 : std::min(rest_[at], double(o.memorySectors)));
      rest_[at] -= sectors;
      o.l2Sectors = uint16_t(o.l2Sectors + o.memorySectors - sectors);
      const bool atRandom = at % 2 == 1;  // who read it did so long before
      if (!atRandom) o.othersSectors = uint16_t(o.othersSectors + o.memorySectors - sectors);
      const double part = double(sectors) / std::max(1.0, double(o.memorySectors));
      o.memorySectors = sectors;
      for (uint16_t* some : {&o.aloneSectors, &o.sparseSectors, &o.partialSectors})
        *some = uint16_t(*some * part + 0.5);
    }
  return block;
}

BroughtAtTheStart::BroughtAtTheStart(const Launch& launch) {
  constexpr size_t start = 32;  // operations
  if (launch.sampled.size() < 2 || launch.sampled[0].warps.empty()) return;
  const Block& first = launch.sampled[0];
  const std::vector<Operation>& all = first.warps[0].operations;
  const auto at = [](const Block& block, size_t warp, size_t i) -> const Operation* {
    const bool isThere = warp < block.warps.size() && i < block.warps[warp].operations.size();
    return isThere ? &block.warps[warp].operations[i] : nullptr;
  };
  for (size_t i = 0; i < std::min(start, all.size()); ++i) {
    const Operation& o = all[i];
    if (o.kind != Operation::Kind::load || o.isLocal || o.neededAt == Operation::never) continue;
    // Each block's part begins so many bytes behind that of the one before.
    const Operation* const second = at(launch.sampled[1], 0, i);
    const auto blocks = int64_t(launch.sampled[1].number - first.number);
    const int64_t step = second && blocks != 0 ? int64_t(second->address - o.address) / blocks : 0;
    const bool goesOn =
        step > 0 && std::ranges::all_of(launch.sampled, [&](const Block& block) {
          const Operation* const its = at(block, 0, i);
          return its && its->kind == o.kind && its->array == o.array &&
                 int64_t(its->address - o.address) == int64_t(block.number - first.number) * step;
        });
    uint64_t end = 0;
    for (size_t w = 0; w < first.warps.size(); ++w)
      if (const Operation* const its = at(first, w, i))
        end = std::max(end, its->address + its->extent);
    if (!goesOn || end < o.address + uint64_t(step)) continue;
    const uint64_t from = o.address - first.number * uint64_t(step);
    parts_.push_back({o.array, from, from + launch.blocks * uint64_t(step), o.neededAt});
  }
}

Block BroughtAtTheStart::applied(Block block) const {
  for (Warp& warp : block.warps)
    for (size_t i = 0; i < warp.operations.size(); ++i) {
      Operation& o = warp.operations[i];
      const auto has = [&](const Part& part) {
        return part.array == o.array && part.neededAt < i && part.from <= o.address &&
               o.address + o.extent <= part.to;
      };
      if (o.kind != Operation::Kind::load || std::ranges::none_of(parts_, has)) continue;
      o.l2Sectors = uint16_t(o.l2Sectors + o.memorySectors);
      o.memorySectors = o.broughtSectors = o.aloneSectors = o.sparseSectors = o.othersSectors = 0;
    }
  return block;
}

InL1::InL1(const Launch& launch, const std::vector<const Block*>& typical, const Card& card,
           double blocks, double blocksInAll)
    : kept_(launch.arrays.size(), 0), isOwn_(launch.arrays.size(), false) {
  // Of an array of 200 KB that all threads search at random, an H100's L1 of 256 lacks nothing.
  constexpr double lineBytes = 128, besideShared = 28 * 1024, mostOfL1 = 0.8;
  const double warpsOfBlock = std::ceil(launch.threads / warpWidth), warps = blocks * warpsOfBlock;
  const double shared = launch.sharedBytes > 0 ? launch.sharedBytes + card.reservedSharedBytes : 0;
  const double bytes = std::max(besideShared, card.sharedBytes + besideShared - shared * blocks);
  lines_ = bytes / lineBytes / std::max(1.0, warps);
  const double warpsOfAll =
      std::min(warps * card.multiprocessors, double(launch.blocks) * warpsOfBlock);
  l2Lines_ = card.l2Bytes / lineBytes / std::max(1.0, warpsOfAll);
  const double local = localBytes(typical) * blocks * card.multiprocessors;
  beyondL2_ = local > 0 ? std::max(0.0, 1 - keptOfOwn * card.l2Bytes / local) : 0;
  std::vector<double> touched(launch.arrays.size(), 0), written = touched;
  for (const Block* block : typical)
    for (const Warp& warp : block->warps)
      for (const Operation& o : warp.operations)
        if (o.kind == Operation::Kind::load)
          touched[o.array] += o.memorySectors + o.l2Sectors;
        else if (o.kind == Operation::Kind::store)
          written[o.array] += o.memorySectors + o.l2Sectors;
  if (launch.commonLines * lineBytes <= bytes / 2) keptCommon_ = 1 - 1 / std::max(1.0, blocksInAll);
  for (size_t i = 1; i < touched.size(); ++i) {
    const double sectors = blocksInAll / double(typical.size());
    const double all = 32 * touched[i] * sectors;
    isOwn_[i] = 32 * std::max(touched[i], written[i]) * sectors * card.multiprocessors <
                1.2 * double(launch.arrays[i]);
    if (double(launch.arrays[i]) <= mostOfL1 * bytes && all > double(launch.arrays[i]))
      kept_[i] = 1 - double(launch.arrays[i]) / all;
  }
}

bool InL1::changes(const Block& block) const {
  return std::ranges::any_of(block.warps, [&](const Warp& warp) {
    return std::ranges::any_of(warp.operations,
                               [&](const Operation& o) { return far(o) > 0 || kept(o) > 0; });
  });
}

Block InL1::applied(Block block) {
  for (Warp& warp : block.warps)
    for (Operation& o : warp.operations) {
      // Of warps that touch the same, side by side, one brings it for all.
      const uint16_t toL2 = part(farRest_, o.l1Sectors * far(o) / o.warpsOfLines);
      o.l1Sectors = uint16_t(o.l1Sectors - toL2), o.l2Sectors = uint16_t(o.l2Sectors + toL2);
      const bool isStored = o.kind == Operation::Kind::store;
      if (o.isLocal) {
        // What is stored goes to L2, and on from there, wherever it was before.
        o.l2Sectors = uint16_t(o.l2Sectors + (isStored ? std::exchange(o.l1Sectors, 0) : 0));
        o.memorySectors = part(memoryRest_, o.l2Sectors * beyondL2_);
        o.l2Sectors = uint16_t(o.l2Sectors - o.memorySectors);
        const bool isWhole = o.lanes * o.bytes >= 32 * (o.memorySectors + o.l2Sectors);
        o.sparseSectors = uint16_t(isWhole ? o.memorySectors / 2 : 0);
        o.aloneSectors = isWhole ? 0 : o.memorySectors;
      } else if (isOwn_[o.array]) {
        uint16_t& from = isStored ? o.l1Sectors : o.l2Sectors;
        const uint16_t again = isStored ? o.l1Sectors : toL2;
        double& rest = isStored ? writtenRest_ : againRest_;
        rest += again > 0 ? farthest(o) : 0;  // requests find all or nothing
        if (rest >= 1) {
          rest -= 1;
          o.memorySectors = uint16_t(o.memorySectors + again);
          from = uint16_t(from - again);
          if (again < 2 * o.lines) o.aloneSectors = uint16_t(o.aloneSectors + again);
        }
      }
      const double keep = kept(o);
      if (keep == 0) continue;
      const uint16_t memory = part(keptMemoryRest_, o.memorySectors * keep);
      const uint16_t l2 = part(keptL2Rest_, o.l2Sectors * keep);
      o.memorySectors = uint16_t(o.memorySectors - memory);
      o.l2Sectors = uint16_t(o.l2Sectors - l2);
      o.l1Sectors = uint16_t(o.l1Sectors + memory + l2);
      o.aloneSectors = std::min(o.aloneSectors, o.memorySectors);
      o.sparseSectors = std::min(o.sparseSectors, o.memorySectors);
    }
  return block;
}

double InL1::far(const Operation& o) const {
  if (o.l1Sectors == 0 || (!o.isLocal && o.kind != Operation::Kind::load)) return 0;
  const double share = double(o.linesSince) / lines_;
  return o.isLocal ? between(lackingOfOwn, share) : std::clamp((share - 0.85) / 0.4, 0.0, 1.0);
}

// Of what no other block reads, and all together much before it is read again: of an H100's L2 of
// 50 MiB a block's row that is read eight times finds 0.87, where all have 42 MB between; one that
// is read while another is written 0.35, where they have 63.
double InL1::farthest(const Operation& o) const {
  return std::clamp((double(o.linesSince) / l2Lines_ - 0.7) / 0.85, 0.0, 1.0);
}

double InL1::localBytes(const std::vector<const Block*>& typical) {
  double most = 0;
  for (const Warp& warp : typical.back()->warps) {
    double lines = 0;
    for (const Operation& o : warp.operations)
      if (o.isLocal) lines = std::max(lines, double(o.linesSince));
    most += lines;
  }
  return 128 * most;
}

}  // namespace estimate
