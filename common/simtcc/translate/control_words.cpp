#include "simtcc/translate/control_words.h"

#include <algorithm>
#include <initializer_list>

namespace simt::cc {
namespace {

bool isAmong(uint32_t code, std::initializer_list<uint32_t> all) {
  return std::ranges::find(all, code) != all.end();
}

// By the lower nine bits of the code: those that read up to three registers of 32 bits (FFMA,
// IMAD, IADD3, LOP3, SHF, PRMT, LEA, HFMA2, IDP), two (FADD, FMUL, FSETP, ISETP, FMNMX, FSEL, SEL,
// HADD2, HMUL2, VIADD, VIMNMX), and the second alone (MOV). Memory and the unit for special
// functions have theirs read more slowly, and doubles keep their unit busy for longer.
bool readsThree(uint32_t code) {
  return isAmong(code,
                 {0x023, 0x024, 0x025, 0x027, 0x010, 0x012, 0x019, 0x016, 0x011, 0x031, 0x026});
}
bool readsTwo(uint32_t code) {
  return isAmong(code,
                 {0x021, 0x020, 0x00b, 0x00c, 0x009, 0x008, 0x007, 0x030, 0x032, 0x036, 0x048});
}
constexpr uint32_t move = 0x002;

}  // namespace

uint32_t ControlWords::of(uint64_t low, uint64_t high) {
  const uint32_t code = low & 0x1ff;
  const bool isRegister = (low >> 9 & 7) == 1;  // the second operand, in its own place
  std::array<uint32_t, 3> operands = {none, none, none};
  if (readsThree(code) || readsTwo(code)) operands[0] = low >> 24 & 255;
  if (isRegister && (readsThree(code) || readsTwo(code) || code == move))
    operands[1] = low >> 32 & 255;
  if (readsThree(code)) operands[2] = high & 255;
  uint32_t reads[2] = {};
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] != none && operands[i] != kept_[i]) ++reads[operands[i] % 2];
    kept_[i] = high >> (58 + i) & 1 ? operands[i] : none;
  }
  const uint32_t signals = high >> 46 & 7, waits = high >> 52 & 63, stall = high >> 41 & 15;
  const uint32_t yields = ~high >> 45 & 1;
  return signals | waits << 3 | stall << 9 | yields << 13 | reads[0] << 14 | reads[1] << 16;
}

}  // namespace simt::cc
