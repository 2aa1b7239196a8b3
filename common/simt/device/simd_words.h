// CUDA's SIMD intrinsics: arithmetic on the two halves or the four bytes of a word; and the
// functions for dynamic programming (DPX), which take the larger or the smaller of numbers and
// sums.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace simt {

// What f makes of each Part (int8_t, uint8_t, int16_t, uint16_t) of the words, put together again.
// f takes and returns int, of which the part's bits are kept; saturated, the nearest Part.
template <typename Part, bool saturated = false, typename F, typename... Words>
constexpr unsigned eachPart(F f, Words... words) {
  const auto part = [&](unsigned at) {
    int value = f(int(Part(words >> at))...);
    if constexpr (saturated) {
      constexpr int least = std::numeric_limits<Part>::min(),
                    most = std::numeric_limits<Part>::max();
      value = value > most ? most : value < least ? least : value;
    }
    return unsigned(std::make_unsigned_t<Part>(value)) << at;
  };
  if constexpr (sizeof(Part) == 1)
    return part(0) | part(8) | part(16) | part(24);
  else
    return part(0) | part(16);
}

// The sum of all parts of a word.
template <typename Part>
constexpr unsigned sumOfParts(unsigned word) {
  if constexpr (sizeof(Part) == 1)
    return (word & 0xff) + (word >> 8 & 0xff) + (word >> 16 & 0xff) + (word >> 24);
  else
    return (word & 0xffff) + (word >> 16);
}

}  // namespace simt

// ---- Of halves (2) and bytes (4); s: signed, u: unsigned, ss and us: saturated

#define SIMT_UNARY(name, Half, Byte, saturated, expression)                      \
  constexpr unsigned name##2(unsigned a) {                                       \
    return simt::eachPart<Half, saturated>([](int x) { return expression; }, a); \
  }                                                                              \
  constexpr unsigned name##4(unsigned a) {                                       \
    return simt::eachPart<Byte, saturated>([](int x) { return expression; }, a); \
  }
SIMT_UNARY(__vabs, int16_t, int8_t, false, x < 0 ? -x : x)
SIMT_UNARY(__vabsss, int16_t, int8_t, true, x < 0 ? -x : x)
SIMT_UNARY(__vneg, int16_t, int8_t, false, -x)
SIMT_UNARY(__vnegss, int16_t, int8_t, true, -x)
#undef SIMT_UNARY

#define SIMT_BINARY(name, Half, Byte, saturated, expression)                               \
  constexpr unsigned name##2(unsigned a, unsigned b) {                                     \
    return simt::eachPart<Half, saturated>([](int x, int y) { return expression; }, a, b); \
  }                                                                                        \
  constexpr unsigned name##4(unsigned a, unsigned b) {                                     \
    return simt::eachPart<Byte, saturated>([](int x, int y) { return expression; }, a, b); \
  }
#define SIMT_SIGNED(name, expression) SIMT_BINARY(name, int16_t, int8_t, false, expression)
#define SIMT_UNSIGNED(name, expression) SIMT_BINARY(name, uint16_t, uint8_t, false, expression)
#define SIMT_SIGNS(name, expression) \
  SIMT_SIGNED(name##s, expression)   \
  SIMT_UNSIGNED(name##u, expression)
SIMT_UNSIGNED(__vadd, x + y)
SIMT_UNSIGNED(__vsub, x - y)
SIMT_BINARY(__vaddss, int16_t, int8_t, true, x + y)
SIMT_BINARY(__vsubss, int16_t, int8_t, true, x - y)
SIMT_BINARY(__vaddus, uint16_t, uint8_t, true, x + y)
SIMT_BINARY(__vsubus, uint16_t, uint8_t, true, x - y)
SIMT_SIGNED(__vavgs, (x + y + (x + y >= 0)) >> 1)  // halves away from zero
SIMT_UNSIGNED(__vavgu, (x + y + 1) >> 1)
SIMT_UNSIGNED(__vhaddu, (x + y) >> 1)
SIMT_SIGNS(__vabsdiff, x > y ? x - y : y - x)
SIMT_SIGNS(__vmax, x > y ? x : y)
SIMT_SIGNS(__vmin, x < y ? x : y)
// All bits of the part, or one.
#define SIMT_COMPARE(Signs, name, operation) \
  Signs(__vcmp##name, (x operation y) ? -1 : 0) Signs(__vset##name, (x operation y) ? 1 : 0)
SIMT_COMPARE(SIMT_UNSIGNED, eq, ==)
SIMT_COMPARE(SIMT_UNSIGNED, ne, !=)
SIMT_COMPARE(SIMT_SIGNS, ge, >=)
SIMT_COMPARE(SIMT_SIGNS, gt, >)
SIMT_COMPARE(SIMT_SIGNS, le, <=)
SIMT_COMPARE(SIMT_SIGNS, lt, <)
#undef SIMT_COMPARE
#undef SIMT_SIGNS
#undef SIMT_UNSIGNED
#undef SIMT_SIGNED
#undef SIMT_BINARY
constexpr unsigned __vsads2(unsigned a, unsigned b) {
  return simt::sumOfParts<uint16_t>(__vabsdiffs2(a, b));
}
constexpr unsigned __vsadu2(unsigned a, unsigned b) {
  return simt::sumOfParts<uint16_t>(__vabsdiffu2(a, b));
}
constexpr unsigned __vsads4(unsigned a, unsigned b) {
  return simt::sumOfParts<uint8_t>(__vabsdiffs4(a, b));
}
constexpr unsigned __vsadu4(unsigned a, unsigned b) {
  return simt::sumOfParts<uint8_t>(__vabsdiffu4(a, b));
}

// ---- For dynamic programming: of words (s32, u32) and of their halves (s16x2, u16x2); relu: not
// below 0. Sums wrap around.

#define SIMT_BEST(best, operation)                                                    \
  constexpr int __vi##best##_s32_relu(int a, int b) {                                 \
    const int x = a operation b ? a : b;                                              \
    return x < 0 ? 0 : x;                                                             \
  }                                                                                   \
  constexpr int __vi##best##3_s32(int a, int b, int c) {                              \
    const int x = a operation b ? a : b;                                              \
    return x operation c ? x : c;                                                     \
  }                                                                                   \
  constexpr unsigned __vi##best##3_u32(unsigned a, unsigned b, unsigned c) {          \
    const unsigned x = a operation b ? a : b;                                         \
    return x operation c ? x : c;                                                     \
  }                                                                                   \
  constexpr int __vi##best##3_s32_relu(int a, int b, int c) {                         \
    return __vi##best##_s32_relu(a operation b ? a : b, c);                           \
  }                                                                                   \
  constexpr int __viadd##best##_s32(int a, int b, int c) {                            \
    const int x = int(unsigned(a) + unsigned(b));                                     \
    return x operation c ? x : c;                                                     \
  }                                                                                   \
  constexpr unsigned __viadd##best##_u32(unsigned a, unsigned b, unsigned c) {        \
    return a + b operation c ? a + b : c;                                             \
  }                                                                                   \
  constexpr int __viadd##best##_s32_relu(int a, int b, int c) {                       \
    return __vi##best##_s32_relu(int(unsigned(a) + unsigned(b)), c);                  \
  }                                                                                   \
  constexpr unsigned __vi##best##_s16x2_relu(unsigned a, unsigned b) {                \
    return __vmaxs2(__v##best##s2(a, b), 0);                                          \
  }                                                                                   \
  constexpr unsigned __vi##best##3_s16x2(unsigned a, unsigned b, unsigned c) {        \
    return __v##best##s2(__v##best##s2(a, b), c);                                     \
  }                                                                                   \
  constexpr unsigned __vi##best##3_u16x2(unsigned a, unsigned b, unsigned c) {        \
    return __v##best##u2(__v##best##u2(a, b), c);                                     \
  }                                                                                   \
  constexpr unsigned __vi##best##3_s16x2_relu(unsigned a, unsigned b, unsigned c) {   \
    return __vmaxs2(__vi##best##3_s16x2(a, b, c), 0);                                 \
  }                                                                                   \
  constexpr unsigned __viadd##best##_s16x2(unsigned a, unsigned b, unsigned c) {      \
    return __v##best##s2(__vadd2(a, b), c);                                           \
  }                                                                                   \
  constexpr unsigned __viadd##best##_u16x2(unsigned a, unsigned b, unsigned c) {      \
    return __v##best##u2(__vadd2(a, b), c);                                           \
  }                                                                                   \
  constexpr unsigned __viadd##best##_s16x2_relu(unsigned a, unsigned b, unsigned c) { \
    return __vmaxs2(__viadd##best##_s16x2(a, b, c), 0);                               \
  }
SIMT_BEST(max, >)
SIMT_BEST(min, <)
#undef SIMT_BEST
// And whether it was the first that was taken.
#define SIMT_WHICH(best, operation)                                                       \
  constexpr int __vib##best##_s32(int a, int b, bool* first) {                            \
    *first = a operation b;                                                               \
    return *first ? a : b;                                                                \
  }                                                                                       \
  constexpr unsigned __vib##best##_u32(unsigned a, unsigned b, bool* first) {             \
    *first = a operation b;                                                               \
    return *first ? a : b;                                                                \
  }                                                                                       \
  constexpr unsigned __vib##best##_s16x2(unsigned a, unsigned b, bool* high, bool* low) { \
    *high = int16_t(a >> 16) operation int16_t(b >> 16);                                  \
    *low = int16_t(a) operation int16_t(b);                                               \
    return __v##best##s2(a, b);                                                           \
  }                                                                                       \
  constexpr unsigned __vib##best##_u16x2(unsigned a, unsigned b, bool* high, bool* low) { \
    *high = (a >> 16) operation(b >> 16);                                                 \
    *low = uint16_t(a) operation uint16_t(b);                                             \
    return __v##best##u2(a, b);                                                           \
  }
SIMT_WHICH(max, >=)
SIMT_WHICH(min, <=)
#undef SIMT_WHICH
