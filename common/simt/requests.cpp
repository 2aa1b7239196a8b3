#include "simt/requests.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "simt/arrays.h"
#include "simt/block.h"
#include "simt/epoch_table.h"

namespace simt {
namespace {

constexpr uintptr_t sectorBytes = 32, banks = 32;

// Numbers the sites from 1 in the order in which they are met.
uint32_t siteOf(const void* pc, SiteKind kind) {
  static EpochTable<uint32_t> numbers;
  static uint32_t count = 0;
  uint32_t& number = numbers[reinterpret_cast<uintptr_t>(pc) * 8 + kind];
  if (number == 0) number = ++count;
  return number;
}

SiteLog& logOf(WarpRequests& warp, uint32_t site, SiteKind kind) {
  if (site >= warp.logs.size()) warp.logs.resize(site + 16);
  SiteLog& log = warp.logs[site];
  if (!log.open) {
    warp.open.push_back(site);
    log.open = true;
    log.kind = kind;
    log.used = 0;
    std::fill_n(log.turns, warpWidth, 0u);
  }
  return log;
}

Request& requestAt(SiteLog& log, uint32_t turn) {
  if (turn >= log.requests.size()) log.requests.resize(turn + 1 + turn / 2);
  while (log.used <= turn) log.requests[log.used++].lanes = 0;
  return log.requests[turn];
}

uint64_t sectorsOf(const Request& request) {
  uintptr_t seen[warpWidth * 2];
  unsigned count = 0;
  for (unsigned lane = 0; lane < warpWidth; ++lane) {
    if (!(request.lanes >> lane & 1)) continue;
    const uintptr_t last = (request.address[lane] + request.size - 1) / sectorBytes;
    for (uintptr_t s = request.address[lane] / sectorBytes; s <= last; ++s) {
      const bool known =
          count > 0 && (seen[count - 1] == s || std::find(seen, seen + count, s) != seen + count);
      if (!known) seen[count++] = s;
    }
  }
  return count;
}

// Passes beyond the fewest needed. 8-byte accesses are served by half warps, 16-byte ones by
// quarters; lanes that read the same word share it.
uint64_t conflictsOf(const Request& request) {
  const unsigned group = request.size >= 16 ? 8 : request.size == 8 ? 16 : 32;
  uint64_t conflicts = 0;
  for (unsigned first = 0; first < warpWidth; first += group) {
    uintptr_t words[warpWidth * 4];
    unsigned wordCount = 0, passes = 0;
    unsigned inBank[banks] = {};
    for (unsigned lane = first; lane < first + group; ++lane) {
      if (!(request.lanes >> lane & 1)) continue;
      const uintptr_t begin = request.address[lane] / wordBytes;
      const uintptr_t end = (request.address[lane] + request.size + wordBytes - 1) / wordBytes;
      for (uintptr_t word = begin; word < end && wordCount < std::size(words); ++word) {
        if (std::find(words, words + wordCount, word) != words + wordCount) continue;
        words[wordCount++] = word;
        passes = std::max(passes, ++inBank[word % banks]);
      }
    }
    if (passes > 1) conflicts += passes - 1;
  }
  return conflicts;
}

void count(const Request& request, SiteKind kind) {
  runningBlock().counters.memory_lanes += unsigned(std::popcount(request.lanes));
  switch (kind) {
    case globalLoad:
      ++runningBlock().counters.load_requests;
      runningBlock().counters.load_sectors += sectorsOf(request);
      break;
    case globalStore:
      ++runningBlock().counters.store_requests;
      runningBlock().counters.store_sectors += sectorsOf(request);
      break;
    case sharedLoad:
      ++runningBlock().counters.shared_load_requests;
      runningBlock().counters.shared_load_conflicts += conflictsOf(request);
      break;
    case sharedStore:
      ++runningBlock().counters.shared_store_requests;
      runningBlock().counters.shared_store_conflicts += conflictsOf(request);
      break;
    default: ++runningBlock().counters.atomics; break;
  }
}

}  // namespace

void closeRequests(unsigned number, bool counted) {
  WarpRequests& warp = runningBlock().requests[number];
  for (const uint32_t site : warp.open) {
    SiteLog& log = warp.logs[site];
    for (size_t i = 0; counted && i < log.used; ++i)
      if (log.requests[i].lanes != 0) count(log.requests[i], log.kind);
    log.open = false;
  }
  warp.open.clear();
}

void recordRequest(const Thread& self, uintptr_t address, size_t size, SiteKind kind,
                   const void* pc) {
  SiteLog& log = logOf(runningBlock().requests[self.warp()], siteOf(pc, kind), kind);
  Request& request = requestAt(log, log.turns[self.lane()]++);
  request.lanes |= 1u << self.lane();
  request.size = uint32_t(size);
  request.address[self.lane()] = address;
}

}  // namespace simt
