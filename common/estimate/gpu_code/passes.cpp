#include "estimate/gpu_code/passes.h"

#include "estimate/gpu_code/lanes.h"
#include "simt/hardware/requests.h"

namespace estimate::gpu_code {
namespace {

constexpr unsigned banks = 32;

}  // namespace

unsigned mostInUnit(std::span<const uint64_t> lines) {
  std::array<unsigned, 4> inUnit{};
  for (const uint64_t line : lines) {
    unsigned unit = 0;
    for (uint64_t bits = line; bits > 0; bits /= 4) unit ^= bits % 4;
    ++inUnit[unit];
  }
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
