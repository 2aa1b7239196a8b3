// What a machine instruction of the host's stands for on a GPU.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "estimate/instructions_disassembly.h"

namespace estimate {

// What nvcc does to a loop. It unrolls one of constant bounds as a whole, so that counting and
// comparing go away, and an inner one of unknown bounds by four.
enum class LoopKind : uint8_t { none, kept, unrolledByFour, unrolled };

struct Loop {
  long first = 0, last = 0;  // places of its instructions
  LoopKind kind = LoopKind::none;
  unsigned together = 1;  // turns whose loads are on their way together
  // Registers, and places on the stack, that hold anything but sums of what stays the same in the
  // loop and of what grows by the same in each turn.
  std::set<std::string> others = {};
  // Of such sums, those that constants are added to, and that begin as something unknown.
  std::set<std::string> growing = {};
  // Of a loop that is unrolled: what holds a constant that is known at each place.
  std::set<std::string> known = {};
};

// The loops of the code, by the jumps back that close them.
class Loops {
 public:
  explicit Loops(const std::vector<MachineInstruction>& code, const Disassembly& disassembly);
  // The innermost around an instruction; of kind none where there is none.
  const Loop& around(long place) const;
  // Whether a jump ends a turn, or leaves a loop whose number of turns it bounds.
  bool closes(long place) const { return closing_.contains(place); }

 private:
  static std::set<std::string> others(const std::vector<MachineInstruction>& code,
                                      const Loop& loop);
  static std::set<std::string> growing(const std::vector<MachineInstruction>& code,
                                       const Loop& loop);
  std::vector<Loop> loops_;
  std::set<long> closing_;
};

// The entry points of the compiler's instrumentation, and of the executor: a kernel on a GPU has an
// instruction of its own there, or nothing.
bool isInstrumentation(const MachineInstruction& call);
bool isExecutor(const MachineInstruction& call);

// Whether an instruction adds up constants and what is in none of the others.
bool addsUp(const MachineInstruction& instruction, const std::set<std::string>& others);
// Whether a shift by a constant leaves what is known of each turn of an unrolled loop: its counter
// halved.
bool shiftsCounter(const MachineInstruction& m, const Loop& loop);

// Whether the upper half of what a place holds before an instruction is known to be zeros.
bool isZeroExtended(const std::vector<MachineInstruction>& code, const std::string& place,
                    long before, unsigned moves = 4);

// Goes through code in the order in which it is executed, and adds up.
class Weigher {
 public:
  Weigher(const std::vector<MachineInstruction>& code, const Loops& loops)
      : code_(code), loops_(loops) {}
  // The next instruction. Returns its weight.
  float add(long place);
  // The registers that a call to the executor or the instrumentation takes its arguments from were
  // set for nothing else.
  void forgetArguments(const MachineInstruction& call);
  // What comes next is an access to global memory, whose addresses have 64 bits: one instruction
  // adds an index of 32 bits, two add one of 64.
  void widenAddress();

  float count() const;
  float floats() const;                         // of these, that compute with floats or doubles
  float special() const { return special_; }    // of these, by the unit for special functions
  float branches() const { return branches_; }  // and branches that are left
  // The longest chain of instructions that need each other's results.
  float chain() const { return chain_; }

 private:
  struct Weighed {
    long place;
    float weight;
  };
  float weightOf(long place) const;
  float weightOfMove(const MachineInstruction& instruction) const;
  float weightOfProduct(long place) const;
  float weightOfSum(const MachineInstruction& instruction, float scale, const Loop& loop) const;
  float unrolled(long place);
  void follow(long place, float weight);

  const std::vector<MachineInstruction>& code_;
  const Loops& loops_;
  std::vector<Weighed> weighed_;
  std::set<std::string> others_;  // of the loop that begins at othersOf_, at this place
  long othersOf_ = -1;
  // Registers that hold one, to be added to: one instruction. Those of 64 bits are apart.
  std::set<std::string> products_, wideProducts_;
  std::set<std::string> predicates_;  // that a comparison was put into
  std::map<std::string, float> depth_;
  float chain_ = 0, special_ = 0, branches_ = 0;
};

}  // namespace estimate
