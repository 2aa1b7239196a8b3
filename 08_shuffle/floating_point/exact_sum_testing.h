// What tests hold exact sums against: counts of bits, slow and plain, and no limbs, windows or
// rounding.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "base/random.h"

// A sum of numbers of T: for every place how often its bit was added, less how often subtracted.
template <typename T>
class CountedBits {
 public:
  void add(T value, int sign = 1) {
    if (std::isinf(value)) {  // as a neighbour of the largest number: the next power of two
      counts_[first + std::numeric_limits<T>::max_exponent] += value > 0 ? sign : -sign;
      return;
    }
    constexpr int digits = std::numeric_limits<T>::digits;
    int exponent = 0;
    const double fraction = std::frexp(double(std::abs(value)), &exponent);
    if (value < 0) sign = -sign;
    const auto bits = uint64_t(std::ldexp(fraction, digits));
    for (int k = 0; k < digits; ++k)
      if (bits >> k & 1) counts_[first + exponent - digits + k] += sign;
  }

  // The bits of the magnitude, the highest first.
  std::vector<bool> magnitude() const {
    for (const int sign : {1, -1}) {
      std::vector<bool> bits;
      int64_t carried = 0;
      for (const int64_t count : counts_) {
        carried += sign * count;
        bits.push_back(carried & 1);
        carried >>= 1;
      }
      std::reverse(bits.begin(), bits.end());
      if (carried == 0) return bits;
    }
    throw std::logic_error("the counts hold no such sum");
  }

 private:
  static constexpr int first = 1200;  // the place of 2^0
  std::vector<int64_t> counts_ = std::vector<int64_t>(2400, 0);
};

// Whether no T is nearer to the sum of these finite values, and of two that are as near, it is the
// even one. Infinity counts as the power of two behind the largest number.
template <typename T>
bool isNearest(T sum, const std::vector<T>& values) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  CountedBits<T> exact;
  for (const T value : values) exact.add(value);
  const auto distance = [&](T from) {
    CountedBits<T> difference = exact;
    difference.add(from, -1);
    return difference.magnitude();
  };
  if (std::isnan(sum)) return false;
  if (sum == 0) return !std::signbit(sum) && distance(sum) == CountedBits<T>().magnitude();
  const bool isEven = std::bit_cast<Bits>(sum) % 2 == 0;
  const auto own = distance(sum);
  for (const T towards : {T(INFINITY), T(-INFINITY)}) {
    const T neighbour = std::nextafter(sum, towards);
    if (neighbour == sum) continue;  // nothing lies behind infinity
    const auto its = distance(neighbour);
    if (its < own || (its == own && !isEven)) return false;
  }
  return true;
}

enum class Kind { uniform, bothSigns, wide, subnormal, cancelling, anyBits };
inline constexpr Kind kinds[] = {Kind::uniform,   Kind::bothSigns,  Kind::wide,
                                 Kind::subnormal, Kind::cancelling, Kind::anyBits};

// Element i of n finite values of this kind.
template <typename T>
T element(Kind kind, uint64_t seed, size_t i, size_t n) {
  using Limits = std::numeric_limits<T>;
  const uint64_t bits = randomBits(seed, i);
  const T uniform = T(double(bits >> 11) * 0x1p-53), sign = bits % 2 ? T(1) : T(-1);
  switch (kind) {
    case Kind::uniform: return uniform;
    case Kind::bothSigns: return sign * uniform;
    case Kind::wide: return sign * std::exp2(T(int(bits >> 40) % 61 - 30)) * (1 + uniform);
    case Kind::subnormal: return sign * Limits::denorm_min() * T(bits >> 8 & 0xfffff);
    case Kind::cancelling:  // pairs, and a little that is left of them
      return i % 2 == 0 && i + 1 < n ? std::ldexp(element<T>(Kind::uniform, seed, i, n), 40)
             : i % 2 == 1            ? -element<T>(kind, seed, i - 1, n)
                                     : T(1) / 3;
    case Kind::anyBits: {
      using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
      const T any = std::bit_cast<T>(Bits(bits >> 7));
      return std::isfinite(any) ? any : uniform;
    }
  }
  return 0;
}

template <typename T>
std::vector<T> elements(Kind kind, uint64_t seed, size_t n) {
  std::vector<T> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = element<T>(kind, seed, i, n);
  return values;
}
