// Floating-point arithmetic.
#include <bit>
#include <cmath>

#include "estimate/gpu_code/lanes.h"
#include "estimate/gpu_code/modes.h"

namespace estimate::gpu_code {

float fromHalf(uint16_t bits) {
  const uint32_t sign = uint32_t(bits & 0x8000) << 16, exponent = bits >> 10 & 31,
                 rest = bits & 1023;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | rest << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | rest << 13);
  const float small = std::ldexp(float(rest), -24);
  return sign ? -small : small;
}

uint16_t toHalf(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint16_t sign = uint16_t(bits >> 16 & 0x8000);
  const float size = std::fabs(value);
  if (std::isnan(value)) return 0x7fff;
  if (size >= 65520) return sign | 0x7c00;
  if (size < 0x1p-14f) return uint16_t(sign | uint16_t(std::nearbyint(std::ldexp(size, 24))));
  const uint32_t of = std::bit_cast<uint32_t>(size) - (112u << 23);
  return uint16_t(sign | (of + 0xfff + (of >> 13 & 1)) >> 13);
}

uint16_t toBrain(float value) {
  if (std::isnan(value)) return 0x7fff;
  const auto bits = std::bit_cast<uint32_t>(value);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

namespace {

#define SIMT_FLOATS(Name, ...)                                                              \
  struct Name {                                                                             \
    template <typename T>                                                                   \
    static T of([[maybe_unused]] T a, [[maybe_unused]] T b = 0, [[maybe_unused]] T c = 0) { \
      return T(__VA_ARGS__);                                                                \
    }                                                                                       \
  };
struct Floats {
  SIMT_FLOATS(Add, a + b)
  SIMT_FLOATS(Sub, a - b)
  SIMT_FLOATS(Mul, a* b)
  SIMT_FLOATS(Div, a / b)
  SIMT_FLOATS(Min, std::fmin(a, b))
  SIMT_FLOATS(Max, std::fmax(a, b))
  SIMT_FLOATS(Fma, std::fma(a, b, c))
  SIMT_FLOATS(Neg, -a)
  SIMT_FLOATS(Abs, std::fabs(a))
  SIMT_FLOATS(Rcp, 1 / a)
  SIMT_FLOATS(Sqrt, std::sqrt(a))
  SIMT_FLOATS(Rsqrt, 1 / std::sqrt(a))
  SIMT_FLOATS(Sin, std::sin(a))
  SIMT_FLOATS(Cos, std::cos(a))
  SIMT_FLOATS(Tanh, std::tanh(a))
  SIMT_FLOATS(Ex2, std::exp2(a))
  SIMT_FLOATS(Lg2, std::log2(a))
  SIMT_FLOATS(Copysign, std::copysign(b, a))
};
#undef SIMT_FLOATS

template <typename T>
T saturated(const Instruction& i, T value) {
  if (!i.saturates) return value;
  return value > 0 ? (value < 1 ? value : T(1)) : T(0);
}

template <typename T>
[[gnu::noinline]] void saturate(const Instruction& i, T* values, uint32_t lanes) {
  forLanes(lanes, [&](unsigned l) { values[l] = saturated(i, values[l]); });
}

// One to three operands; what is missing is 0.
template <typename T, typename F>
void floats(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const T* a = c.from<T>(i.from_[0], 0);
  const T* b = i.from_.size() > 1 ? c.from<T>(i.from_[1], 1) : a;
  const T* e = i.from_.size() > 2 ? c.from<T>(i.from_[2], 2) : a;
  T* const d = c.to<T>(i.to[0]);
  forLanes(lanes, [&](unsigned l) { d[l] = F::of(a[l], b[l], e[l]); });
  if (i.saturates) saturate(i, d, lanes);
}

// The mantissa is rounded as asked for, where that is not to the nearest: expf() needs it.
void fmaDown(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const float* a = c.from<float>(i.from_[0], 0);
  const float* b = c.from<float>(i.from_[1], 1);
  const float* e = c.from<float>(i.from_[2], 2);
  float* const d = c.to<float>(i.to[0]);
  forLanes(lanes, [&](unsigned l) {
    const double exact = double(a[l]) * b[l] + e[l];
    float result = float(exact);
    if (double(result) > exact) result = std::nextafter(result, -INFINITY);
    d[l] = saturated(i, result);
  });
}

// 16-bit numbers, one or two in a register.
template <typename F>
void smalls(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const bool isHalf = i.type == Type::f16 || i.type == Type::f16x2;
  const unsigned each = bytesOf(i.type) / 2;
  const auto operand = [&](size_t at, unsigned l) -> uint32_t {
    const Operand& o = i.from_[std::min(at, i.from_.size() - 1)];
    return each == 1 ? c.from<uint16_t>(o, unsigned(at))[l] : c.from<uint32_t>(o, unsigned(at))[l];
  };
  forLanes(lanes, [&](unsigned l) {
    const uint32_t a = operand(0, l), b = operand(1, l), e = operand(2, l);
    uint32_t result = 0;
    for (unsigned k = 0; k < each; ++k) {
      const auto in = [&](uint32_t bits) {
        const auto part = uint16_t(bits >> (16 * k));
        return isHalf ? fromHalf(part) : fromBrain(part);
      };
      const float value = saturated(i, F::of(in(a), in(b), in(e)));
      result |= uint32_t(isHalf ? toHalf(value) : toBrain(value)) << (16 * k);
    }
    std::memcpy(c.frame + i.to[0].place + l * 2 * each, &result, 2 * each);
  });
}

template <typename F>
Handler of(const Instruction& i) {
  switch (i.type) {
    case Type::f32: return floats<float, F>;
    case Type::f64: return floats<double, F>;
    case Type::f16:
    case Type::f16x2:
    case Type::bf16:
    case Type::bf16x2: return smalls<F>;
    default: return nullptr;
  }
}

}  // namespace

Handler floatHandler(const Instruction& i) {
  if (!isFloat(i.type)) return nullptr;
  switch (i.op) {
    case Op::add: return of<Floats::Add>(i);
    case Op::sub: return of<Floats::Sub>(i);
    case Op::mul: return of<Floats::Mul>(i);
    case Op::div: return of<Floats::Div>(i);
    case Op::min: return of<Floats::Min>(i);
    case Op::max: return of<Floats::Max>(i);
    case Op::fma:
    case Op::mad: return i.type == Type::f32 && i.mode == modes::rm ? fmaDown : of<Floats::Fma>(i);
    case Op::neg: return of<Floats::Neg>(i);
    case Op::abs: return of<Floats::Abs>(i);
    case Op::rcp: return of<Floats::Rcp>(i);
    case Op::sqrt: return of<Floats::Sqrt>(i);
    case Op::rsqrt: return of<Floats::Rsqrt>(i);
    case Op::sin: return of<Floats::Sin>(i);
    case Op::cos: return of<Floats::Cos>(i);
    case Op::tanh: return of<Floats::Tanh>(i);
    case Op::ex2: return of<Floats::Ex2>(i);
    case Op::lg2: return of<Floats::Lg2>(i);
    case Op::copysign: return of<Floats::Copysign>(i);
    default: return nullptr;
  }
}

}  // namespace estimate::gpu_code
