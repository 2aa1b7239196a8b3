// Writes what a warp did as the timing model reads it.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "estimate/instructions.h"
#include "estimate/warp_program.h"

namespace estimate {

// Where the lanes of a load lie to each other: nvcc loads once what lies at the same places, and
// together what lies side by side in shared memory.
struct LaneShape {
  uint64_t hash = 0;      // of the lanes and of their distances from the lowest address
  uint8_t distinct = 0;   // addresses
  uint8_t alignment = 0;  // bytes, up to 16, that all the distances are multiples of
};

class ProgramWriter {
 public:
  explicit ProgramWriter(const Instructions& instructions) : instructions_(instructions) {}

  // The next step: an operation, or of kind instructions a basic block. pc: its place, or null.
  void add(const Operation& operation, const void* pc, uint32_t source,
           const LaneShape& shape = {});
  // A product of fragments of matrices of doubles, by tensor cores.
  void addTensorProduct(uint32_t source);
  Warp finish();

 private:
  // A load whose value nobody was seen to need yet.
  struct Awaited {
    uint32_t place;  // in operations
    uint64_t pc;
  };
  // Loads since memory may have changed.
  struct Recent {
    uint64_t hash, pc, address;  // of the first
    uint32_t place;
    uint32_t words;  // of 4 bytes that it loads, from address on
  };
  void enter(uint64_t pc);
  void forgetAddress();
  bool isLoadedAlready(const Operation& load, uint64_t pc, const LaneShape& shape);
  void skip();   // what only has a predicate
  void issue();  // the instructions that have come together
  bool computeBefore();
  void needAll();  // the next operation waits for all loads
  void needBefore(uint64_t pc);
  bool needForAddress(uint64_t pc);

  const Instructions& instructions_;
  Warp warp_;
  float count_ = 0, chain_ = 0, special_ = 0, branches_ = 0, control_ = 0;
  uint32_t countSource_ = 0;
  const CodeCost* before_ = nullptr;  // of the code that came last
  std::vector<Awaited> awaited_;
  std::vector<Recent> recent_;
  std::map<uint64_t, unsigned> turns_;  // of loads, by their place: how often since they waited
};

}  // namespace estimate
