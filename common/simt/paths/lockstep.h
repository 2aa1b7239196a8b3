// Puts the lanes of a warp back into step, from the paths that they took one after the other:
// lanes are together while their control flow is, and lanes that parted are together again at the
// first block where their paths meet in the same turn of the same loops.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "simt/paths/flow_graph.h"
#include "simt/threads/thread.h"

namespace simt {

struct AccessSite;

// Some lanes execute a memory instruction together: which of its own accesses that is for each. For
// who asks for more, also that they enter a block (or meet), and that they part.
struct JointAccess {
  static constexpr uint32_t parting = 0;
  uint32_t code;
  uint32_t lanes = 0;
  uint32_t index[warpWidth];
  bool continues = false;  // the basic block that the one before it is in
  bool isBranch = false;   // of a parting: it is counted as a divergent branch
  // Where plans are kept (warp_log.h): the instruction, and the access that it is for all lanes, or
  // -1 where not for all the same.
  const AccessSite* site = nullptr;
  int row = -1;
};

class Lockstep {
 public:
  using Emit = std::function<void(const JointAccess&)>;

  explicit Lockstep(bool emitsBlocks = false) : emitsBlocks_(emitsBlocks) {}

  // The codes that a lane's path goes on with.
  void append(unsigned lane, const uint32_t* codes, size_t count);

  // Goes on as far as is known where every lane goes. In more, lanes whose paths go on later; in
  // blocked, those of them that wait for another lane first. Returns the branches at which lanes
  // parted.
  uint64_t run(uint32_t more, uint32_t blocked, const Emit& emit);

  size_t codesLeft(unsigned lane) const { return lanes_[lane].codes.size() - lanes_[lane].next; }
  uint32_t accessesDone(unsigned lane) const { return lanes_[lane].accesses; }
  // Whether no lane has anything left to do and these are all at the same place.
  bool together(uint32_t lanes) const;

 private:
  struct Turn {
    uint32_t head, count;  // of a loop: how often its head was come back to
  };
  struct Lane {
    std::vector<uint32_t> codes;  // from next on still to come
    size_t next = 0;
    uint32_t accesses = 0;  // how many of them are behind
    uint32_t block = FlowGraph::start, blockCode = 0;
    std::vector<Turn> turns;         // of the loops that it is in, outermost first
    std::vector<uint32_t> position;  // compares lanes: turns, then the block
    unsigned inCondition = 0;  // blocks still to come that are counted with an earlier parting
    uint32_t lastKnown = FlowGraph::start;  // the block that the last appended code is in
  };

  static bool knowsNext(const Lane& lane);
  void place(Lane& lane);
  void moveOn(Lane& lane);
  uint32_t frontLanes(uint32_t candidates) const;
  void execute(uint32_t group, const Emit& emit);
  bool part(uint32_t group) const;
  bool knowsAhead(const Lane& lane) const;
  bool isPlain(const Lane& lane, size_t at) const;
  std::vector<uint32_t> blocksAhead(const Lane& lane) const;
  bool countsAsBranch(uint32_t group);

  bool emitsBlocks_;
  FlowGraph graph_;
  Lane lanes_[warpWidth];
  uint32_t present_ = 0;
};

}  // namespace simt
