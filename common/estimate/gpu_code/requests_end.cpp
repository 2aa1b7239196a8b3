// What is known of requests when a block, or the launch, has ended.
#include <algorithm>
#include <bit>
#include <cmath>

#include "estimate/gpu_code/requests.h"

namespace estimate::gpu_code {

using Kind = Operation::Kind;

// It came from memory for the one that was executed first, or from L2.
void Requests::moveToEarlier() {
  for (const Earlier& its : earlier_) {
    Operation &late = operationAt(its.late), &early = operationAt(its.early);
    const FirstRead* const first = read_.find(its.sector);
    const bool fromMemory = first && *first == its.late;
    const auto count = fromMemory ? &Operation::memorySectors : &Operation::l2Sectors;
    if (late.*count == 0 || early.l1Sectors == 0) continue;
    --(late.*count), ++late.l1Sectors;
    ++(early.*count), --early.l1Sectors;
    keepLoneWithinMemory(late);
    late.broughtSectors = std::min(late.broughtSectors, late.memorySectors);
    if (fromMemory) read_.tryEmplace(its.sector, {}).first = its.early;
  }
}

void Requests::findLone(const std::vector<FromMemory>& requests, PlaceTable<uint8_t>& lines) {
  const auto touched = [&](uint64_t line) -> unsigned {
    return lines.contains(line) ? lines.tryEmplace(line, 0).first : 0;
  };
  for (const FromMemory& request : requests) {
    unsigned alone = 0, sparse = 0;
    for (const uint64_t sector : request.sectors) {
      const uint64_t line = sector * sectorBytes / lineBytes;
      const unsigned here = touched(line), half = sector % 4 < 2 ? here & 3 : here >> 2;
      if (std::popcount(half) > 1) continue;
      const bool isAlone = std::popcount(here) == 1 && !touched(line + 1) && !touched(line - 1);
      ++(isAlone ? alone : sparse);
    }
    Operation& o = launch_.sampled.back().warps[request.warp].operations[request.place];
    o.aloneSectors = uint16_t(std::min<unsigned>(alone, o.memorySectors));
    o.sparseSectors = uint16_t(std::min<unsigned>(sparse, o.memorySectors - o.aloneSectors));
  }
}

void Requests::blockEnds() {
  ++blocks_;
  const estimate::Block& block = launch_.sampled.back();
  for (const estimate::Warp& warp : block.warps)
    for (const Operation& o : warp.operations)
      if (o.together != 0)
        operationAt({uint32_t(launch_.sampled.size()) - 1, estimate::Block::warpOf(o.together),
                     estimate::Block::placeOf(o.together)})
            .together = o.together;
  readAgain_.blockEnds(std::ranges::any_of(block.warps, [](const estimate::Warp& warp) {
    return std::ranges::any_of(warp.operations,
                               [](const Operation& o) { return o.kind == Kind::blockBarrier; });
  }));
  findLone(fromMemory_, lines_);
  findLone(toMemory_, linesWritten_);
  moveToEarlier();
}

// Of blocks that are left out, too, each has as many of its own.
// Where several blocks write parts of a sector, neighbours that are left out write the rest; what
// was read need not be brought.
void Requests::finish() {
  readAgain_.finish(launch_);
  for (const OnItsWay& its : onTheirWay_) {
    const FirstRead& first = *read_.find(its.sector);
    if (!areAtOneTime(first, its.place)) continue;
    Operation& o = operationAt(its.place);
    if (o.othersSectors == o.l2Sectors) continue;
    ++o.othersSectors;
    o.neighboursSectors += areNeighbours(first, its.place);
  }
  for (const InParts& store : inParts_) {
    unsigned partial = 0;
    for (const uint64_t sector : store.sectors) {
      const Written& written = written_.tryEmplace(sector, {}).first;
      partial += written.bytes != UINT32_MAX && !written.bySeveral && !read_.contains(sector);
    }
    Operation& o = launch_.sampled[store.block].warps[store.warp].operations[store.place];
    o.partialSectors = uint16_t(std::min<unsigned>(partial, o.memorySectors));
  }
  for (estimate::Block& block : launch_.sampled)
    for (estimate::Warp& warp : block.warps)
      for (Operation& o : warp.operations) {
        const bool isUpdated = o.kind == Kind::load && updated_.contains(o.array);
        if (isUpdated) o.updatedSectors = uint16_t(o.memorySectors + o.l2Sectors);
        if (o.sectorsOfAll == 0) continue;
        const Written* const written = written_.find(o.address / sectorBytes);
        o.sectorsOfAll = written && written->byFar;
      }
  launch_.atomicPieces = double(sharedPieces_) + double(piecesOfOneBlock_) *
                                                     double(launch_.blocks) /
                                                     double(std::max<size_t>(1, blocks_));
  // Not more than lie between the first and the last of each array.
  double most = 0;
  for (const auto& [array, range] : updated_)
    most += double(range.second / pieceBytes - range.first / pieceBytes + 1);
  launch_.atomicPieces = std::min(launch_.atomicPieces, most);
  // Of those that three of four blocks update, or far more than update others; what is seen of few
  // updates by chance is not counted. Floats in one sector take longer than elsewhere.
  constexpr double slowTurns = 2.4, few = 4, farMore = 4;
  double updates = 0, mostOfOne = 0, ofBlocks = 0;
  atomicPieces_.forEach(
      [&](const Piece& piece) { updates += piece.updates, ofBlocks += piece.blocks; });
  const double usual = farMore * ofBlocks / double(std::max<size_t>(1, atomicPieces_.size()));
  atomicPieces_.forEach([&](const Piece& piece) {
    const double its = std::max(double(piece.updates), slowTurns * std::ranges::max(piece.slow));
    const bool isOfMost = 4 * piece.blocks > 3 * blocks_;
    if (isOfMost || (piece.isShared && piece.blocks > std::max(few, usual)))
      mostOfOne = std::max(mostOfOne, its - 3 * std::sqrt(its));
  });
  launch_.mostUpdated = mostOfOne / std::max(1.0, updates);
}

}  // namespace estimate::gpu_code
