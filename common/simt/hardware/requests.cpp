#include "simt/hardware/requests.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "simt/memory/arrays.h"

namespace simt {
namespace {

constexpr uintptr_t sectorBytes = 32, banks = 32;

// Whether all 32 lanes take part, and each one's bytes follow those of the lane before.
bool isContiguous(const Request& request, uint32_t size) {
  if (request.lanes != ~0u) return false;
  uint64_t differences = 0;
  for (unsigned lane = 0; lane < warpWidth; ++lane)
    differences |= request.accesses[lane] ^ (request.accesses[0] + lane * size);
  return differences == 0;
}

uint64_t sectorsOf(const Request& request) {
  const uint32_t size = sizeOf(request.accesses[std::countr_zero(request.lanes)]);
  if (isContiguous(request, size)) {
    const uintptr_t first = addressOf(request.accesses[0]);
    return (first + warpWidth * size - 1) / sectorBytes - first / sectorBytes + 1;
  }
  uintptr_t seen[warpWidth * 2], lowest = UINTPTR_MAX, highest = 0;
  unsigned count = 0;
  for (uint32_t lanes = request.lanes; lanes != 0; lanes &= lanes - 1) {
    const uint64_t access = request.accesses[std::countr_zero(lanes)];
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

// Passes beyond the fewest needed. 8-byte accesses are served by half warps, 16-byte ones by
// quarters; lanes that read the same word share it.
uint64_t conflictsOf(const Request& request) {
  const uint32_t size = sizeOf(request.accesses[std::countr_zero(request.lanes)]);
  if (size == wordBytes && isContiguous(request, size)) return 0;
  const unsigned group = size >= 16 ? 8 : size == 8 ? 16 : 32;
  uint64_t conflicts = 0;
  for (unsigned first = 0; first < warpWidth; first += group) {
    uintptr_t words[warpWidth * 4];
    unsigned wordCount = 0, passes = 0;
    unsigned inBank[banks] = {};
    for (unsigned lane = first; lane < first + group; ++lane) {
      if (!(request.lanes >> lane & 1)) continue;
      const uintptr_t address = addressOf(request.accesses[lane]);
      const uintptr_t end = (address + size + wordBytes - 1) / wordBytes;
      for (uintptr_t word = address / wordBytes; word < end && wordCount < std::size(words);
           ++word) {
        if (inBank[word % banks] != 0 &&
            std::find(words, words + wordCount, word) != words + wordCount)
          continue;
        words[wordCount++] = word;
        passes = std::max(passes, ++inBank[word % banks]);
      }
    }
    if (passes > 1) conflicts += passes - 1;
  }
  return conflicts;
}

// How many lanes update the address that most of them update, beyond one: they take turns.
uint64_t contentionOf(const Request& request) {
  uint64_t addresses[warpWidth];
  unsigned count = 0, most = 0;
  for (uint32_t lanes = request.lanes; lanes != 0; lanes &= lanes - 1)
    addresses[count++] = request.accesses[std::countr_zero(lanes)];
  std::sort(addresses, addresses + count);
  for (unsigned i = 0, run = 0; i < count; ++i) {
    run = i > 0 && addresses[i] == addresses[i - 1] ? run + 1 : 1;
    most = std::max(most, run);
  }
  return most - 1;
}

// The lanes of the request that access shared memory.
uint32_t sharedLanes(const Request& request) {
  const Range& shared = sharedRange();
  uint32_t found = 0;
  for (uint32_t lanes = request.lanes; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    found |= uint32_t(shared.contains(addressOf(request.accesses[lane]))) << lane;
  }
  return found;
}

}  // namespace

void countRequest(const Request& request, Counters& counters) {
  counters.memory_lanes += unsigned(std::popcount(request.lanes));
  if (request.kind == Access::atomic) {
    ++counters.atomics;
    counters.atomic_conflicts += contentionOf(request);
    return;
  }
  Request shared = request, global = request;
  shared.lanes = sharedLanes(request);
  global.lanes = request.lanes & ~shared.lanes;
  const bool load = request.kind == Access::load;
  if (global.lanes != 0) {
    ++(load ? counters.load_requests : counters.store_requests);
    (load ? counters.load_sectors : counters.store_sectors) += sectorsOf(global);
  }
  if (shared.lanes != 0) {
    ++(load ? counters.shared_load_requests : counters.shared_store_requests);
    (load ? counters.shared_load_conflicts : counters.shared_store_conflicts) +=
        conflictsOf(shared);
  }
}

}  // namespace simt
