#include "simt/hardware/requests.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace simt {

bool isContiguous(uint32_t lanes, const uint64_t* accesses) {
  if (lanes != ~0u) return false;
  const uint32_t size = sizeOf(accesses[0]);
  uint64_t differences = 0;
  for (unsigned lane = 0; lane < warpWidth; ++lane)
    differences |= accesses[lane] ^ (accesses[0] + lane * size);
  return differences == 0;
}

unsigned sectorsOf(uint32_t lanes, const uint64_t* accesses) {
  if (isContiguous(lanes, accesses)) {
    const uintptr_t first = addressOf(accesses[0]);
    return unsigned((first + warpWidth * sizeOf(accesses[0]) - 1) / sectorBytes -
                    first / sectorBytes + 1);
  }
  uintptr_t seen[warpWidth * 2], lowest = UINTPTR_MAX, highest = 0;
  unsigned count = 0;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const uint64_t access = accesses[std::countr_zero(left)];
    const uintptr_t last = (addressOf(access) + sizeOf(access) - 1) / sectorBytes;
    for (uintptr_t s = addressOf(access) / sectorBytes; s <= last; ++s) {
      const bool outside = s < lowest || s > highest;  // of all that was seen
      if (!outside && (seen[count - 1] == s || std::find(seen, seen + count, s) != seen + count))
        continue;
      seen[count++] = s;
      lowest = std::min(lowest, s);
      highest = std::max(highest, s);
    }
  }
  return count;
}

// Whether each bank serves one word and no more, to lanes that access one aligned word each.
static bool areWordsOfOwnBanks(uint32_t lanes, const uint64_t* accesses) {
  uintptr_t words[sharedBanks] = {};
  uint32_t used = 0;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const uintptr_t address = addressOf(accesses[std::countr_zero(left)]),
                    word = address / wordBytes;
    const unsigned bank = word % sharedBanks;
    if (address % wordBytes != 0 || ((used >> bank & 1) && words[bank] != word)) return false;
    used |= 1u << bank;
    words[bank] = word;
  }
  return true;
}

unsigned lanesServedTogether(uint32_t lanes, const uint64_t* places, size_t bytes) {
  if (bytes < 8) return warpWidth;
  const auto areSame = [&](unsigned apart) {
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto lane = unsigned(std::countr_zero(left)), other = lane ^ apart;
      if ((lanes >> other & 1) && places[lane] != places[other]) return false;
    }
    return true;
  };
  const unsigned alone = bytes >= 16 ? 8 : 16;
  return areSame(1) || areSame(2) ? 2 * alone : alone;
}

unsigned bankConflictsOf(uint32_t lanes, const uint64_t* accesses, unsigned* passes) {
  const uint32_t size = sizeOf(accesses[std::countr_zero(lanes)]);
  if (!passes && size == wordBytes && areWordsOfOwnBanks(lanes, accesses)) return 0;
  const unsigned together = lanesServedTogether(lanes, accesses, size);
  unsigned conflicts = 0, before = 0;
  for (unsigned first = 0; first < warpWidth; first += together) {
    uintptr_t words[warpWidth * 4];
    unsigned passOf[warpWidth * 4];
    unsigned wordCount = 0, most = 0;
    unsigned inBank[sharedBanks] = {};
    for (unsigned lane = first; lane < first + together; ++lane) {
      if (!(lanes >> lane & 1)) continue;
      const uintptr_t address = addressOf(accesses[lane]);
      const uintptr_t end = (address + size + wordBytes - 1) / wordBytes;
      unsigned last = 0;
      for (uintptr_t word = address / wordBytes; word < end && wordCount < std::size(words);
           ++word) {
        unsigned& used = inBank[word % sharedBanks];
        const uintptr_t* known = words + wordCount;
        if (used != 0) known = std::find(words, words + wordCount, word);
        const auto place = unsigned(known - words);
        if (place == wordCount) {
          words[wordCount] = word;
          passOf[wordCount++] = ++used;
        }
        last = std::max(last, passOf[place]);
      }
      if (passes) passes[lane] = before + last;
      most = std::max(most, last);
    }
    if (most > 1) conflicts += most - 1;
    before += most;
  }
  return conflicts;
}

unsigned atomicConflictsOf(uint32_t lanes, const uint64_t* accesses) {
  uint64_t addresses[warpWidth];
  unsigned count = 0, most = 0;
  for (uint32_t left = lanes; left != 0; left &= left - 1)
    addresses[count++] = accesses[std::countr_zero(left)];
  std::sort(addresses, addresses + count);
  for (unsigned i = 0, run = 0; i < count; ++i) {
    run = i > 0 && addresses[i] == addresses[i - 1] ? run + 1 : 1;
    most = std::max(most, run);
  }
  return most - 1;
}

}  // namespace simt
