// From what the executor saw a kernel's warps do to what the timing model is fed with.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "estimate/feed_program.h"
#include "estimate/instructions.h"
#include "estimate/place_table.h"
#include "estimate/warp_program.h"
#include "simt/observe/trace.h"

namespace estimate {

// Takes the steps of traced blocks, one block after the other, and keeps what the model needs. What
// the machine code and the source lines say is looked up once, at the end, for all launches.
class Feed {
 public:
  // From here on, a block of another launch than before.
  void beginLaunches() { number_ = -1; }
  // Takes all that is in the trace, which are blocks of one launch, and empties it.
  void take(simt::Trace& trace);
  size_t size() const { return taken_.size(); }
  // Forgets what was taken of this launch and those behind it.
  void dropFrom(size_t launch) { taken_.erase(taken_.begin() + long(launch), taken_.end()); }
  // Whether blocks were cut off, as they do too much.
  bool cutOff() const { return cutOff_; }

  // The launches that were taken since the last call, in their order. Throws Error where the
  // machine code cannot be read.
  std::vector<Launch> launches();

 private:
  struct Step {
    Operation operation;
    const void* pc;
    LaneShape shape;  // of loads
  };
  struct TakenWarp {
    std::vector<Step> steps;
  };
  struct TakenBlock {
    uint64_t number;
    std::vector<TakenWarp> warps;
  };
  struct Nothing {};
  // The step that reads a sector before all others.
  struct FirstRead {
    uint32_t block = 0, warp = 0, step = 0;  // their places in blocks
    uint32_t before = 0;                     // reads that its warp made before
  };
  struct TakenLaunch {
    Launch launch;
    std::vector<TakenBlock> blocks = {};
    PlaceTable<FirstRead> read = {};  // sectors, by who brings them from memory
    PlaceTable<Nothing> written = {};
    PlaceTable<bool> atomicPieces = {};  // whether several blocks update them
    size_t piecesOfOneBlock = 0, sharedPieces = 0;
    std::map<uintptr_t, size_t> shared = {};  // bytes of the shared variables that it touched
    struct Extent {
      uint16_t place = 0;  // in launch.arrays
      uint64_t from = 0, to = 0;
    };
    std::map<uintptr_t, Extent> arrays = {};  // that it touched, by their addresses
    // What no later launch needs.
    void forget() { read = {}, written = {}, atomicPieces = {}; }
  };
  // What the block that is being taken touched.
  struct Touched {
    PlaceTable<Nothing> read, written, atomicPieces;
    PlaceTable<uint8_t> lines = {};    // that it read, by how many sectors
    std::vector<uint32_t> reads = {};  // of each warp, so far
  };

  static size_t tensorProduct(const std::vector<Step>& steps, size_t begin,
                              const std::map<const void*, std::string>& sourceOf);
  TakenLaunch& launchOf(const simt::TracedBlock& block);
  static uint16_t arrayOf(const simt::Trace& trace, uint64_t from, uint64_t to,
                          TakenLaunch& launch);
  static Operation operationOf(const simt::Trace& trace, const simt::TraceStep& step,
                               TakenLaunch& launch, Touched& block, const FirstRead& place);
  static bool readsFirst(TakenLaunch& launch, uint64_t sector, const FirstRead& place);

  std::vector<TakenLaunch> taken_;
  long number_ = -1;  // of the launch that was taken last, in its trace
  bool cutOff_ = false;
};

}  // namespace estimate
