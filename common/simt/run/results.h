// What becomes of launches: how far the running one has come, and what they counted and found.
#pragma once

#include <cstdint>
#include <vector>

#include "simt/find/fault.h"
#include "simt/hardware/counters.h"

namespace simt {

// What the launches since the last call found, mild faults included, in the order in which it was
// found: distinct ones only, and no more than a screenful of each launch.
std::vector<Fault> takeFaults();

// Counters of all launches since the last call.
Counters takeCounters();
void addCounters(const Counters& counted);  // what was counted elsewhere

// Whether launches since the last call touched more memory than Settings leave room to keep records
// of: then races between blocks, or between two barriers that are far apart, may have been missed.
bool someForgotten();
void noteForgotten();  // that they did: here, or in another process

// How many blocks of the launches since the last call ran without being counted and searched: see
// Settings::searchSeconds. The counters are those of the others.
uint64_t takePlainBlocks();
void notePlainBlocks(uint64_t blocks);
// Why one of these launches had none, though it took longer than Settings::searchSeconds: "prints",
// say. Null where that was not so.
const char* takeWhyNonePlain();
void noteWhyNonePlain(const char* why);

// How many blocks of the running launch have ended, and how many it has; may be called from another
// OS thread. Both are 0 before the first launch.
struct Position {
  uint64_t ended, blocks;
};
Position position();

// For a launch: that so many of its blocks have ended, and what it has found.
void notePosition(const Position& position);
void addFaults(const std::vector<Fault>& faults);

}  // namespace simt
