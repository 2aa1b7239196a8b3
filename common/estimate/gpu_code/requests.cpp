#include "estimate/gpu_code/requests.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "estimate/gpu_code/lanes.h"

namespace estimate::gpu_code {
namespace {

using Kind = Operation::Kind;

// A unit of L2 updates the addresses of a sector at the same time, and each with one lane after the
// other.
void addTurns(Operation& o, uint32_t lanes, const uint64_t* addresses) {
  std::map<uint64_t, std::map<uint64_t, unsigned>> sectors;  // lanes of each address
  forLanes(lanes, [&](unsigned l) { ++sectors[addresses[l] / sectorBytes][addresses[l]]; });
  unsigned all = 0, whole = 0;
  for (const auto& [sector, inside] : sectors) {
    unsigned fewest = 32, most = 0;
    for (const auto& [address, count] : inside) {
      fewest = std::min(fewest, count);
      most = std::max(most, count);
    }
    all += most;
    if (inside.size() * o.bytes >= sectorBytes) whole += fewest;
  }
  o.passes = uint16_t(all);
  o.wholeSectors = uint16_t(whole);
}

// Of a sector of this number, the bytes that an access of so many bytes has: a bit for each.
uint32_t bytesOfSector(uint64_t sector, uint64_t address, uint64_t bytes) {
  const uint64_t begin = sector * sectorBytes, end = begin + sectorBytes;
  const uint64_t from = std::max(address, begin), to = std::min(address + bytes, end);
  return from < to ? uint32_t(((uint64_t(1) << (to - from)) - 1) << (from - begin)) : 0;
}

}  // namespace

// Neighbours have a piece of memory between them; what blocks that are far apart update, all do.
bool Requests::isFarFrom(uint64_t block) const {
  constexpr uint64_t neighbours = 64;  // with 4 bytes each
  const uint64_t between = block_ > block ? block_ - block : block - block_;
  return between > std::min(neighbours, launch_.blocks / 4);
}

void Requests::blockBegins(uint64_t number, unsigned warps) {
  block_ = number;
  readAgain_.blockBegins(number);
  readByBlock_ = {}, writtenByBlock_ = {}, atomicPiecesOfBlock_ = {};
  earlier_.clear();
  lines_ = {}, linesWritten_ = {};
  reads_.assign(warps, 0);
  stores_.assign(warps, 0);
  barriers_.assign(warps, 0);
  distances_.assign(warps, {});
  fromMemory_.clear();
  toMemory_.clear();
}

uint16_t Requests::arrayOf(uint64_t from, uint64_t to) {
  for (const ArrayRange& array : arrays_) {
    if (from < array.begin || from >= array.end) continue;
    const auto [known, isNew] = extents_.try_emplace(array.begin);
    Extent& extent = known->second;
    if (isNew) {
      extent = {uint16_t(launch_.arrays.size()), from, to};
      launch_.arrays.push_back(0);
      launch_.withHost.push_back(array.withHost);
    }
    extent.from = std::min(extent.from, from);
    extent.to = std::max(extent.to, to);
    launch_.arrays[extent.place] = extent.to - extent.from;
    return extent.place;
  }
  return 0;
}

// Of blocks that run side by side, what a warp asked for after so many reads may still be on its
// way when another asks for it, but not when that has waited for it.
bool Requests::areAtOneTime(const FirstRead& one, const FirstRead& other) {
  return one.waits == other.waits &&
         std::max(one.before, other.before) - std::min(one.before, other.before) <= 4;
}

Operation& Requests::operationAt(const FirstRead& place) {
  return launch_.sampled[place.block].warps[place.warp].operations[place.place];
}

// When another brings one of its sectors.
void Requests::keepLoneWithinMemory(Operation& o) {
  o.aloneSectors = std::min(o.aloneSectors, o.memorySectors);
  o.sparseSectors = std::min<uint16_t>(o.sparseSectors, o.memorySectors - o.aloneSectors);
}

bool Requests::areNeighbours(const FirstRead& one, const FirstRead& other) const {
  const uint64_t a = launch_.sampled[one.block].number, b = launch_.sampled[other.block].number;
  const uint64_t between = std::max(a, b) - std::min(a, b);
  return between == 1 || between == blocksOfRow_;
}

// Whether a sector comes from memory for this operation: for the first that reads it. Of blocks
// that run side by side, that is the one whose warp has waited for fewer reads and made fewer
// before, whatever their numbers.
bool Requests::readsFirst(uint64_t sector, const FirstRead& place) {
  const auto [first, isNew] = read_.tryEmplace(sector, place);
  if (isNew) return true;
  if (!areNeighbours(first, place)) return false;
  launch_.sharesWithNeighbours |= first.waits != place.waits;
  if (std::pair(first.waits, first.before) <= std::pair(place.waits, place.before)) return false;
  Operation& later = operationAt(first);
  --later.memorySectors;
  ++later.l2Sectors;
  if (areAtOneTime(first, place)) onTheirWay_.push_back({first, sector});
  keepLoneWithinMemory(later);
  first = place;
  return true;
}

// Memory brings 64 bytes at a time: whether an earlier read of the warp has asked for these.
bool Requests::isBrought(uint64_t sector, const FirstRead& place) {
  if (!read_.contains(sector ^ 1)) return false;
  const FirstRead& other = read_.tryEmplace(sector ^ 1, place).first;
  return other.block == place.block && other.warp == place.warp && other.place < place.place;
}

// Warps are executed one after the other up to a barrier. What one comes to when it has waited for
// values, others that go side by side with it may have asked for before they waited: they bring it.
// together: of what several come to behind as many reads, which of them was the first.
bool Requests::isReadByBlock(uint64_t sector, const FirstRead& place, uint64_t& together) {
  const auto [known, isNew] = readByBlock_.tryEmplace(
      sector, {place, barriers_[place.warp], estimate::Block::numberOf(place.warp, place.place)});
  if (isNew) return false;
  if (known.barriers != barriers_[place.warp] || known.by.warp == place.warp) return true;
  if (known.by.before == place.before) together = known.together;
  if (place.waits == 0 && known.by.waits > 0) {
    earlier_.push_back({sector, known.by, place});
    known.by = place;
  }
  return true;
}

bool Requests::wasJustRead(uint64_t sector, uint32_t warp) const {
  constexpr uint32_t lastLoads = 8;
  const ReadByBlock* const read = readByBlock_.find(sector);
  return read && read->by.warp == warp && reads_[warp] - read->by.before <= lastLoads;
}

// Whether the block wrote to a sector before; and whether that was one of the warp's last stores,
// with no load behind it, which may still be in L1.
bool Requests::isWrittenAgain(Operation& o, uint64_t sector, uint32_t warp, uint32_t bytes) {
  constexpr uint32_t nearStores = 8;
  const auto [last, isNew] = writtenByBlock_.tryEmplace(sector, {});
  const uint32_t now = stores_[warp];
  if (!isNew && o.kind == Kind::store)
    o.mergedSectors +=
        last.warp == warp && now - last.stores <= nearStores && last.reads == reads_[warp];
  // An atomic takes it out of L1.
  last = {o.kind == Kind::store ? warp : UINT32_MAX, now, reads_[warp],
          o.kind == Kind::store ? last.bytes | bytes : 0};
  return !isNew;
}

void Requests::add(Operation& o, unsigned warp, size_t placeInWarp, uint32_t waits, uint32_t lanes,
                   const uint64_t* addresses) {
  if (lanes == 0) return;
  uint64_t lowest = UINT64_MAX, highest = 0;
  Touched sectors, lines;
  forLanes(lanes, [&](unsigned l) {
    const uint64_t address = addresses[l];
    lowest = std::min(lowest, address);
    highest = std::max(highest, address + o.bytes);
    for (uint64_t s = address / sectorBytes; s <= (address + o.bytes - 1) / sectorBytes; ++s)
      sectors.add(s);
  });
  o.address = lowest;
  o.extent = highest - lowest;
  o.array = arrayOf(lowest, highest);
  const bool isLoad = o.kind == Kind::load;
  if (o.kind == Kind::atomic) {
    addTurns(o, lanes, addresses);
    const auto [range, isFirst] = updated_.try_emplace(o.array, std::pair(lowest, highest));
    range->second = {std::min(lowest, range->second.first),
                     std::max(highest, range->second.second)};
    constexpr uint64_t sectorsOfPiece = pieceBytes / sectorBytes;
    const std::span<const uint64_t> all = sectors.sorted();
    forLanes(lanes, [&](unsigned l) {
      const uint64_t piece = addresses[l] / pieceBytes;
      Piece& its = atomicPieces_.tryEmplace(piece, {block_}).first;
      ++its.updates;
      const uint64_t sector = addresses[l] / sectorBytes;
      const auto isBeside = [&](uint64_t other) {
        return other != sector && other / sectorsOfPiece == piece;
      };
      its.slow[sector % sectorsOfPiece] +=
          o.ofFloats && all.size() > 1 && std::ranges::none_of(all, isBeside);
    });
    for (const uint64_t sector : sectors.sorted()) {
      const uint64_t piece = sector * sectorBytes / pieceBytes;
      if (!atomicPiecesOfBlock_.tryEmplace(piece, {}).second) continue;
      Piece& known = atomicPieces_.tryEmplace(piece, {}).first;
      const bool isNew = known.blocks++ == 0;
      if (isNew) ++piecesOfOneBlock_;
      if (isNew || known.isShared || !isFarFrom(known.block)) continue;
      known.isShared = true;
      --piecesOfOneBlock_;
      ++sharedPieces_;
    }
  }
  const FirstRead place{uint32_t(launch_.sampled.size()) - 1, warp, uint32_t(placeInWarp),
                        reads_[warp], waits};
  FromMemory alone{warp, uint32_t(placeInWarp), {}};
  size_t readTogether = 0;
  for (const uint64_t sector : sectors.sorted()) {
    lines.add(sector * sectorBytes / lineBytes);
    uint64_t together = 0;
    const LastWrite* const written = isLoad ? writtenByBlock_.find(sector) : nullptr;
    uint32_t bytes = 0;
    if (o.kind == Kind::store || written)
      forLanes(lanes, [&](unsigned l) { bytes |= bytesOfSector(sector, addresses[l], o.bytes); });
    const bool byBlock =
        isLoad ? isReadByBlock(sector, place, together) : isWrittenAgain(o, sector, warp, bytes);
    if (together != 0) o.together = together, ++readTogether;
    (isLoad ? lines_ : linesWritten_).tryEmplace(sector * sectorBytes / lineBytes, 0).first |=
        uint8_t(1u << sector % 4);
    // What a block or the launch wrote, it need not read from further away than L2; and L1 has the
    // bytes that the block stored, and no others of their sector. On an H200 a load behind stores
    // of its block to up to 200 KB takes 60 cycles, 366 and more for the word beside the one
    // stored.
    if (byBlock || (written && (bytes & ~written->bytes) == 0))
      ++o.l1Sectors;
    else if (written)
      ++o.l2Sectors;
    else if (!isLoad ? !written_.tryEmplace(sector, {0, place.block + 1, false}).second
                     : written_.contains(sector))
      ++o.l2Sectors;
    else if (!isLoad || readsFirst(sector, place))
      ++o.memorySectors, alone.sectors.push_back(sector),
          o.broughtSectors += isLoad && isBrought(sector, place);
    else if (++o.l2Sectors;
             !readByBlock_.contains(sector ^ 1) && areAtOneTime(*read_.find(sector), place))
      // What comes with a sector that the block has asked for is there.
      onTheirWay_.push_back({place, sector});
  }
  // Warps that have but little in common do not go together.
  if (2 * readTogether < sectors.sorted().size()) o.together = 0;
  // Who asks for what this one has alone does so together with all of them.
  if (o.together != 0 && o.memorySectors + o.l2Sectors > 0)
    for (const uint64_t sector : sectors.sorted())
      if (ReadByBlock& its = readByBlock_.tryEmplace(sector, {}).first; its.by == place)
        its.together = o.together;
  if (o.kind == Operation::Kind::atomic) o.partialSectors = o.memorySectors;
  o.lines = uint16_t(lines.sorted().size());
  if (isLoad) o.passes = uint16_t(passesOfL1(lanes, addresses, o.bytes));
  if (o.kind == Kind::store && o.bytes < 16) noteBytes(o, lanes, addresses);
  // What is stored behind no load L1 puts together.
  o.sectorsOfAll = o.kind == Kind::store && sectors.sorted().size() == 1 && reads_[warp] > 0;
  if (o.kind == Kind::store) o.overwrites = wasJustRead(sectors.sorted()[0], warp);
  if (o.kind != Kind::atomic) readAgain_.note(warp, place.place, isLoad, lines.sorted());
  noteDistance(warp, lines.sorted());
  if (isLoad) ++reads_[warp];
  if (o.kind == Kind::store) ++stores_[warp];
  if (alone.sectors.empty()) return;
  const bool fills = o.lanes * o.bytes >= sectors.sorted().size() * sectorBytes;
  if (o.kind == Kind::store && !fills)
    inParts_.push_back({place.block, warp, uint32_t(placeInWarp), alone.sectors});
  (isLoad ? fromMemory_ : toMemory_).push_back(std::move(alone));
}

// Where a warp has no memory of its own nobody asks.
void Requests::noteDistance(unsigned warp, std::span<const uint64_t> lines) {
  if (distances_[warp].isEmpty()) return;
  for (const uint64_t line : lines) distances_[warp].touch(line);
}

void Requests::noteBytes(const Operation& o, uint32_t lanes, const uint64_t* addresses) {
  const auto block = uint32_t(launch_.sampled.size());
  forLanes(lanes, [&](unsigned l) {
    const uint32_t bytes = bytesOfSector(addresses[l] / sectorBytes, addresses[l], o.bytes);
    Written& written = written_.tryEmplace(addresses[l] / sectorBytes, {0, block}).first;
    // The same by blocks that are far apart: by all.
    if (!written.byFar && (written.bytes & bytes) != 0 &&
        isFarFrom(launch_.sampled[written.block - 1].number))
      written.byFar = true, ++launch_.sectorsOfAll;
    written.bytes |= bytes;
    written.bySeveral |= written.block != block;
  });
}

void Requests::addLocal(Operation& o, unsigned warp, uint32_t lanes, const uint64_t* addresses) {
  constexpr uint64_t lanesOfSector = 8;
  Touched lines, sectors;
  forLanes(lanes, [&](unsigned l) {
    for (uint64_t word = addresses[l] / wordBytes; word <= (addresses[l] + o.bytes - 1) / wordBytes;
         ++word)
      lines.add(word), sectors.add(word * 4 + l / lanesOfSector);
  });
  constexpr uint64_t ofThreads = uint64_t(1) << 62;  // no line of global memory
  for (const uint64_t word : lines.sorted())
    o.linesSince =
        std::max(o.linesSince, uint32_t(distances_[warp].touch(ofThreads | word).value_or(0)));
  o.isLocal = true;
  o.lines = uint16_t(lines.sorted().size());
  o.l1Sectors = uint16_t(sectors.sorted().size());
  if (o.kind == Operation::Kind::load) o.passes = uint16_t(mostInUnit(lines.sorted()));
}

}  // namespace estimate::gpu_code
