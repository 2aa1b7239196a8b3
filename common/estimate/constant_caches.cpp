#include "estimate/constant_caches.h"

#include <algorithm>

namespace estimate {

namespace {

// Lines of 64 bytes: a ring of places in up to 2 KiB takes 34 cycles a place, in more 104, and when
// nothing has been read 750 for each 256 bytes (H200).
constexpr size_t linesOfFirst = 32, linesNear = 64;
constexpr uint32_t linesOfPiece = 4;
constexpr double missLater = 70, coldLater = 650;
// The places of a warp that is alone come so long after one another.
constexpr double placeLater = 11;
// 32 places of each of 32 warps at random in 4, 8, 16 and 64 KiB take 9.0, 19, 26 and 31 cycles
// each on all multiprocessors of an H100, on one alone 4.4, 7.5, 9.8 and 12: so many for a line
// that the first lacks, and as many more for one that is not among the last 4 KiB.
constexpr double nearAlone = 7.5, nearTogether = 15, farAlone = 11.5, farTogether = 32;

// What ULDC reads for all lanes: where the instruction has the place, through 32 lines of the
// warp's scheduler; where a register has it, through few of the multiprocessor's: a ring of 4 is
// there, one of 8 never, for however many warps. A line that is not there takes 65 to 70 cycles
// more, and 36 of all multiprocessors of an H100 for each that many warps ask for, 3 of one that is
// alone.
constexpr size_t linesOfCode = 32, linesIndexed = 7;
constexpr double uniformLatency = 30, uniformAlone = 3, uniformTogether = 35;

}  // namespace

ConstantCaches::ConstantCaches(double share)
    : near_(nearAlone + (nearTogether - nearAlone) * share),
      far_(farAlone + (farTogether - farAlone) * share),
      uniform_(uniformAlone + (uniformTogether - uniformAlone) * share) {}

double ConstantCaches::readUniform(uint32_t line, bool isIndexed, double now, size_t scheduler) {
  std::vector<Line>& lines = isIndexed ? indexed_ : ofCode_[scheduler % ofCode_.size()];
  auto found = std::ranges::find(lines, line, &Line::number);
  if (found == lines.end()) {
    if (lines.size() < (isIndexed ? linesIndexed : linesOfCode)) lines.push_back({});
    // The place of the oldest, but of none that is on its way.
    const auto free = std::ranges::find_if(lines.rbegin(), lines.rend(),
                                           [&](const Line& old) { return old.at <= now; });
    if (free == lines.rend()) return std::ranges::min(lines, {}, &Line::at).at;
    found = free.base() - 1;
    const bool isCold = pieces_.insert(line / linesOfPiece).second;
    uniformBusy_ = std::max(uniformBusy_, now) + uniform_;
    *found = {line, uniformBusy_ + uniformLatency + (isCold ? coldLater : 0)};
  }
  std::rotate(lines.begin(), found, found + 1);
  return lines.front().at;
}

double ConstantCaches::read(uint32_t line, double now) {
  const auto found = std::ranges::find(lines_, line);
  const auto age = size_t(found - lines_.begin());
  const bool isFar = found == lines_.end();
  if (isFar && lines_.size() < linesNear)
    lines_.insert(lines_.begin(), line);
  else
    std::rotate(lines_.begin(), isFar ? found - 1 : found, isFar ? found : found + 1);
  lines_.front() = line;
  if (age < linesOfFirst && !isFar) return placeLater;
  bringing_ = std::max(bringing_, now) + (isFar ? far_ : near_);
  const bool isCold = pieces_.insert(line / linesOfPiece).second;
  return placeLater + missLater + (isCold ? coldLater : 0);
}

}  // namespace estimate
