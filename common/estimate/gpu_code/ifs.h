// The ifs of a function on their way to predicates: see ifs.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "estimate/gpu_code/ptx.h"

namespace estimate::gpu_code {

// Instructions that ptxas 13.0 has without a branch around them (of some 200 ifs for an H100): in
// an if, and on either side of an else. More where a load is on its way that is in them, or in
// front of them and not asked for the condition; most on a side where either has loads.
inline constexpr unsigned mostInIf = 8, mostWithElse = 7;
inline constexpr unsigned mostBesideLoads = 19, mostOfSideBesideLoads = 10, mostOfLoads = 17;
// Of what is asked behind a condition, nvcc asks so much in any case.
inline constexpr unsigned mostAsked = 4;

inline bool isGuarded(const Instruction& i) { return i.guard.kind != Operand::Kind::none; }
inline bool isJump(const Instruction& i) { return i.op == Op::bra && !isGuarded(i); }
inline bool endsByJump(const std::vector<Instruction>& code) {
  return !code.empty() && isJump(code.back());
}
inline bool isJumpAlone(const std::vector<Instruction>& code) {
  return code.size() == 1 && isJump(code[0]);
}
inline bool endsByBranch(const std::vector<Instruction>& code) {
  return !code.empty() && code.back().op == Op::bra && isGuarded(code.back());
}

class Ifs {
 public:
  Ifs(Function& f, const BranchesLeft& left)
      : f_(f), left_(left), comesFrom_(f.blocks.size(), 0), writers_(f.registers.size(), 0) {
    for (const BasicBlock& block : f_.blocks)
      for (const Instruction& i : block.code) {
        for (const uint32_t target : i.targets) ++comesFrom_[target];
        for (const Operand& o : i.to)
          if (o.kind == Operand::Kind::reg) ++writers_[o.reg];
      }
  }
  void convert();

 private:
  using Code = std::vector<Instruction>;
  Code& codeOf(uint32_t block) { return f_.blocks[block].code; }
  uint32_t following(uint32_t block) const;
  uint32_t goesOnAt(uint32_t block) const;
  void dropJumps();
  void bringBodies();
  bool isShort(const Code& body, unsigned most, const Operand& guard) const;
  static unsigned mostIn(const Code& head, const Code& body, const Code* otherwise = nullptr);
  bool isFallenInto(uint32_t block) const;
  bool askTogether(uint32_t head);
  bool convertAt(uint32_t head);
  bool isSpeculated(const Instruction& i) const;
  void take(Code& into, Code& body, const Operand& guard);
  void append(uint32_t head);
  void joinEnd(uint32_t head);
  void shareValues(Code& code);
  Operand bothOf(Code& into, const Operand& a, const Operand& b, const Instruction& like);

  Function& f_;
  const BranchesLeft& left_;
  std::vector<unsigned> comesFrom_;  // of each block, jumps that lead to it
  std::vector<unsigned> writers_;    // of each register
};

}  // namespace estimate::gpu_code
