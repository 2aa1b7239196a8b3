// What is in L1, and what no longer is: part of found_in_caches.h.
#include <algorithm>
#include <array>
#include <utility>

#include "estimate/between.h"
#include "estimate/found_in_caches.h"

namespace estimate {

namespace {

// Of arrays of threads L2 keeps 0.7 of its size (bytes from memory, counted for 27 to 138 MB on an
// H100).
constexpr double keptOfOwn = 0.7;

// What L1 lacks of an array of each thread, by how much of L1 all that comes between would fill: of
// 16 and 64 warps that go through theirs, 12 to 256 words of 4 bytes long, in turn (H100).
constexpr std::array<std::pair<double, double>, 8> lackingOfOwn = {
    {{0.4, 0}, {0.6, 0.06}, {1, 0.25}, {1.5, 0.4}, {1.75, 0.5}, {2, 0.8}, {3, 0.93}, {4, 0.98}}};

}  // namespace

InL1::InL1(const Launch& launch, const std::vector<const Block*>& typical, const Card& card,
           double blocks, double blocksInAll)
    : kept_(launch.arrays.size(), 0), isOwn_(launch.arrays.size(), false) {
  // Of an array of 200 KB that all threads search at random, an H100's L1 of 256 lacks nothing.
  constexpr double lineBytes = 128, besideShared = 28 * 1024, mostOfL1 = 0.8;
  const double warpsOfBlock = warpsOf(launch), warps = blocks * warpsOfBlock;
  const double shared = launch.sharedBytes > 0 ? launch.sharedBytes + card.reservedSharedBytes : 0;
  const double bytes = std::max(besideShared, card.sharedBytes + besideShared - shared * blocks);
  linesOfAll_ = bytes / lineBytes;
  lines_ = linesOfAll_ / std::max(1.0, warps);
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
        if (isNext(rest, again > 0 ? farthest(o) : 0)) {  // requests find all or nothing
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
