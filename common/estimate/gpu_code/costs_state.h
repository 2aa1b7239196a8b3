// How costs are found: those of single instructions in costs.cpp, of blocks and loops in
// costs_of_blocks.cpp.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "estimate/gpu_code/modes.h"
#include "estimate/gpu_code/ptx.h"
#include "estimate/gpu_code/reader.h"

namespace estimate::gpu_code {

// Those that every frame begins with, as the thread's place.
inline bool isSpecialRegister(uint32_t reg) { return reg < specialRegisters.size(); }
// Whether it differs from thread to thread of a warp.
inline bool isOfThread(const Function& f, uint32_t reg) {
  return isSpecialRegister(reg) &&
         (f.registers[reg].name.starts_with("%tid") || f.registers[reg].name.starts_with("%lane"));
}
inline bool is64(Type type) { return bytesOf(type) == 8; }

// A sum goes on: i = i + n.
inline bool isStep(const Instruction& i) {
  return i.op == Op::add && !isFloat(i.type) && i.from_[0].kind == Operand::Kind::reg &&
         i.to[0].reg == i.from_[0].reg;
}

inline bool stepsByConstant(const Instruction& i) {
  return isStep(i) && i.from_[1].kind == Operand::Kind::constant;
}

// By how much: of 32 bits, with a sign.
inline int64_t stepOf(const Instruction& i) { return int32_t(i.from_[1].offset); }

constexpr float cyclesOfChain = 4.6f;          // that one of a chain takes
constexpr double predicateChain = 13.0 / 4.6;  // a predicate, for each of them
// … of the unit for special functions: a chain of conversions, as measured.
constexpr float cyclesOfSpecial = 19;
// What a warp by itself waits for beside ptxas's stalls, by loops of one to four ifs on an H200:
// behind a jump that it takes, at BSYNC, and where some of its lanes take a jump, at which the
// others wait at BSYNC (16, 3 of them to turn to those) before they come there themselves.
constexpr float cyclesOfJump = 5, cyclesOfMeeting = 8, cyclesOfParting = 24;
inline Cost times(double count, double chain, double special = 0) {
  Cost c;
  c.count = float(count), c.chain = float(chain), c.special = float(special);
  return c;
}
inline Cost nothing(bool copies = true) {
  Cost c = times(0, 0);
  c.copies = copies;
  return c;
}

inline bool holds(const BasicBlock& block, const Instruction& i) {
  return !block.code.empty() && &i >= &block.code.front() && &i <= &block.code.back();
}

// Who defines and who uses each register.
struct Uses {
  struct Of {
    std::vector<const Instruction*> writers, readers;
  };
  std::vector<Of> all;
  explicit Uses(const Function& f) : all(f.registers.size()) {
    for (const BasicBlock& block : f.blocks)
      for (const Instruction& i : block.code) {
        const auto reads = [&](const Operand& o) {
          if (isRegister(o)) all[o.reg].readers.push_back(&i);
        };
        for (const Operand& o : i.from_) reads(o);
        if (i.guard.kind != Operand::Kind::none) reads(i.guard);
        for (const Operand& o : i.to)
          if (o.kind == Operand::Kind::reg) all[o.reg].writers.push_back(&i);
      }
  }
  // The one instruction that writes what this one alone reads: they can become one.
  const Instruction* only(const Operand& o) const {
    if (o.kind != Operand::Kind::reg) return nullptr;
    const Of& of = all[o.reg];
    return of.writers.size() == 1 && of.readers.size() == 1 ? of.writers[0] : nullptr;
  }
};

// The blocks that a way leads to from this one; it goes no further than until.
inline std::set<uint32_t> blocksBehind(const Function& f, uint32_t block, uint32_t until = none) {
  std::set<uint32_t> found;
  std::vector<uint32_t> stack = f.blocks[block].next;
  while (!stack.empty()) {
    const uint32_t b = stack.back();
    stack.pop_back();
    if (b == until || !found.insert(b).second) continue;
    stack.insert(stack.end(), f.blocks[b].next.begin(), f.blocks[b].next.end());
  }
  return found;
}

// Calls changes(instruction, register that it writes) for all of a function's, as often as one of
// the calls says that it has changed something.
void untilNothingChanges(const Function& f, auto&& changes) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock& block : f.blocks)
      for (const Instruction& i : block.code)
        for (const Operand& o : i.to)
          if (o.kind == Operand::Kind::reg && changes(i, o.reg)) changed = true;
  }
}

class Costs {
 public:
  explicit Costs(Function& f) : f_(f), uses_(f) {}
  void find();

 private:
  bool joins(const Instruction& i, auto&& isPart) const {
    return std::ranges::any_of(i.from_, [&](const Operand& o) {
      const Instruction* const part = uses_.only(o);
      return part && part != &i && isPart(*part);
    });
  }
  // Whether one that is so writes it.
  bool isMadeBy(const Operand& o, auto&& isIt) const {
    return isRegister(o) && std::ranges::any_of(uses_.all[o.reg].writers,
                                                [&](const Instruction* w) { return isIt(*w); });
  }
  bool comesOf(const Instruction& i, auto&& isIt) const {
    return std::ranges::any_of(i.from_, [&](const Operand& o) { return isMadeBy(o, isIt); });
  }
  // These are none where it is not of the block.
  static Instruction* ofBlock(BasicBlock& block, const Instruction& i) {
    return holds(block, i) ? &block.code[size_t(&i - block.code.data())] : nullptr;
  }
  Instruction* madeIn(BasicBlock& block, const Operand& o) const {  // what alone writes it
    if (o.kind != Operand::Kind::reg || uses_.all[o.reg].writers.size() != 1) return nullptr;
    return ofBlock(block, *uses_.all[o.reg].writers[0]);
  }
  bool isOfLaunch(const Instruction& load) const;
  Cost costOf(const Instruction& i) const;
  float registerCyclesOf(const Instruction& i, const Instruction*& before) const;
  bool needsCopy(const Instruction& i) const;
  struct CountedLoop {
    const Instruction *compare = nullptr, *counter = nullptr;  // none: it is no such loop
    uint32_t reg = none;                                       // that counts
    unsigned turns = 1;                                        // of the source that are one here
    bool isCounted = false;  // by one, as often as is known before
  };
  // How a number goes on from turn to turn of a loop of one block: not at all, by one in each, by
  // several, as a multiple of a sum, by what is known only at run time, as a multiple of the
  // counter, or otherwise.
  enum class Course : uint8_t { stays, byOne, bySeveral, byRow, asMultiple, otherwise };
  const Operand* counterBehind(const Operand& o) const;  // or none
  Course courseOfProduct(Course course, const Operand& of, int64_t by) const;
  Course courseOf(const Instruction& i, const std::vector<Course>& courses) const;
  bool countsWithoutSign(const CountedLoop& loop) const;
  std::vector<Course> coursesIn(const BasicBlock& block, bool mayGoRound) const;
  bool isOffset(const Instruction& i) const;
  // These follow what makes or reads it for so many steps.
  bool isAddress(const Instruction& i, unsigned further = 8) const;
  bool staysIndex(const Instruction& i, const std::vector<Course>& courses) const;
  struct Widened {
    int64_t step = 0;  // in what is one turn here; 0: none
    uint32_t length = none;
  };
  Widened widenedBy(const Instruction& i) const;
  void goOnBySums(BasicBlock& block, const Instruction& product, bool isFirst);
  void makeIndices(BasicBlock& block, const CountedLoop& loop);
  void makePointers(BasicBlock& block);
  void shareConstants(BasicBlock& block);
  void joinSelections(BasicBlock& block);
  void shareShifts(BasicBlock& block);
  uint32_t steppedBy(const Instruction& i) const;
  const Instruction* counterOf(const BasicBlock& block, const Operand& compared) const;
  CountedLoop countedLoop(const BasicBlock& block) const;
  CountedLoop countsIn(const BasicBlock& block) const;
  bool keepsTurnsApart(const CountedLoop& loop, float by) const;
  bool isConstant(const Operand& o) const;
  bool goesUpByWords(const Instruction& load) const;
  bool readsConstant(const Operand& o) const;
  bool isBesideNumber(const Instruction& load) const;
  const Operand* constantOf(const Operand& o) const;  // or none
  bool isInSteps(const BasicBlock& block, const CountedLoop& loop, const Operand& o) const;
  bool isStepOfGenerator(const Instruction& i) const;
  bool areInOneBlock(const Instruction& one, const Instruction& other) const;
  bool joinsInBlock(const Instruction& i, auto&& isPart) const {  // executed as often
    return joins(i, [&](const Instruction& p) { return isPart(p) && areInOneBlock(i, p); });
  }
  bool isAddedToProduct(const Instruction& i) const;
  bool isWideProduct(const Instruction& i) const;
  bool isOnlyForSums(const Instruction& i) const;
  bool isSumOfProduct(const Instruction& i) const;
  bool isOfMask(const Instruction& sum) const;
  bool isOfWidened(const Instruction& sum) const;
  bool isComparedWithZero(const Instruction& i) const;
  const Loop* smallestLoopAround(uint32_t block) const;
  bool isMadeBeforeLoop(uint32_t reg, const Loop* smallest) const;
  void addBefore(const Loop& loop, float count);
  void shareAddresses(BasicBlock& block);
  void shareDivisors(uint32_t block);
  void joinMaxima();
  void addUpAtomics();
  void findAlignments();
  void mergeLoads(BasicBlock& block, Space space, unsigned turns = 1);
  std::vector<uint8_t> alignmentsInTurns(const BasicBlock& block) const;
  bool goesOnEvenly(const BasicBlock& block, uint32_t reg, unsigned further = 8) const;
  bool isOfCounterAlone(const BasicBlock& block, uint32_t reg, unsigned further = 8) const;
  uint8_t alignmentInLoop(const BasicBlock& block, uint32_t reg,
                          const std::map<int64_t, uint32_t>& loads) const;
  void addBeginning();
  void findDivergent();
  void addMeetings();
  void findSameForGrid();
  bool hasConstantsOfLoop(const BasicBlock& block, const CountedLoop& loop) const;
  void findUniformConstants();
  bool hasKnownTurns(const CountedLoop& loop) const;
  unsigned turnsOf(const CountedLoop& loop) const;
  bool isOnceForTurns(const BasicBlock& block, const CountedLoop& loop, const Instruction& i) const;
  void unrollCountedLoops();

  Function& f_;
  Uses uses_;
  std::vector<bool> divergent_;                  // registers that may differ from lane to lane
  std::vector<bool> sameForGrid_;                // that do not differ from block to block either
  std::vector<uint8_t> alignment_;               // which power of two each is a multiple of
  std::set<const BasicBlock*> unrolledByPtxas_;  // and so not by nvcc
  std::set<const Instruction*> indices_;         // wide products of what a loop counts that stay so
};

// What IMAD.WIDE and IMAD.HI keep the unit for products busy, and for how long the scheduler issues
// nothing behind them: of one for each 4 to 17 other instructions 2.1 to 2.8 cycles on an H200.
inline constexpr float wideProductCycles = 4, behindWideProduct = 2.1f;
// Of the unit for doubles, their comparison: four with four sums and four counts of them take 22
// cycles of a scheduler on an H200, seven products and sums with one 18.5.
inline constexpr float doubleComparisonCycles = 3.6f;
UnitCycles unitCyclesOf(const Instruction& instruction);

}  // namespace estimate::gpu_code
