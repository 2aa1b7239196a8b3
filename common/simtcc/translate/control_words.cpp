#include "simtcc/translate/control_words.h"

#include <algorithm>
#include <initializer_list>

namespace simt::cc {
namespace {

bool isAmong(uint32_t code, std::initializer_list<uint32_t> all) {
  return std::ranges::find(all, code) != all.end();
}

// By the lower nine bits of the code: those that read up to three registers (FFMA, IMAD, IADD3,
// LOP3, SHF, PRMT, LEA, HFMA2, IDP; DFMA, whose pairs take as long), two (FADD, FMUL, FSETP, ISETP,
// FMNMX, FSEL, SEL, HADD2, HMUL2, VIADD, VIMNMX; DMUL, DSETP), the first and the third (DADD), and
// the second alone (MOV). Memory and the unit for special functions read theirs more slowly.
constexpr std::initializer_list<uint32_t> three = {0x023, 0x024, 0x025, 0x027, 0x010, 0x012,
                                                   0x019, 0x016, 0x011, 0x031, 0x026, 0x02b};
constexpr std::initializer_list<uint32_t> firstTwo = {
    0x021, 0x020, 0x00b, 0x00c, 0x009, 0x008, 0x007, 0x030, 0x032, 0x036, 0x048, 0x028, 0x02a};
constexpr uint32_t sumOfDoubles = 0x029;
constexpr uint32_t move = 0x002;

}  // namespace

uint32_t ControlWords::of(uint64_t low, uint64_t high) {
  const uint32_t code = low & 0x1ff;
  const bool isRegister = (low >> 9 & 7) == 1;  // the second operand, in its own place
  const bool isOfThree = isAmong(code, three), isOfTwo = isAmong(code, firstTwo);
  std::array<uint32_t, 3> operands = {none, none, none};
  if (isOfThree || isOfTwo || code == sumOfDoubles) operands[0] = low >> 24 & 255;
  if (isRegister && (isOfThree || isOfTwo || code == move)) operands[1] = low >> 32 & 255;
  if (isOfThree || (isRegister && code == sumOfDoubles)) operands[2] = high & 255;
  uint32_t reads[2] = {};
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == none) continue;
    // v * v + 1 reads v once: 64 of it, one after the other, take 1.1 cycles of a scheduler each.
    const auto before = operands.begin() + long(i);
    const bool isAgain = std::find(operands.begin(), before, operands[i]) != before;
    const uint32_t bank = operands[i] % 2;
    uint32_t& kept = kept_[i][bank];
    if (!isAgain && operands[i] != kept) ++reads[bank];
    if (high >> (58 + i) & 1) kept = operands[i];
  }
  for (auto& banks : kept_) std::ranges::replace(banks, uint32_t(low >> 16 & 255), none);
  const uint32_t signals = high >> 46 & 7, waits = high >> 52 & 63, stall = high >> 41 & 15;
  const uint32_t yields = ~high >> 45 & 1;
  return signals | waits << 3 | stall << 9 | yields << 13 | reads[0] << 14 | reads[1] << 16;
}

}  // namespace simt::cc
