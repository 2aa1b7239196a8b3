// A warp on its way through its operations.
#pragma once

#include <array>
#include <vector>

#include "estimate/multiprocessor.h"

namespace estimate {

// Goes through a warp's operations in their order, a listed loop as often as it comes.
class Position {
 public:
  Position() = default;
  explicit Position(const Warp* warp) : warp_(warp) {
    if (hasLoop()) turnsLeft_ = uint64_t(warp_->repeats + 0.5);
    skipEmpty();
  }
  bool atEnd() const { return at_ >= warp_->operations.size(); }
  const Operation& operation() const { return warp_->operations[at_]; }

  // Counts operations in the order in which they are done, over all turns of the loop.
  uint64_t step() const { return done_; }

  // The step in which place is reached next; of a place in the loop at or before this one, in the
  // next turn.
  uint64_t stepOf(uint32_t place) const {
    if (place > at_ && (!inLoop() || place < warp_->repeatTo)) return done_ + (place - at_);
    if (place > at_) return done_ + (place - at_) + turnsLeft_ * loopLength();
    return inLoop() && place >= warp_->repeatFrom ? done_ + place + loopLength() - at_ : done_ + 1;
  }
  // The line of constants that the operation reads.
  uint64_t constantLine() const {
    return operation().address + (inLoop() ? turnsLeft_ * warp_->linesOfTurns : 0);
  }
  // Which turn of the loop it is in, alike for all warps.
  uint64_t turn() const { return inLoop() ? turnsLeft_ : 0; }
  void advance() {
    ++at_;
    ++done_;
    skipEmpty();
  }

 private:
  bool hasLoop() const { return warp_->repeats > 0 && warp_->repeatTo > warp_->repeatFrom; }
  bool inLoop() const {
    return turnsLeft_ > 0 && at_ >= warp_->repeatFrom && at_ < warp_->repeatTo;
  }
  uint64_t loopLength() const { return warp_->repeatTo - warp_->repeatFrom; }
  void skipEmpty() {
    if (turnsLeft_ > 0 && at_ == warp_->repeatTo) {
      at_ = warp_->repeatFrom;
      --turnsLeft_;
    }
  }

  const Warp* warp_ = nullptr;
  uint64_t at_ = 0, done_ = 0, turnsLeft_ = 0;
};

// A value on its way to a warp, and the step that needs it.
struct Expected {
  uint64_t step = 0;
  double at = 0, withoutConflicts = 0;
  Wait wait = Wait::memory;
};

struct WarpState {
  enum class Stage : uint8_t { absent, running, atBarrier };

  Stage stage = Stage::absent;
  Position position;
  std::vector<Expected> expected;
  double issuesLeft = 0;                 // of the run of instructions that it is in
  double gap = 1;                        // between two of them
  double special = 0, specialShare = 0;  // of them, for the unit for special functions
  double controlShare = 0;
  bool isInOrder = false;                 // ptxas said when they go
  double yields = 0, yieldShare = 0;      // … of them, that let others go first
  double registerShare = 0;               // of a cycle, that reading registers takes
  double uniform = 0, uniformShare = 0;   // … that read a constant for all lanes
  std::array<double, 4> unitShares = {};  // of each instruction: Operation::unitCycles
  double carried = 0;                     // a part of an instruction, from a run to the next
  double readyAt = 0;                     // when it can issue next
  bool inTurn = false;                    // it has waited for values: MemoryPath::issue
  double storesOut = 0;                   // when L2 has taken what it stored
  uint32_t storedAt = 0;                  // the line of the last of that
  double accountedTo = 0;                 // up to when its time is accounted for
};

}  // namespace estimate
