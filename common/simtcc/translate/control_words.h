// What ptxas decided beside an instruction of the machine, and which registers it reads.
#pragma once

#include <array>
#include <cstdint>

namespace simt::cc {

// Of a function's instructions, one after the other. In a word: 3 bits of what an instruction
// signals, 6 of what it waits for, 4 of after how many cycles the next goes, 1 of whether another
// warp goes first, and 2 and 2 of how many registers it reads from either bank of a scheduler's.
class ControlWords {
 public:
  uint32_t of(uint64_t low, uint64_t high);

 private:
  static constexpr uint32_t none = 255;
  // What instructions keep for others' operands: of each operand's place, one from each bank.
  std::array<std::array<uint32_t, 2>, 3> kept_ = {{{none, none}, {none, none}, {none, none}}};
};

}  // namespace simt::cc
