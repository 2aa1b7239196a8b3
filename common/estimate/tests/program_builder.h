// Warps' programs written by hand.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "estimate/warp_program.h"

namespace estimate {

class ProgramBuilder {
 public:
  using Kind = Operation::Kind;

  // count instructions, of which each of a chain needs the one before; a chain of 0 means all;
  // special: of count, those of the unit for special functions, and branches, each of which waits
  // for a predicate; control: branches and what parts lanes and puts them together.
  ProgramBuilder& instructions(double count, double chain = 0, double special = 0,
                               double branches = 0, double control = 0) {
    if (count <= 0) return *this;
    Operation o = plain(Kind::instructions);
    o.count = float(count);
    constexpr double predicateAndJump = (13 + 5) / 4.6;
    o.chain = float((chain > 0 ? chain : count) + branches * (predicateAndJump - 1));
    o.special = float(special);
    o.control = float(std::max(branches, control));
    return add(o);
  }

  // A load of lanes × bytes from so many sectors in so many lines.
  struct Sectors {
    unsigned memory = 0, l2 = 0, l1 = 0, lines = 1, bytes = 4, lanes = 32;
  };
  ProgramBuilder& load(Sectors s) { return global(Kind::load, s); }
  ProgramBuilder& store(Sectors s) { return global(Kind::store, s); }

  ProgramBuilder& shared(Kind kind, unsigned passes, unsigned conflicts = 0, unsigned bytes = 4,
                         unsigned lanes = 32) {
    Operation o = plain(kind);
    o.lanes = uint8_t(lanes);
    o.passes = uint16_t(passes);
    o.conflicts = uint16_t(conflicts);
    o.bytes = uint8_t(bytes);
    return add(o);
  }
  // turns: as many as lanes update the address of its sector that most update; of those, whole
  // update all of the sector.
  ProgramBuilder& atomic(unsigned turns, unsigned whole = 0) {
    Operation o = plain(Kind::atomic);
    o.bytes = 4;
    o.l2Sectors = o.lines = 1;
    o.passes = uint16_t(turns);
    o.wholeSectors = uint16_t(whole);
    return add(o);
  }
  ProgramBuilder& fence() {
    needAll();
    return add(plain(Kind::fence));
  }
  ProgramBuilder& barrier() {
    needAll();
    return add(plain(Kind::blockBarrier));
  }
  ProgramBuilder& shuffle(Kind kind = Kind::shuffle) {
    needAll();
    return add(plain(kind));
  }

  // What comes next needs all values that are on their way; or the oldest of them alone.
  ProgramBuilder& needAll() {
    while (!open_.empty()) needOldest();
    return *this;
  }
  ProgramBuilder& needOldest() {
    if (open_.empty()) return *this;
    warp_.operations[open_.front()].neededAt = uint32_t(warp_.operations.size());
    open_.erase(open_.begin());
    return *this;
  }
  ProgramBuilder& at(uint32_t source) {
    source_ = source;
    return *this;
  }

  // What stands from here to endLoop() comes so many times in all.
  ProgramBuilder& beginLoop() {
    warp_.repeatFrom = uint32_t(warp_.operations.size());
    return *this;
  }
  ProgramBuilder& endLoop(double turns) {
    warp_.repeatTo = uint32_t(warp_.operations.size());
    warp_.repeats = turns - 1;
    return *this;
  }
  Warp warp() {
    if (!open_.empty()) {
      needAll();
      instructions(1);
    }
    return warp_;
  }

 private:
  Operation plain(Kind kind) const {
    Operation o;
    o.kind = kind;
    o.lanes = 32;
    o.source = source_;
    return o;
  }
  ProgramBuilder& add(const Operation& o) {
    const bool answers = o.kind == Kind::load || o.kind == Kind::sharedLoad ||
                         o.kind == Kind::shuffle || o.kind == Kind::vote;
    if (answers) open_.push_back(uint32_t(warp_.operations.size()));
    warp_.operations.push_back(o);
    return *this;
  }
  ProgramBuilder& global(Kind kind, const Sectors& s) {
    Operation o = plain(kind);
    o.memorySectors = uint16_t(s.memory);
    o.l2Sectors = uint16_t(s.l2);
    o.l1Sectors = uint16_t(s.l1);
    o.lines = uint16_t(s.lines);
    o.bytes = uint8_t(s.bytes);
    o.lanes = uint8_t(s.lanes);
    return add(o);
  }

  Warp warp_;
  std::vector<uint32_t> open_;
  uint32_t source_ = 0;
};

// A block whose warps all do the same.
inline Block uniformBlock(const Warp& warp, unsigned warps, uint64_t number = 0) {
  return {number, std::vector<Warp>(warps, warp)};
}

}  // namespace estimate
