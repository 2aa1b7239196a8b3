// What the warps of chosen blocks do, step by step, in the order in which hardware would issue it:
// for pictures of a kernel, and for a model of what it costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simt/device/vectors.h"
#include "simt/hardware/counters.h"

namespace simt {

enum class MemorySpace : uint8_t { none, global, shared };

// Some lanes of a warp do something together.
struct TraceStep {
  enum class Kind : uint8_t {
    code,  // enter a basic block
    load,
    store,
    atomic,
    shuffle,
    vote,    // also __activemask
    reduce,  // __reduce_*_sync
    warpBarrier,
    blockBarrier,
    gridBarrier,
    returned
  };
  Kind kind;
  MemorySpace space = MemorySpace::none;  // of load, store and atomic
  uint8_t bytes = 0;                      // likewise: of each lane
  bool divergent = false;                 // these lanes part after this step
  bool isBranch = false;                  // and that is counted as a divergent branch
  bool behindFence = false;  // some lane made a __threadfence before it, or what it is publishes
  uint16_t warp = 0;
  uint32_t block = 0;        // place in Trace::blocks
  uint32_t lanes = 0;        // a bit for each
  const void* pc = nullptr;  // the instruction behind it, null for returned
  // As counted: sectors of global memory, passes that bank conflicts add, lanes of an atomic that
  // wait for another.
  uint32_t sectors = 0, conflicts = 0;
  size_t words = 0;  // place in Trace::words
};

// What the step adds to the counters, but for the branch behind it, and for barriers of the block:
// of those every warp has a step, and all together are counted once.
Counters countedAt(const TraceStep& step);

struct TracedBlock {
  std::string kernel;
  unsigned launch = 0;       // the launches that were traced are numbered from 0
  dim3 grid, size;           // of the launch
  dim3 index;                // in the grid
  unsigned sharedBytes = 0;  // that the launch gave dynamically
};

// A device array or a shared variable, as known when the trace began.
struct TracedArray {
  std::string name;
  uintptr_t address = 0;
  size_t bytes = 0, elementSize = 1;  // of shared variables 1
  MemorySpace space = MemorySpace::global;
};

struct Trace {
  std::vector<TracedBlock> blocks;
  std::vector<TracedArray> arrays;
  std::vector<TraceStep> steps;
  std::vector<uint64_t> words;  // reached by the functions below
  bool cutOff = false;          // steps are missing, for there were more than asked for

  // Of a lane that takes part in the step. Addresses: of load, store and atomic.
  uint64_t address(const TraceStep& step, unsigned lane) const;
  // The value that was loaded or stored, that an atomic found, that a shuffle gave, that the lane
  // brought to a vote or a reduction; the lowest bytes count. Only where hasValue().
  uint64_t value(const TraceStep& step, unsigned lane) const;
  static bool hasValue(const TraceStep& step);
  // Of a shuffle: the lane whose value came.
  unsigned sourceLane(const TraceStep& step, unsigned lane) const;
};

struct TraceChoice {
  std::vector<uint64_t> blocks = {};  // their numbers, x first; empty for all of them
  size_t maxSteps = 1 << 20;          // in the whole trace
  // Called when a traced block has ended, and none that runs beside it is open: it may take the
  // steps and words out and clear them.
  std::function<void()> blockEnded = {};
};

// From now on every launch appends what its chosen blocks do. Null ends that. Loads of what is
// constant, parameters and threads' own variables are no steps, as they are not counted.
void recordTrace(Trace* trace, TraceChoice choice = {});

// "/home/me/file.cuh:12" for each of these, "" where unknown: of what was inlined, the line of the
// kernel that called it. All are looked up at once.
std::vector<std::string> sourcePathsOf(const std::vector<const void*>& pcs);

}  // namespace simt
