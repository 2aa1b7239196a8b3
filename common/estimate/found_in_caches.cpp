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
// … and of what is written there 0.2: of 64 MiB four fifths of the stores bring the rest of their
// sector from memory, of 32 MiB, 0.53 of an H200's L2, none.
constexpr double keptWrittenAtRandom = 0.2;
double keptWritten(double bytesOfL2) {
  constexpr std::array<std::pair<double, double>, 2> known = {
      {{0.55, 1}, {1.07, keptWrittenAtRandom / 1.07}}};
  return bytesOfL2 > known.back().first ? keptWrittenAtRandom / bytesOfL2
                                        : between(known, bytesOfL2);
}

// Of 26 million atomics at random places, by the size of their arrays in L2s of an H200 (16 to 512
// MiB): the part that comes from memory though it has come before, and that is written back.
constexpr std::array<std::pair<double, double>, 4> broughtAgain = {
    {{0.53, 0}, {1.07, 0.13}, {2.13, 0.52}, {8.5, 0.58}}};
constexpr std::array<std::pair<double, double>, 5> writtenBack = {
    {{0.27, 0}, {0.53, 0.46}, {1.07, 0.84}, {2.13, 0.93}, {8.5, 0.98}}};

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

// All of a request, as others have brought it there before.
void comesFromL2(Operation& o) {
  o.l2Sectors = uint16_t(o.l2Sectors + o.memorySectors);
  o.memorySectors = o.broughtSectors = o.sparseSectors = o.aloneSectors = 0;
  o.othersSectors = o.neighboursSectors = 0;
}

}  // namespace

ComesOnce::ComesOnce(const Launch& launch, const std::vector<const Block*>& typical,
                     const Card& card, double atOnce)
    : parts_(4 * launch.arrays.size(), 1),
      rest_(parts_.size(), 0),
      onTheirWay_(parts_.size(), 0),
      restOnTheirWay_(parts_.size(), 0),
      brought_(launch.arrays.size(), 0),
      byBlocks_(parts_.size()),
      atRandom_(launch.arrays.size()),
      updated_(launch.arrays.size()),
      resident_(atOnce),
      generations_(std::ceil(double(launch.blocks) / atOnce)) {
  // By all blocks: sectors of each array that are read, wherever they come from, and those that are
  // touched first; and of the blocks that were looked at, requests that find something in L2.
  std::vector<double> read(launch.arrays.size(), 0), touched(parts_.size(), 0), found = touched;
  std::vector<uint64_t> from(parts_.size(), UINT64_MAX), to(parts_.size(), 0);
  std::vector<double> updates(launch.arrays.size(), 0);  // … by atomics at random places
  std::map<std::pair<size_t, size_t>, double> byEach;    // … by each operation of a warp
  std::vector<WayThrough> ways(launch.arrays.size());
  for (const Block* block : typical) {
    std::vector<std::pair<uint64_t, uint64_t>> reads(ways.size(), {UINT64_MAX, 0});
    for (const Warp& warp : block->warps)
      for (size_t i = 0; i < warp.operations.size(); ++i) {
        const Operation& o = warp.operations[i];
        const size_t at = placeOf(o);
        const double times = warp.timesOf(i) / double(typical.size()) * double(launch.blocks);
        touched[at] += o.memorySectors * times;
        byEach[{at, i}] += o.memorySectors * times;
        if (o.kind == Operation::Kind::load)
          read[o.array] += (o.memorySectors + o.l2Sectors) * times;
        if (o.kind == Operation::Kind::atomic && at % 4 == 3)
          updates[o.array] += (o.memorySectors + o.l2Sectors) * times;
        found[at] += o.l2Sectors > 0;
        onTheirWay_[at] += o.l2Sectors > 0 && o.othersSectors > 0;
        from[at] = std::min(from[at], o.address);
        to[at] = std::max(to[at], o.address + o.extent);
        if (at % 4 != 0 || o.lanes == 0) continue;
        auto& [low, high] = reads[at / 4];
        low = std::min(low, o.address), high = std::max(high, o.address + o.extent);
      }
    for (size_t a = 0; a < ways.size(); ++a) ways[a].add(reads[a].first, reads[a].second);
  }
  for (size_t at = 0; at < found.size(); ++at)
    onTheirWay_[at] = found[at] > 0 ? onTheirWay_[at] / found[at] : 1;
  const double ofAll = std::accumulate(launch.arrays.begin(), launch.arrays.end(), 0.0);
  for (size_t a = 1; a < read.size(); ++a)
    if (const auto bytes = double(launch.arrays[a]); bytes <= card.l2Bytes)
      brought_[a] = std::min(1.0, 32 * read[a] / std::max(1.0, bytes));
  // All arrays that atomics update at random share L2.
  double among = 0;
  const auto widthOf = [&](size_t array) {
    return updates[array] > 0 ? std::max(64.0, double(to[4 * array + 3] - from[4 * array + 3])) : 0;
  };
  for (size_t a = 1; a < updates.size(); ++a) among += widthOf(a) / card.l2Bytes;
  for (size_t a = 1; a < updates.size(); ++a) {
    if (updates[a] == 0) continue;
    const double pieces = widthOf(a) / 64;
    const double first = pieces * (1 - std::exp(-updates[a] / pieces)) / updates[a];
    updated_[a] = {true, first + (1 - first) * between(broughtAgain, among),
                   between(writtenBack, among)};
  }
  for (size_t at = 4; at < touched.size(); at += 2) {
    const double bytes = double(launch.arrays[at / 4]);
    const double all = 32 * (touched[at] + touched[at + 1]);
    const bool isWritten = at % 4 == 2;
    if (!isWritten && touched[at + 1] > 0) {
      // Memory brings 64 bytes at a time, and what came before is found.
      const double among = std::max(64.0, double(to[at + 1] - from[at + 1]));
      const double lacking = std::max(0.0, 1 - keptAtRandom * card.l2Bytes / among);
      const double others = 1 - double(launch.sampled.size()) / double(launch.blocks);
      atRandom_[at / 4] = {std::max(1e-6, others * read[at / 4] * 64 / among), lacking,
                           touched[at + 1] > touched[at]};
      parts_[at + 1] = lacking;
    }
    if (all <= bytes) continue;
    // Half of L2 is for what is written: see writesReachMemory.
    const bool hasRoom = bytes <= (isWritten ? card.l2Bytes / 2 : card.l2Bytes);
    // What is read again soon is still there, however large the array is.
    const bool isSoon = !isWritten && ways[at / 4].between(bytes, ofAll) < card.l2Bytes / 4;
    if (hasRoom || isSoon) parts_[at] = bytes / all;
    // Where one load of all blocks goes through an array several times, it is not their neighbours
    // that read the same.
    const bool again = std::ranges::any_of(byEach, [&](const auto& each) {
      return each.first.first == at && 32 * each.second > 1.5 * bytes;
    });
    byBlocks_[at] = !isWritten && again && parts_[at] * double(launch.blocks) > atOnce;
    if (isWritten) parts_[at + 1] = 1 - keptWritten(bytes / card.l2Bytes) * (1 - bytes / all);
  }
}

double ComesOnce::AtRandom::part(double from, double to) const {
  const auto sum = [&](double done) {
    const double full = std::min(done, -std::log(std::max(lacking, 1e-9)) / times);
    return (1 - std::exp(-full * times)) / times + (done - full) * lacking;
  };
  return to > from ? (sum(to) - sum(from)) / (to - from)
                   : std::max(lacking, std::exp(-from * times));
}

void ComesOnce::Updated::apply(Operation& o) {
  const auto next = [](double& rest, double share) {
    rest += share;
    const double whole = std::floor(rest + 1e-9);
    rest -= whole;
    return uint16_t(whole);
  };
  const double all = o.memorySectors + o.l2Sectors;
  o.memorySectors = o.aloneSectors = next(restBrought, all * brought);
  o.sparseSectors = 0;
  o.partialSectors = next(restBack, all * back);
  o.l2Sectors = uint16_t(std::max(0.0, all - o.memorySectors));
}

Block ComesOnce::applied(Block block) {
  // What is read again when those that read it are gone, whole blocks find, or nothing of it.
  std::vector<bool> finds(parts_.size(), false);
  for (size_t at = 0; at < parts_.size(); ++at) {
    if (byBlocks_[at]) finds[at] = !isNext(rest_[at], parts_[at]);
  }
  const double generation = std::floor(double(block.number) / resident_);
  for (Warp& warp : block.warps) {
    const double turns = double(warp.repeatTo - warp.repeatFrom) * warp.repeats;
    const double all = double(warp.operations.size()) + turns;
    for (size_t i = 0; i < warp.operations.size(); ++i) {
      Operation& o = warp.operations[i];
      const size_t at = placeOf(o);
      if (o.kind == Operation::Kind::atomic && at % 4 == 3 && updated_[at / 4].isKnown) {
        updated_[at / 4].apply(o);
        continue;
      }
      const double from = double(i) + (i >= warp.repeatTo ? turns : 0);
      const double to = from + (warp.timesOf(i) > 1 ? turns : 0);
      const auto done = [&](double place) { return (generation + place / all) / generations_; };
      // What is on its way to blocks that were looked at others had long before.
      if (o.kind == Operation::Kind::load && o.othersSectors > 0 && atRandom_[o.array].isMost &&
          !isNext(restOnTheirWay_[at], atRandom_[o.array].part(done(from), done(to))))
        o.othersSectors = 0;
      if (parts_[at] >= 1 || (byBlocks_[at] && !finds[at])) continue;
      const bool readsAtRandom = at % 4 == 1;  // who read it before did so long ago
      if (!byBlocks_[at])
        rest_[at] += o.memorySectors *
                     (readsAtRandom ? atRandom_[o.array].part(done(from), done(to)) : parts_[at]);
      // Lines come as a whole.
      const double line = std::max(1.0, double(o.memorySectors) / std::max<double>(1, o.lines));
      const double whole = std::max(0.0, std::floor(rest_[at] / line + 1e-9) * line);
      const auto sectors =
          uint16_t(byBlocks_[at] ? 0 : std::min(whole, double(o.memorySectors)) + 0.5);
      rest_[at] -= sectors;
      o.l2Sectors = uint16_t(o.l2Sectors + o.memorySectors - sectors);
      if (!readsAtRandom && o.memorySectors > sectors &&
          isNext(restOnTheirWay_[at], onTheirWay_[at]))
        o.othersSectors = uint16_t(o.othersSectors + o.memorySectors - sectors);
      const double part = double(sectors) / std::max(1.0, double(o.memorySectors));
      o.memorySectors = sectors;
      for (uint16_t* some : {&o.aloneSectors, &o.sparseSectors, &o.partialSectors})
        *some = uint16_t(*some * part + 0.5);
    }
  }
  return block;
}

Block ComesOnce::behindOthers(Block block) const {
  double rest = 0;
  for (Warp& warp : block.warps)
    for (Operation& o : warp.operations) {
      if (o.kind != Operation::Kind::load || o.memorySectors == 0) continue;
      if (isNext(rest, 1 - brought_[o.array])) continue;
      comesFromL2(o);
    }
  return block;
}

void BroughtInStep::forEachLoad(const Warp& warp, auto&& function) {
  constexpr size_t most = 1024;  // operations that are looked at
  std::map<std::pair<uint16_t, uint32_t>, uint32_t> numbers;
  for (size_t i = 0; i < std::min(most, warp.operations.size()); ++i) {
    const Operation& o = warp.operations[i];
    if (o.kind == Operation::Kind::load && !o.isLocal && o.lanes > 0)
      function(i, Load{o.array, o.source, numbers[{o.array, o.source}]++});
  }
}

// Each block's part begins so many bytes behind that of the one before, and goes on to the next.
BroughtInStep::BroughtInStep(const Launch& launch) {
  struct Place {
    uint64_t block, from, bytes;
  };
  std::map<Load, std::vector<Place>> places;
  for (const Block& block : launch.sampled)
    for (const Warp& warp : block.warps)
      forEachLoad(warp, [&](size_t i, const Load& load) {
        const Operation& o = warp.operations[i];
        std::vector<Place>& its = places[load];
        if (&warp == block.warps.data() && o.neededAt != Operation::never)
          its.push_back({block.number, o.address, 0});
        if (!its.empty() && its.back().block == block.number)
          its.back().bytes += 32ul * (o.memorySectors + o.l2Sectors + o.l1Sectors);
      });
  for (const auto& [load, ofLoad] : places) {
    const std::vector<Place>& its = ofLoad;
    if (its.size() < 2 || 2 * its.size() < launch.sampled.size()) continue;
    const auto blocks = int64_t(its[1].block - its[0].block);
    const int64_t step = int64_t(its[1].from - its[0].from) / blocks;
    const bool goesOn =
        step > 0 && std::ranges::all_of(its, [&](const Place& place) {
          return int64_t(place.from - its[0].from) == int64_t(place.block - its[0].block) * step;
        });
    if (!goesOn || its[0].bytes < uint64_t(step)) continue;
    const uint64_t from = its[0].from - its[0].block * uint64_t(step);
    parts_[load] = {from, from + launch.blocks * uint64_t(step)};
  }
}

Block BroughtInStep::applied(Block block) const {
  struct There {
    uint16_t array;
    Part part;
    uint32_t since;  // the first operation that waited for the warp's own
  };
  for (Warp& warp : block.warps) {
    std::vector<There> there;
    forEachLoad(warp, [&](size_t i, const Load& load) {
      Operation& o = warp.operations[i];
      const auto has = [&](const There& its) {
        return its.array == o.array && its.since <= i && its.part.from <= o.address &&
               o.address + o.extent <= its.part.to;
      };
      if (std::ranges::any_of(there, has)) comesFromL2(o);
      if (const auto known = parts_.find(load); known != parts_.end())
        there.push_back({o.array, known->second, o.neededAt});
    });
  }
  return block;
}

}  // namespace estimate
