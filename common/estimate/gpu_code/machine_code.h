// What ptxas made of a function, instruction by instruction, as simtcc's translate/assembler.h
// writes it behind the PTX: "//assembled NAME REGISTERS" and a word for each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {

// Codes of instructions; the lower nine bits say what one does, the others with which kinds of
// operands.
namespace codes {
inline constexpr uint32_t nop = 0x918, branch = 0x947, leave = 0x94d, comeBack = 0x950,
                          branchByTable = 0x949, jumpByTable = 0x94a, callRelative = 0x944,
                          callAbsolute = 0x943, part = 0x945, meet = 0x941, loadShared = 0x184,
                          loadConstant = 0x182, loadUniform = 0x0b9, loadIndexed = 0x0bb,
                          firstLane = 0x2bd, wideProduct = 0x025, upperProduct = 0x027;
}
inline constexpr uint32_t noSignal = 7;

// An instruction of the machine.
struct MachineInstruction {
  uint32_t code = 0, line = 0;
  bool isPredicated = false;
  bool isOfParted = false;            // a branch of warps whose lanes are not together
  int64_t further = 0;                // of a branch: how many instructions
  int32_t step = 0;                   // of a sum: the number that is added
  uint32_t signals = noSignal;        // which of six, when its value is there
  uint32_t waits = 0;                 // for which, a bit for each
  uint32_t stall = 0;                 // after how many cycles the warp's next one may go
  std::array<uint8_t, 2> reads = {};  // registers, from either bank of them
  bool yields = false;                // then another warp goes first, if one can
  Instruction* of = nullptr;          // of PTX
  uint32_t block = none;              // of PTX
};

bool isAmong(uint32_t code, std::initializer_list<uint32_t> all);  // by the lower nine bits
bool isEnd(uint32_t code);
bool isByTable(uint32_t code);
bool isCall(uint32_t code);
bool isWideProduct(uint32_t code);  // IMAD.WIDE and IMAD.HI
// MUFU, FCHK, conversions, and counts of bits.
bool isSpecial(uint32_t code);
// Sums of three, bits, comparisons, selections, minima, shifts, also of floats, and what puts bytes
// and halves together; IMAD, IMAD.WIDE, IMAD.HI, VIADD, IDP; those of doubles: for how long they
// keep which unit busy. What an H100's profiler counts in each unit of 102 kernels is within 0.03
// of their instructions for 91.
UnitCycles unitCyclesOf(uint32_t code);
// Comes from one of PTX, and is where that was: accesses, barriers, shuffles, votes, arithmetic of
// floats.
bool staysWhole(uint32_t code);
bool staysWhole(const Instruction& i);

struct MachineCode {
  uint32_t registers = 0;
  std::vector<MachineInstruction> code;  // empty where the file has none
};

// Of a function by its name in the file.
MachineCode machineCodeOf(const std::string& function, std::string_view file);

// Says of each which instruction of PTX, and which block's, it is of.
void findPtx(Function& f, std::string_view file, std::vector<MachineInstruction>& code);

}  // namespace estimate::gpu_code
