// What one block did, taken apart: stages between barriers or warp operations, and in each what
// went from where to where.
#pragma once

#include <string>
#include <vector>

#include "simt/hardware/counters.h"
#include "simt/observe/trace.h"

// What came to one place from another.
struct Arrow {
  unsigned thread;        // that fetched it
  unsigned from, to;      // elements of the stage's rows; in a row of registers, threads
  bool addition = false;  // into what was there; otherwise the first that came
  bool counts = true;     // false when no result depends on it
  bool operator==(const Arrow&) const = default;
};

// What the block did between two rows of the picture: a row is an array, or the threads' registers.
struct Stage {
  std::string from, to;       // names of arrays; registers: empty
  bool inShared = false;      // the array that was loaded from
  std::vector<Arrow> arrows;  // by thread
  std::vector<Arrow> keeps;   // what stayed in its place, to be added to
  std::vector<bool> active;   // by thread: those that took part
  simt::Counters counted;
};

// Takes the trace of a block apart (of several, one after the other): a stage is what threads did
// between two barriers or warp operations. Knows loads, stores and shuffles, and takes it that what
// a shuffle brings is added.
std::vector<Stage> stagesOf(const simt::Trace& trace);

// From registers to registers.
bool isShuffle(const Stage& stage);
