// How many instructions a GPU would issue for the code of a kernel, estimated from the host
// program's machine code: without a GPU, nvcc, or the GPU's own code.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "estimate/instructions_disassembly.h"
#include "estimate/instructions_weights.h"

namespace estimate {

// The code behind a place of a trace, up to the next place.
struct CodeCost {
  float count = 0;     // instructions, without those that are steps of the trace themselves
  float chain = 0;     // of these, how many wait for each other's results
  float floats = 0;    // that compute with floats or doubles: the rest leads to addresses
  float special = 0;   // by the unit for special functions
  float branches = 0;  // that are left
  float control = 0;   // these, and what parts lanes and puts them together
  // Where the code ends in a branch over a few instructions: nvcc has them issued with a predicate
  // instead. A warp that does not come to this place of the trace issues them for nothing.
  uint64_t predicated = 0;  // the place, in the program's file; 0 where there is none
  float skipped = 0;        // instructions, without the accesses to memory
  float skippedChain = 0;
  // Loads and stores go through the pipe without a lane, and who needs a load's value waits for it.
  unsigned skippedLoads = 0, skippedStores = 0;
  // Of a load: the accesses whose addresses are computed from its value.
  std::set<uint64_t> addresses = {};
};

class Instructions {
 public:
  // Of all the code that traces go through; the places are those of their steps, and some of them
  // accesses to global memory. Throws Error where the machine code cannot be read.
  Instructions(const std::vector<const void*>& places,
               const std::vector<const void*>& globalAccesses);
  Instructions(std::unique_ptr<Disassembly> disassembly, const std::vector<uint64_t>& places,
               const std::vector<uint64_t>& globalAccesses = {});

  const CodeCost& behind(const void* place) const;
  const CodeCost& behind(uint64_t place) const;
  // The innermost loop around a place: its kind, and a number that tells it from others.
  const Loop& loopAround(uint64_t place) const;

 private:
  CodeCost costBehind(uint64_t place) const;
  void addBranch(long place, CodeCost& cost) const;
  std::set<uint64_t> addressesFrom(uint64_t place) const;

  std::unique_ptr<Disassembly> code_;
  std::unique_ptr<Loops> loops_;
  std::set<uint64_t> places_, globalAccesses_;
  std::map<uint64_t, CodeCost> costs_;
  std::unordered_map<uint64_t, const Loop*> around_;  // the places
};

}  // namespace estimate
