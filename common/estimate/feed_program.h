// Writes what a warp did as the timing model reads it.
#pragma once

#include <map>
#include <vector>

#include "estimate/instructions.h"
#include "estimate/warp_program.h"

namespace estimate {

class ProgramWriter {
 public:
  explicit ProgramWriter(const Instructions& instructions) : instructions_(instructions) {}

  // The next step: an operation, or of kind instructions a basic block. pc: its place, or null.
  void add(const Operation& operation, const void* pc, uint32_t source);
  Warp finish();

 private:
  // A load whose value nobody was seen to need yet.
  struct Awaited {
    uint32_t place;  // in operations
    uint64_t pc;
  };
  void enter(uint64_t pc);
  void issue();    // the instructions that have come together
  void needAll();  // the next operation waits for all loads
  void needBefore(uint64_t pc);

  const Instructions& instructions_;
  Warp warp_;
  float count_ = 0, chain_ = 0, special_ = 0, branches_ = 0;
  uint32_t countSource_ = 0;
  // Of the code before: a piece that its lanes may leave out, and what that costs.
  uint64_t predicated_ = 0;
  float skipped_ = 0;
  std::vector<Awaited> awaited_;
  std::map<uint64_t, unsigned> turns_;  // of loads, by their place: how often since they waited
};

// Lists a loop with very many turns in part, where all warps of the block make it alike.
void foldLoops(Block& block);

}  // namespace estimate
