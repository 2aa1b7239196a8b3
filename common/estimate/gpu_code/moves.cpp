// Copies, conversions and choices.
#include <bit>
#include <cmath>
#include <limits>

#include "estimate/gpu_code/lanes.h"
#include "estimate/gpu_code/modes.h"

namespace estimate::gpu_code {
namespace {

template <typename T>
void copy(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const T* a = c.from<T>(i.from_[0], 0);
  T* const d = c.to<T>(i.to[0]);
  if (lanes == UINT32_MAX)
    std::memmove(d, a, 32 * sizeof(T));
  else
    forLanes(lanes, [&](unsigned l) { d[l] = a[l]; });
}

void copyPredicate(WarpContext& c, const Instruction& i, uint32_t lanes) {
  c.setPredicate(i.to[0], lanes, c.predicate(i.from_[0]));
}

// mov.b64 %rd, {%lo, %hi} and the other way round.
void pack(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const unsigned each = bytesOf(i.type) / unsigned(i.from_.size());
  forLanes(lanes, [&](unsigned l) {
    uint64_t value = 0;
    for (size_t k = 0; k < i.from_.size(); ++k) {
      uint64_t part = 0;
      if (i.from_[k].kind == Operand::Kind::constant)
        part = uint64_t(i.from_[k].offset);
      else
        std::memcpy(&part, c.frame + i.from_[k].place + l * i.from_[k].bytes, each);
      if (each < 8) part &= (uint64_t(1) << (8 * each)) - 1;
      value |= part << (8 * each * k);
    }
    put(c, i.to[0], l, value);
  });
}
void unpack(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const unsigned all = bytesOf(i.type), each = all / unsigned(i.to.size());
  const uint64_t* wide = all == 8 ? c.from<uint64_t>(i.from_[0], 0) : nullptr;
  const uint32_t* narrow = all == 4 ? c.from<uint32_t>(i.from_[0], 0) : nullptr;
  forLanes(lanes, [&](unsigned l) {
    const uint64_t value = wide ? wide[l] : narrow[l];
    for (size_t k = 0; k < i.to.size(); ++k)
      if (i.to[k].kind == Operand::Kind::reg) {
        const uint64_t part = value >> (8 * each * k);
        std::memcpy(c.frame + i.to[k].place + l * i.to[k].bytes, &part, each);
      }
  });
}

template <typename To, typename From>
To converted(From value, uint8_t mode) {
  if constexpr (std::is_floating_point_v<From>) {
    if (mode == modes::rni) value = std::nearbyint(value);
    if (mode == modes::rzi) value = std::trunc(value);
    if (mode == modes::rmi) value = std::floor(value);
    if (mode == modes::rpi) value = std::ceil(value);
    if constexpr (std::is_integral_v<To>) {
      if (std::isnan(value)) return 0;
      if (value >= std::ldexp(From(1), std::numeric_limits<To>::digits))
        return std::numeric_limits<To>::max();
      if (value <= From(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    }
  }
  return To(value);
}

template <typename To, typename From>
void convert(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const From* a = c.from<From>(i.from_[0], 0);
  const bool saturates = i.saturates;
  forLanes(lanes, [&](unsigned l) {
    To value = converted<To>(a[l], i.mode);
    if constexpr (std::is_floating_point_v<To>) {
      if (saturates) value = value > 0 ? (value < 1 ? value : To(1)) : To(0);
    }
    if constexpr (std::is_integral_v<To>)
      put(c, i.to[0], l, value);
    else
      c.to<To>(i.to[0])[l] = value;
  });
}
// From one integer to another, of which the lower bits are kept.
template <typename From>
void convertInteger(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const From* a = c.from<From>(i.from_[0], 0);
  const unsigned cutOff = 64 - 8 * bytesOf(i.type);
  const bool withSign = isSigned(i.type);
  forLanes(lanes, [&](unsigned l) {
    const uint64_t kept = uint64_t(a[l]) << cutOff;
    put(c, i.to[0], l, withSign ? uint64_t(int64_t(kept) >> cutOff) : kept >> cutOff);
  });
}
template <typename From>
Handler convertTo(Type type) {
  if (std::is_integral_v<From> && !isFloat(type)) return convertInteger<From>;
  switch (type) {
    case Type::u8:
    case Type::b8: return convert<uint8_t, From>;
    case Type::s8: return convert<int8_t, From>;
    case Type::u16:
    case Type::b16: return convert<uint16_t, From>;
    case Type::s16: return convert<int16_t, From>;
    case Type::u32:
    case Type::b32: return convert<uint32_t, From>;
    case Type::s32: return convert<int32_t, From>;
    case Type::u64:
    case Type::b64: return convert<uint64_t, From>;
    case Type::s64: return convert<int64_t, From>;
    case Type::f32: return convert<float, From>;
    case Type::f64: return convert<double, From>;
    default: return nullptr;
  }
}

// 16-bit floating-point numbers, on either side.
double smallIn(Type type, uint16_t bits) {
  return type == Type::f16 ? fromHalf(bits) : fromBrain(bits);
}
uint16_t smallOut(Type type, double value) {
  return type == Type::f16 ? toHalf(float(value)) : toBrain(float(value));
}
bool isSmall(Type type) { return type == Type::f16 || type == Type::bf16; }

void convertSmall(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const auto value = [&](const Operand& o, unsigned l) -> double {
    switch (i.from) {
      case Type::f16:
      case Type::bf16: return smallIn(i.from, c.from<uint16_t>(o, 0)[l]);
      case Type::f32: return c.from<float>(o, 0)[l];
      case Type::f64: return c.from<double>(o, 0)[l];
      case Type::u8: return c.from<uint8_t>(o, 0)[l];
      case Type::s8: return c.from<int8_t>(o, 0)[l];
      case Type::u16: return c.from<uint16_t>(o, 0)[l];
      case Type::s16: return c.from<int16_t>(o, 0)[l];
      case Type::u32: return c.from<uint32_t>(o, 0)[l];
      case Type::s32: return c.from<int32_t>(o, 0)[l];
      case Type::u64: return double(c.from<uint64_t>(o, 0)[l]);
      default: return double(c.from<int64_t>(o, 0)[l]);
    }
  };
  forLanes(lanes, [&](unsigned l) {
    const double v = value(i.from_[0], l);
    if (i.type == Type::f16x2 || i.type == Type::bf16x2) {  // two: the first is the upper half
      const Type half = i.type == Type::f16x2 ? Type::f16 : Type::bf16;
      put(c, i.to[0], l, uint32_t(smallOut(half, v)) << 16 | smallOut(half, value(i.from_[1], l)));
    } else if (isSmall(i.type)) {
      double rounded = v;
      if (isSmall(i.from)) rounded = converted<double>(v, i.mode);
      put(c, i.to[0], l, smallOut(i.type, rounded));
    } else if (i.type == Type::f32) {
      c.to<float>(i.to[0])[l] = float(v);
    } else if (i.type == Type::f64) {
      c.to<double>(i.to[0])[l] = v;
    } else if (isSigned(i.type)) {
      put(c, i.to[0], l, converted<int64_t>(v, i.mode));
    } else {
      put(c, i.to[0], l, converted<uint64_t>(v, i.mode));
    }
  });
}

// A float that tensor cores take, of which ten bits of the mantissa count.
void roundForProducts(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const uint32_t* a = c.from<uint32_t>(i.from_[0], 0);
  forLanes(lanes, [&](unsigned l) { c.to<uint32_t>(i.to[0])[l] = (a[l] + 0x1000) & ~0x1fffu; });
}

Handler conversion(const Instruction& i) {
  if (i.name.ends_with(".tf32.f32")) return roundForProducts;
  if (isSmall(i.type) || isSmall(i.from) || i.type == Type::f16x2 || i.type == Type::bf16x2)
    return convertSmall;
  switch (i.from) {
    case Type::u8:
    case Type::b8: return convertTo<uint8_t>(i.type);
    case Type::s8: return convertTo<int8_t>(i.type);
    case Type::u16:
    case Type::b16: return convertTo<uint16_t>(i.type);
    case Type::s16: return convertTo<int16_t>(i.type);
    case Type::u32:
    case Type::b32: return convertTo<uint32_t>(i.type);
    case Type::s32: return convertTo<int32_t>(i.type);
    case Type::u64:
    case Type::b64: return convertTo<uint64_t>(i.type);
    case Type::s64: return convertTo<int64_t>(i.type);
    case Type::f32: return convertTo<float>(i.type);
    case Type::f64: return convertTo<double>(i.type);
    default: return nullptr;
  }
}

// From generic addresses and to them: spaces of their own lie in windows.
template <typename T>
void convertAddress(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const uint64_t base = i.space == Space::shared  ? sharedBase
                        : i.space == Space::local ? localBase
                                                  : 0;
  const bool toSpace = i.name.find(".to.") != std::string::npos;
  const T* a = c.from<T>(i.from_[0], 0);
  forLanes(lanes, [&](unsigned l) {
    const bool isShort = i.space == Space::constant && !toSpace && uint64_t(a[l]) <= UINT32_MAX;
    put(c, i.to[0], l,
        toSpace ? uint64_t(a[l]) - base : uint64_t(a[l]) + (isShort ? variablesBase : base));
  });
}

template <typename T>
void select(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const T* a = c.from<T>(i.from_[0], 0);
  const T* b = c.from<T>(i.from_[1], 1);
  const uint32_t p = c.predicate(i.from_[2]);
  T* const d = c.to<T>(i.to[0]);
  forLanes(lanes, [&](unsigned l) { d[l] = p >> l & 1 ? a[l] : b[l]; });
}

}  // namespace

Handler conversionHandler(const Instruction& i) {
  switch (i.op) {
    case Op::mov:
      if (i.type == Type::pred) return copyPredicate;
      if (i.from_.size() > 1) return pack;
      if (i.to.size() > 1) return unpack;
      switch (bytesOf(i.type)) {
        case 2: return copy<uint16_t>;
        case 4: return copy<uint32_t>;
        case 8: return copy<uint64_t>;
        default: return nullptr;
      }
    case Op::cvt: return conversion(i);
    case Op::cvta:
      return i.from_.at(0).bytes == 4 ? convertAddress<uint32_t> : convertAddress<uint64_t>;
    case Op::selp:
      switch (bytesOf(i.type)) {
        case 2: return select<uint16_t>;
        case 4: return select<uint32_t>;
        default: return select<uint64_t>;
      }
    default: return nullptr;
  }
}

}  // namespace estimate::gpu_code
