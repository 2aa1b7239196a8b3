// A number that is wide enough for any sum of floats, or of doubles, without rounding. Its bits
// stand in limbs, each an integer of 64 bits that holds 32 and has room for carries: so numbers are
// added to it limb by limb, in any order, by whoever comes, and the result is the same integers.
#pragma once

#include <cstring>

#include "cuda/kernel.h"

// clang-format off
template <typename T> struct FormatOf;
template <> struct FormatOf<float> {
  using Bits = unsigned;
  static constexpr unsigned fractionBits = 23, largestField = 255;
};
template <> struct FormatOf<double> {
  using Bits = unsigned long long;
  static constexpr unsigned fractionBits = 52, largestField = 2047;
};
// clang-format on

// What stands behind the sign of T: the field of the exponent. A number whose field is f >= 1 is a
// multiple of 2^f units, where the unit is 2^-150 for float and 2^-1075 for double, half of the
// smallest number there is. Those with field 0 are multiples of 2 units.
//
// A limb takes mostTerms before carry() is due, of limbTerms(), each of less than 3 * 2^31 either
// way: 3 * 2^61, which leaves room for what carry() brings. The number takes 2^64 numbers of T.
constexpr uint64_t mostTerms = 1 << 30;
template <typename T>
struct WideNumber {
  using Format = FormatOf<T>;
  // The largest T has bit largestField + fractionBits - 1; then the sign, and 64 bits for the sum.
  static constexpr unsigned limbCount =
      (Format::largestField + Format::fractionBits + 65 + 31) / 32;
  // Behind the limbs: how many terms were +infinity and how many -infinity. A NaN is both.
  static constexpr unsigned plusInfinity = limbCount, minusInfinity = limbCount + 1;
  static constexpr unsigned size = limbCount + 2;

  unsigned long long limbs[size];
};

// The three neighbouring limbs that value * 2^bit adds to, from limb bit / 32 on.
struct LimbTerms {
  unsigned long long low, middle, high;
};
__host__ __device__ inline LimbTerms limbTerms(long long value, unsigned bit) {
  const unsigned long long below = (unsigned long long)(uint32_t(value)) << bit % 32;
  const long long above = (value >> 32) * (1LL << bit % 32);
  return {uint32_t(below), (below >> 32) + uint32_t(above), (unsigned long long)(above >> 32)};
}

// Brings every limb but the last, which has the sign, back to 32 bits. The number stays the same.
template <typename T>
__host__ __device__ void carry(WideNumber<T>& number) {
  for (unsigned k = 0; k + 1 < number.limbCount; ++k) {
    number.limbs[k + 1] += (unsigned long long)((long long)(number.limbs[k]) >> 32);
    number.limbs[k] = uint32_t(number.limbs[k]);
  }
}

// The other sign, for a number after carry().
template <typename T>
__host__ __device__ void negate(WideNumber<T>& number) {
  unsigned long long one = 1;  // -x is ~x + 1
  for (unsigned k = 0; k + 1 < number.limbCount; ++k) {
    one += uint32_t(~number.limbs[k]);
    number.limbs[k] = uint32_t(one);
    one >>= 32;
  }
  number.limbs[number.limbCount - 1] = ~number.limbs[number.limbCount - 1] + one;
}

// 64 bits of the number from this one on.
__host__ __device__ inline unsigned long long bitsFrom(const unsigned long long* limbs,
                                                       unsigned count, unsigned bit) {
  const unsigned k = bit / 32, shift = bit % 32;
  const auto limb = [=](unsigned i) { return i < count ? limbs[i] : 0; };
  const unsigned long long low = (limb(k + 1) << 32 | limb(k)) >> shift;
  return shift == 0 ? low : low | limb(k + 2) << (64 - shift);
}

// The nearest T, the even one of two that are as near; +0 for nothing but zeros. Changes the limbs.
template <typename T>
__host__ __device__ T rounded(WideNumber<T>& number) {
  using Wide = WideNumber<T>;
  using Format = FormatOf<T>;
  using Bits = typename Format::Bits;
  constexpr Bits infinity = Bits(Format::largestField) << Format::fractionBits;
  constexpr Bits minus = Bits(1) << (8 * sizeof(T) - 1);
  unsigned long long* const limbs = number.limbs;
  Bits bits = 0;
  if (limbs[Wide::plusInfinity] != 0 || limbs[Wide::minusInfinity] != 0) {
    const bool both = limbs[Wide::plusInfinity] != 0 && limbs[Wide::minusInfinity] != 0;
    bits = both ? infinity | infinity >> 1  // the NaN without a sign and without a message
                : infinity | (limbs[Wide::minusInfinity] != 0 ? minus : 0);
  } else {
    carry(number);
    const bool negative = (long long)(limbs[Wide::limbCount - 1]) < 0;
    if (negative) negate(number);
    unsigned length = Wide::limbCount * 32;  // of the number, in bits
    while (length > 0 && limbs[length / 32 - 1] == 0) length -= 32;
    while (length > 0 && (limbs[(length - 1) / 32] >> (length - 1) % 32 & 1) == 0) --length;
    // The first bit that T keeps: it has fractionBits + 1, or for tiny numbers what is left.
    const unsigned first =
        length > Format::fractionBits + 2 ? length - Format::fractionBits - 1 : 1;
    unsigned long long kept = bitsFrom(limbs, Wide::limbCount, first);
    const bool half = bitsFrom(limbs, Wide::limbCount, first - 1) & 1;
    bool more = (limbs[(first - 1) / 32] & ((1ull << (first - 1) % 32) - 1)) != 0;
    for (unsigned k = 0; k < (first - 1) / 32; ++k) more = more || limbs[k] != 0;
    if (half && (more || kept % 2 == 1)) ++kept;
    // The implicit bit of kept, and what rounding carries, add to the field of the exponent.
    bits = (Bits(first - 1) << Format::fractionBits) + Bits(kept);
    if (bits > infinity) bits = infinity;
    if (negative) bits |= minus;
  }
  T result;
  memcpy(&result, &bits, sizeof result);
  return result;
}
