#include "simt/device/small_floats.h"

#include <algorithm>
#include <bit>

#include <cmath>
#include <cstring>

namespace simt {

float floatFromSmall(uint16_t bits, int exponentBits) {
  if (exponentBits == 8) return std::bit_cast<float>(uint32_t(bits) << 16);
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float value = exponent == 0    ? std::ldexp(float(fraction), -24)
                : exponent == 31 ? (fraction ? NAN : INFINITY)
                                 : std::ldexp(float(fraction + 1024), exponent - 25);
  return bits & 0x8000 ? -value : value;
}

uint16_t smallFromDouble(double value, int exponentBits) {
  const int digits = 16 - exponentBits, bias = (1 << (exponentBits - 1)) - 1;
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const uint16_t infinity = uint16_t(((1 << exponentBits) - 1) << (digits - 1));
  value = std::fabs(value);
  if (std::isnan(value)) return 0x7fff;
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  int exponent = 0;
  std::frexp(value, &exponent);  // value = fraction * 2^exponent, fraction in [1/2, 1)
  // Steps between neighbours here; below the smallest normal number they grow no finer.
  const int step = std::max(exponent - digits, 2 - bias - digits);
  const double rounded = std::nearbyint(std::ldexp(value, -step));
  // Counted in steps of its binade, a number's place in the order is its encoding.
  const int binade = step + bias + digits - 2;
  const double encoding = rounded + std::ldexp(double(binade), digits - 1);
  return encoding >= infinity ? uint16_t(sign | infinity) : uint16_t(sign | uint16_t(encoding));
}

uint16_t smallFromDouble(double value, int exponentBits, Rounding rounding) {
  const uint16_t nearest = smallFromDouble(value, exponentBits);
  const double there = floatFromSmall(nearest, exponentBits);
  if (rounding == Rounding::rn || std::isnan(value) || there == value) return nearest;
  const bool isAbove = there > value, isNegative = std::signbit(value);
  const bool wantsAbove = rounding == Rounding::ru || (rounding == Rounding::rz && isNegative);
  if (isAbove == wantsAbove) return nearest;
  // One step in the order of numbers: encodings grow away from zero.
  return isAbove == isNegative ? uint16_t(nearest + 1) : uint16_t(nearest - 1);
}

uint16_t smallFromFloat(float value, int exponentBits) {
  return smallFromDouble(value, exponentBits);
}

}  // namespace simt
