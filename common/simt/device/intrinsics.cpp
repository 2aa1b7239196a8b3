// Arithmetic with a rounding mode: compiled with -frounding-math, and not part of any kernel's
// instrumented code.
#include "simt/device/intrinsics.h"

#include <cfenv>
#include <cmath>
#include <limits>

namespace simt {
namespace {

struct WithRounding {
  explicit WithRounding(Rounding rounding) {
    constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    if (rounding != Rounding::rn) std::fesetround(modes[int(rounding)]);
  }
  ~WithRounding() { std::fesetround(FE_TONEAREST); }
};

}  // namespace

template <typename To, typename From>
To toInteger(From value, Rounding rounding) {
  if (std::isnan(value)) return To(0);
  switch (rounding) {
    case Rounding::rn: value = std::nearbyint(value); break;
    case Rounding::rz: value = std::trunc(value); break;
    case Rounding::ru: value = std::ceil(value); break;
    case Rounding::rd: value = std::floor(value); break;
  }
  // 2^31 and its like: the first number that does not fit, exact in either type.
  const From limit = std::ldexp(From(1), std::numeric_limits<To>::digits);
  if (value >= limit) return std::numeric_limits<To>::max();
  if (value < (std::is_signed_v<To> ? -limit : From(0))) return std::numeric_limits<To>::min();
  return To(value);
}
template <typename To, typename From>
To toFloating(From value, Rounding rounding) {
  const WithRounding mode(rounding);
  volatile From from = value;
  volatile To to = To(from);
  return to;
}

template <typename T>
T addRounded(T a, T b, Rounding rounding) {
  const WithRounding mode(rounding);
  volatile T x = a, y = b, result = x + y;
  return result;
}
template <typename T>
T multiplyRounded(T a, T b, Rounding rounding) {
  const WithRounding mode(rounding);
  volatile T x = a, y = b, result = x * y;
  return result;
}
template <typename T>
T divideRounded(T a, T b, Rounding rounding) {
  const WithRounding mode(rounding);
  volatile T x = a, y = b, result = x / y;
  return result;
}
template <typename T>
T squareRootRounded(T a, Rounding rounding) {
  const WithRounding mode(rounding);
  volatile T x = a, result = std::sqrt(x);
  return result;
}
template <typename T>
T fmaRounded(T a, T b, T c, Rounding rounding) {
  const WithRounding mode(rounding);
  volatile T x = a, y = b, z = c, result = std::fma(x, y, z);
  return result;
}

#define SIMT_INSTANTIATE(T)                                               \
  template int toInteger<int>(T, Rounding);                               \
  template unsigned toInteger<unsigned>(T, Rounding);                     \
  template long long toInteger<long long>(T, Rounding);                   \
  template unsigned long long toInteger<unsigned long long>(T, Rounding); \
  template T toFloating<T>(int, Rounding);                                \
  template T toFloating<T>(unsigned, Rounding);                           \
  template T toFloating<T>(long long, Rounding);                          \
  template T toFloating<T>(unsigned long long, Rounding);                 \
  template T addRounded(T, T, Rounding);                                  \
  template T multiplyRounded(T, T, Rounding);                             \
  template T divideRounded(T, T, Rounding);                               \
  template T squareRootRounded(T, Rounding);                              \
  template T fmaRounded(T, T, T, Rounding);
SIMT_INSTANTIATE(float)
SIMT_INSTANTIATE(double)
#undef SIMT_INSTANTIATE
template float toFloating<float>(double, Rounding);

uint32_t permuteBytes(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned pick = selector >> (4 * i) & 15;
    uint32_t byte = uint32_t(bytes >> (8 * (pick & 7))) & 0xff;
    if (pick & 8) byte = byte & 0x80 ? 0xff : 0;  // the sign, spread
    result |= byte << (8 * i);
  }
  return result;
}

int32_t addProducts(int32_t a, int32_t b, int32_t c) {
  auto sum = uint32_t(c);
  for (int i = 0; i < 32; i += 8) sum += uint32_t(int8_t(a >> i) * int8_t(b >> i));
  return int32_t(sum);
}
uint32_t addProducts(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 32; i += 8) c += (a >> i & 0xff) * (b >> i & 0xff);
  return c;
}

// Newton's steps from a start that is right to a few parts in a thousand (Winitzki's formula). For
// small erfc(x) the logarithms are compared: their curve is nearly straight.
double inverseErfc(double x) {
  if (std::isnan(x) || x < 0 || x > 2) return NAN;
  if (x == 0 || x == 2) return x == 0 ? INFINITY : -INFINITY;
  if (x > 1) return -inverseErfc(2 - x);
  const double logarithm = std::log(x) + std::log(2 - x);
  const double a = 0.147, half = 2 / (M_PI * a) + logarithm / 2;
  double y = std::sqrt(std::sqrt(half * half - logarithm / a) - half);
  for (int i = 0; i < 4; ++i) {
    const double value = std::erfc(y), slope = -M_2_SQRTPI * std::exp(-y * y);
    y -= value == 0 ? 0 : (std::log(value) - std::log(x)) * value / slope;
  }
  return y;
}
double inverseErf(double x) {
  if (std::fabs(x) > 0.5) return x > 0 ? inverseErfc(1 - x) : -inverseErfc(1 + x);
  double y = x / M_2_SQRTPI;
  for (int i = 0; i < 6; ++i) y -= (std::erf(y) - x) / (M_2_SQRTPI * std::exp(-y * y));
  return y;
}
double besselI(int order, double x) {
  return (x < 0 && order % 2 ? -1 : 1) * std::cyl_bessel_i(double(order), std::fabs(x));
}

double scaledErfc(double x) {
  if (x < 25) return std::exp(x * x) * std::erfc(x);
  const double r = 1 / (x * x);
  return M_2_SQRTPI / (2 * x) * (1 - r / 2 * (1 - 3 * r / 2));
}

}  // namespace simt

float simtFastExp(float x) { return expf(x); }
float simtFastExp10(float x) { return exp10f(x); }
float simtFastLog(float x) { return logf(x); }
float simtFastLog2(float x) { return log2f(x); }
float simtFastLog10(float x) { return log10f(x); }
float simtFastPow(float x, float y) { return powf(x, y); }
float simtFastSin(float x) { return sinf(x); }
float simtFastCos(float x) { return cosf(x); }
float simtFastTan(float x) { return tanf(x); }
float simtFastDivide(float a, float b) { return a / b; }
float simtRsqrt(float x) { return float(1 / sqrt(double(x))); }
float simtRcbrt(float x) { return float(1 / cbrt(double(x))); }
