// The steps that a page shows, in the order in which it shows them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simt/hardware/counters.h"
#include "simt/observe/trace.h"

// A step of the trace as the page has it: code that does nothing but go on is left out, a branch at
// which lanes part is a step of its own, and the last warp to come to a barrier opens it.
struct PageStep {
  enum class Kind {
    load,
    store,
    atomic,
    shuffle,
    vote,
    reduce,
    warpBarrier,
    arrive,   // at a barrier of the block, and waits
    barrier,  // the last to arrive
    branch,
    returned
  };
  Kind kind;
  const simt::TraceStep* traced = nullptr;
  simt::Counters counted = {};       // what it adds
  unsigned arrived = 0, warps = 0;   // of arrive and barrier: warps that are there, of how many
  std::vector<uint32_t> parts = {};  // of a branch: the lanes that go each way, those that go first
  std::vector<const void*> ways = {};  // and where to: null for unknown
};

// Block after block; in a block, warps take turns step by step and wait for each other at barriers.
std::vector<PageStep> pageSteps(const simt::Trace& trace);

// The warps of a block.
unsigned warpsOf(const simt::TracedBlock& block);
