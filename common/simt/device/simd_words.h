// CUDA's SIMD intrinsics: arithmetic on the two halves or the four bytes of a word; and the
// functions for dynamic programming (DPX), which take the larger or the smaller of numbers and
// sums.
#pragma once

#include <cstdint>
#include <type_traits>

namespace simt {

// What a GPU has an instruction for.
#if __has_builtin(__nvvm_prmt)
#define SIMT_INSTRUCTION(name, text, more)                        \
  __device__ inline unsigned name(unsigned a, unsigned b) {       \
    unsigned to;                                                  \
    asm(text " %0, %1, %2" more ";" : "=r"(to) : "r"(a), "r"(b)); \
    return to;                                                    \
  }
SIMT_INSTRUCTION(addHalves, "add.u16x2", "")
SIMT_INSTRUCTION(maxOfHalves, "max.u16x2", "")
SIMT_INSTRUCTION(maxOfSignedHalves, "max.s16x2", "")
SIMT_INSTRUCTION(minOfHalves, "min.u16x2", "")
SIMT_INSTRUCTION(minOfSignedHalves, "min.s16x2", "")
SIMT_INSTRUCTION(distancesOfBytes, "vabsdiff4.u32.u32.u32", ", 0")
SIMT_INSTRUCTION(sumOfDistances, "vabsdiff4.u32.u32.u32.add", ", 0")
#undef SIMT_INSTRUCTION
#define SIMT_ON_GPU(condition, value) \
  if (!__builtin_is_constant_evaluated() && (condition)) return value;
#else
#define SIMT_ON_GPU(condition, value)
#endif

// All parts of a word at a time (int8_t, uint8_t, int16_t, uint16_t). What a part of a sum hands on
// to the next is kept out by its highest bit, which is done by itself.
template <typename Part>
struct Parts {
  static constexpr bool areHalves = sizeof(Part) == 2, areSigned = std::is_signed_v<Part>;
  static constexpr unsigned bits = 8 * sizeof(Part), top = areHalves ? 0x80008000 : 0x80808080,
                            low = ~top, one = top >> (bits - 1);

  // Of each part, its highest bit in the lowest place, or in all.
  static constexpr unsigned topsDown(unsigned a) { return (a & top) >> (bits - 1); }
  static constexpr unsigned fill(unsigned a) {
    SIMT_ON_GPU(true, __nvvm_prmt(a, 0, areHalves ? 0xbb99 : 0xba98))
    return topsDown(a) * ((1u << bits) - 1);
  }
  // By the highest bits of which.
  static constexpr unsigned choose(unsigned which, unsigned a, unsigned b) {
    return (a & fill(which)) | (b & ~fill(which));
  }
  // In the highest bit: whether they are the same, or the first is not less.
  static constexpr unsigned areEqual(unsigned a, unsigned b) {
    return ~((((a ^ b) & low) + low) | (a ^ b));
  }
  static constexpr unsigned areAtLeast(unsigned a, unsigned b) {
    const unsigned ofLow = (a | top) - (b & low);
    return (areSigned ? ~a & b : a & ~b) | (~(a ^ b) & ofLow);
  }
  static constexpr unsigned max(unsigned a, unsigned b) {
    SIMT_ON_GPU(areHalves, areSigned ? maxOfSignedHalves(a, b) : maxOfHalves(a, b))
    return choose(areAtLeast(a, b), a, b);
  }
  static constexpr unsigned min(unsigned a, unsigned b) {
    SIMT_ON_GPU(areHalves, areSigned ? minOfSignedHalves(a, b) : minOfHalves(a, b))
    return choose(areAtLeast(a, b), b, a);
  }

  static constexpr unsigned sum(unsigned a, unsigned b) {
    SIMT_ON_GPU(areHalves, addHalves(a, b))
    return ((a & low) + (b & low)) ^ ((a ^ b) & top);
  }
  static constexpr unsigned difference(unsigned a, unsigned b) {
    return ((a | top) - (b & low)) ^ (~(a ^ b) & top);
  }
  // The nearest that a part can have.
  static constexpr unsigned nearestSum(unsigned a, unsigned b) {
    const unsigned all = sum(a, b);
    if (areSigned) return choose(~(a ^ b) & (a ^ all), fill(a) ^ low, all);
    return all | fill((a & b) | ((a | b) & ~all));
  }
  static constexpr unsigned nearestDifference(unsigned a, unsigned b) {
    const unsigned all = difference(a, b);
    if (areSigned) return choose((a ^ b) & (a ^ all), fill(a) ^ low, all);
    return all & fill(areAtLeast(a, b));
  }
  static constexpr unsigned absolute(unsigned a) { return (a ^ fill(a)) + topsDown(a); }
  static constexpr unsigned nearestAbsolute(unsigned a) {
    return absolute(a) - topsDown(absolute(a));
  }
  static constexpr unsigned distance(unsigned a, unsigned b) {
    if (areSigned) return Parts<std::make_unsigned_t<Part>>::distance(a ^ top, b ^ top);
    SIMT_ON_GPU(!areHalves, distancesOfBytes(a, b))
    const unsigned less = ~areAtLeast(a, b);
    return (difference(a, b) ^ fill(less)) + topsDown(less);
  }
  // Half of the sum: the whole number below it, or the nearest; of two, the one away from 0.
  static constexpr unsigned halfBelow(unsigned a, unsigned b) {
    if (areSigned) return (((a ^ b) >> 1 & low) + ((a ^ top) & (b ^ top))) ^ top;
    return ((a ^ b) >> 1 & low) + (a & b);
  }
  static constexpr unsigned half(unsigned a, unsigned b) {
    if (!areSigned) return (a | b) - ((a ^ b) >> 1 & low);
    const unsigned below = halfBelow(a, b);
    return below + ((a ^ b) & one & ~topsDown(below));
  }

  // The sum of all parts of a word.
  static constexpr unsigned total(unsigned a) {
    if (areHalves) return (a & 0xffff) + (a >> 16);
    return (a & 0xff) + (a >> 8 & 0xff) + (a >> 16 & 0xff) + (a >> 24);
  }
  static constexpr unsigned totalDistance(unsigned a, unsigned b) {
    SIMT_ON_GPU(!areHalves && !areSigned, sumOfDistances(a, b))
    return total(distance(a, b));
  }
};
#undef SIMT_ON_GPU

}  // namespace simt

// ---- Of halves (2) and bytes (4); s: signed, u: unsigned, ss and us: saturated

// As a function of these parameters, for such parts P.
#define SIMT_PARTS(name, Part, value, ...) \
  constexpr unsigned name(__VA_ARGS__) {   \
    using P = simt::Parts<Part>;           \
    return value;                          \
  }
#define SIMT_UNARY(name, value)                   \
  SIMT_PARTS(name##2, int16_t, value, unsigned a) \
  SIMT_PARTS(name##4, int8_t, value, unsigned a)
SIMT_UNARY(__vabs, P::absolute(a))
SIMT_UNARY(__vabsss, P::nearestAbsolute(a))
SIMT_UNARY(__vneg, P::difference(0, a))
SIMT_UNARY(__vnegss, P::nearestDifference(0, a))
#undef SIMT_UNARY

#define SIMT_BINARY(name, Half, Byte, value)               \
  SIMT_PARTS(name##2, Half, value, unsigned a, unsigned b) \
  SIMT_PARTS(name##4, Byte, value, unsigned a, unsigned b)
#define SIMT_SIGNED(name, value) SIMT_BINARY(name, int16_t, int8_t, value)
#define SIMT_UNSIGNED(name, value) SIMT_BINARY(name, uint16_t, uint8_t, value)
#define SIMT_SIGNS(name, value) \
  SIMT_SIGNED(name##s, value)   \
  SIMT_UNSIGNED(name##u, value)
SIMT_UNSIGNED(__vadd, P::sum(a, b))
SIMT_UNSIGNED(__vsub, P::difference(a, b))
SIMT_SIGNED(__vaddss, P::nearestSum(a, b))
SIMT_SIGNED(__vsubss, P::nearestDifference(a, b))
SIMT_UNSIGNED(__vaddus, P::nearestSum(a, b))
SIMT_UNSIGNED(__vsubus, P::nearestDifference(a, b))
SIMT_SIGNS(__vavg, P::half(a, b))
SIMT_UNSIGNED(__vhaddu, P::halfBelow(a, b))
SIMT_SIGNS(__vabsdiff, P::distance(a, b))
SIMT_SIGNS(__vmax, P::max(a, b))
SIMT_SIGNS(__vmin, P::min(a, b))
SIMT_SIGNS(__vsad, P::totalDistance(a, b))
// All bits of the part, or one.
#define SIMT_COMPARE(Signs, name, are) \
  Signs(__vcmp##name, P::fill(are)) Signs(__vset##name, P::topsDown(are))
SIMT_COMPARE(SIMT_UNSIGNED, eq, P::areEqual(a, b))
SIMT_COMPARE(SIMT_UNSIGNED, ne, ~P::areEqual(a, b))
SIMT_COMPARE(SIMT_SIGNS, ge, P::areAtLeast(a, b))
SIMT_COMPARE(SIMT_SIGNS, gt, ~P::areAtLeast(b, a))
SIMT_COMPARE(SIMT_SIGNS, le, P::areAtLeast(b, a))
SIMT_COMPARE(SIMT_SIGNS, lt, ~P::areAtLeast(a, b))
#undef SIMT_COMPARE
#undef SIMT_SIGNS
#undef SIMT_UNSIGNED
#undef SIMT_SIGNED
#undef SIMT_BINARY
#undef SIMT_PARTS

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
