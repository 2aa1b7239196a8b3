#include "estimate/gpu_code/passes.h"

#include <bit>

#include "estimate/gpu_code/lanes.h"
#include "simt/hardware/requests.h"

namespace estimate::gpu_code {
namespace {

constexpr unsigned banks = 32;

// Which of L1's four units has a line: the exclusive or of one number for each bit of the line's
// number that is set. Found so on an H200: of 196 warps' addresses it says to the last digit how
// often lines are looked for; of lines that are far apart, bit by bit. Further bits are not known.
constexpr std::array<uint64_t, 19> unitOfBit = {1, 2, 1, 2, 3, 1, 2, 3, 2, 1,
                                                2, 1, 3, 1, 3, 2, 1, 3, 1};

// The line's bits that turn one bit of the unit's number.
constexpr uint64_t bitsOfUnit(unsigned bit) {
  uint64_t all = 0;
  for (size_t i = 0; i < 64; ++i) all |= (unitOfBit[i % unitOfBit.size()] >> bit & 1) << i;
  return all;
}

unsigned unitOf(uint64_t line) {
  constexpr uint64_t low = bitsOfUnit(0), high = bitsOfUnit(1);
  return unsigned(std::popcount(line & low) % 2 + std::popcount(line & high) % 2 * 2);
}

}  // namespace

unsigned mostInUnit(std::span<const uint64_t> lines) {
  std::array<unsigned, 4> inUnit{};
  for (const uint64_t line : lines) ++inUnit[unitOf(line)];
  return std::ranges::max(inUnit);
}

Passes passesOf(uint32_t lanes, const uint64_t* addresses, unsigned bytes) {
  const unsigned words = std::max(1u, bytes / wordBytes);
  const unsigned together = simt::lanesServedTogether(lanes, addresses, bytes);
  Passes passes{0, 0};
  for (unsigned first = 0; first < 32; first += together) {
    std::array<std::array<uint64_t, 32>, banks> inBank;
    std::array<uint8_t, banks> count{};
    unsigned most = 0;
    for (unsigned l = first; l < first + together; ++l) {
      if (!(lanes >> l & 1)) continue;
      for (unsigned w = 0; w < words; ++w) {
        const uint64_t word = addresses[l] / wordBytes + w;
        const unsigned bank = unsigned(word % banks);
        auto* const begin = inBank[bank].data();
        if (std::find(begin, begin + count[bank], word) != begin + count[bank]) continue;
        begin[count[bank]++] = word;
        most = std::max<unsigned>(most, count[bank]);
      }
    }
    passes.all += most;
    passes.fewest += most > 0;
  }
  passes.all = std::max(passes.all, 1u);
  passes.fewest = std::max(passes.fewest, 1u);
  return passes;
}

unsigned passesOfL1(uint32_t lanes, const uint64_t* addresses, unsigned bytes) {
  Touched lines;
  forLanes(lanes, [&](unsigned l) { lines.add(addresses[l] / lineBytes); });
  return std::max(passesOf(lanes, addresses, bytes).all, mostInUnit(lines.sorted()));
}

}  // namespace estimate::gpu_code
