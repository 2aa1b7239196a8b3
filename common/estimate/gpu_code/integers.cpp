// Integers and bits.
#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "estimate/gpu_code/lanes.h"
#include "estimate/gpu_code/modes.h"

namespace estimate::gpu_code {
namespace {

template <typename T>
using Unsigned = std::make_unsigned_t<T>;
// Twice as wide.
template <typename T>
struct Wide {
  using Type = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
};
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Unsigned128;

#define SIMT_BINARY(Name, expression)              \
  struct Name {                                    \
    template <typename T>                          \
    static T of(T a, T b) {                        \
      using U = Unsigned<T>;                       \
      [[maybe_unused]] const U u = U(a), v = U(b); \
      return T(expression);                        \
    }                                              \
  };
SIMT_BINARY(Add, U(u + v))
SIMT_BINARY(Sub, U(u - v))
SIMT_BINARY(Mul, U(uint64_t(u) * uint64_t(v)))
SIMT_BINARY(Div, b == 0 ? T(-1) : b == T(-1) && std::is_signed_v<T> ? T(U(0) - u) : T(a / b))
SIMT_BINARY(Rem, b == 0 ? a : b == T(-1) && std::is_signed_v<T> ? T(0) : T(a % b))
SIMT_BINARY(Min, b < a ? b : a)
SIMT_BINARY(Max, a < b ? b : a)
SIMT_BINARY(And, u& v)
SIMT_BINARY(Or, u | v)
SIMT_BINARY(Xor, u ^ v)
#undef SIMT_BINARY

struct MulHigh {
  template <typename T>
  static T of(T a, T b) {
    if constexpr (sizeof(T) == 8 && std::is_signed_v<T>) return T(Int128(a) * b >> 64);
    if constexpr (sizeof(T) == 8) return T(Unsigned128(a) * b >> 64);
    return T(typename Wide<T>::Type(a) * typename Wide<T>::Type(b) >> (8 * (sizeof(T) % 8)));
  }
};
struct MulWide {
  template <typename T>
  static auto of(T a, T b) {
    return typename Wide<T>::Type(a) * typename Wide<T>::Type(b);
  }
};
// Of numbers with signs, too, what is too large is left out.
template <typename W, typename Product>
W sumOf(Product product, W c) {
  using Unsigned = std::make_unsigned_t<W>;
  return W(Unsigned(product) + Unsigned(c));
}
struct Mad {
  template <typename T, typename W>
  static W of(T a, T b, W c) {
    return sumOf<W>(Mul::of(a, b), c);
  }
};
struct MadHigh {
  template <typename T, typename W>
  static W of(T a, T b, W c) {
    return sumOf<W>(MulHigh::of(a, b), c);
  }
};
struct MadWide {
  template <typename T, typename W>
  static W of(T a, T b, W c) {
    return sumOf<W>(MulWide::of(a, b), c);
  }
};
struct Sad {
  template <typename T, typename W>
  static W of(T a, T b, W c) {
    return W(c + (a > b ? W(a) - W(b) : W(b) - W(a)));
  }
};

// Where the sign makes no difference.
template <typename F>
Handler words(Type type) {
  switch (bytesOf(type)) {
    case 2: return two<uint16_t, uint16_t, F>;
    case 4: return two<uint32_t, uint32_t, F>;
    case 8: return two<uint64_t, uint64_t, F>;
    default: return nullptr;
  }
}
template <typename F>
Handler integers(Type type) {
  switch (type) {
    case Type::u16:
    case Type::b16: return two<uint16_t, uint16_t, F>;
    case Type::s16: return two<int16_t, int16_t, F>;
    case Type::u32:
    case Type::b32: return two<uint32_t, uint32_t, F>;
    case Type::s32: return two<int32_t, int32_t, F>;
    case Type::u64:
    case Type::b64: return two<uint64_t, uint64_t, F>;
    case Type::s64: return two<int64_t, int64_t, F>;
    default: return nullptr;
  }
}
template <typename F>
Handler wides(Type type) {
  switch (type) {
    case Type::u16: return two<uint32_t, uint16_t, F>;
    case Type::s16: return two<int32_t, int16_t, F>;
    case Type::u32: return two<uint64_t, uint32_t, F>;
    case Type::s32: return two<int64_t, int32_t, F>;
    default: return nullptr;
  }
}
template <typename F>
Handler mads(Type type, bool wide) {
  switch (type) {
    case Type::u16: return wide ? three<uint32_t, uint16_t, F> : three<uint16_t, uint16_t, F>;
    case Type::s16: return wide ? three<int32_t, int16_t, F> : three<int16_t, int16_t, F>;
    case Type::u32: return wide ? three<uint64_t, uint32_t, F> : three<uint32_t, uint32_t, F>;
    case Type::s32: return wide ? three<int64_t, int32_t, F> : three<int32_t, int32_t, F>;
    case Type::u64: return three<uint64_t, uint64_t, F>;
    case Type::s64: return three<int64_t, int64_t, F>;
    default: return nullptr;
  }
}

// Shifts: the count has 32 bits; what is larger than the number leaves nothing of it, or its sign.
template <typename T, bool left>
void shift(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const T* a = c.from<T>(i.from_[0], 0);
  const uint32_t* b = c.from<uint32_t>(i.from_[1], 1);
  T* const d = c.to<T>(i.to[0]);
  constexpr uint32_t bits = 8 * sizeof(T);
  forLanes(lanes, [&](unsigned l) {
    if constexpr (left)
      d[l] = b[l] >= bits ? T(0) : T(a[l] << b[l]);
    else
      d[l] = T(a[l] >> std::min(b[l], bits - 1)) & T(b[l] >= bits && !std::is_signed_v<T> ? 0 : -1);
  });
}
template <bool left>
Handler shifts(Type type) {
  switch (bytesOf(type)) {
    case 2: return isSigned(type) ? shift<int16_t, left> : shift<uint16_t, left>;
    case 4: return isSigned(type) ? shift<int32_t, left> : shift<uint32_t, left>;
    default: return isSigned(type) ? shift<int64_t, left> : shift<uint64_t, left>;
  }
}

struct Not {
  template <typename T>
  static T of(T a) {
    return T(~a);
  }
};
struct Cnot {
  template <typename T>
  static T of(T a) {
    return T(a == 0);
  }
};
struct Neg {
  template <typename T>
  static T of(T a) {
    return T(-a);
  }
};
struct Abs {
  template <typename T>
  static T of(T a) {
    return std::make_signed_t<T>(a) < 0 ? T(-a) : a;
  }
};
struct Popc {
  template <typename T>
  static uint32_t of(T a) {
    return uint32_t(std::popcount(a));
  }
};
struct Clz {
  template <typename T>
  static uint32_t of(T a) {
    return uint32_t(std::countl_zero(a));
  }
};
struct Brev {
  template <typename T>
  static T of(T a) {
    T r = 0;
    for (unsigned b = 0; b < 8 * sizeof(T); ++b) r |= T(a >> b & 1) << (8 * sizeof(T) - 1 - b);
    return r;
  }
};
// Where the first bit is that is not the sign; or how far it is from the upper end.
template <bool fromUpperEnd>
struct Bfind {
  template <typename T>
  static uint32_t of(T a) {
    if constexpr (std::is_signed_v<T>) a = T(a < 0 ? ~a : a);
    const auto zeros = uint32_t(std::countl_zero(std::make_unsigned_t<T>(a)));
    return a == 0 ? UINT32_MAX : fromUpperEnd ? zeros : uint32_t(8 * sizeof(T) - 1) - zeros;
  }
};

template <typename F>
Handler bits1(Type type) {
  switch (bytesOf(type)) {
    case 2: return one<uint16_t, uint16_t, F>;
    case 4: return one<uint32_t, uint32_t, F>;
    default: return one<uint64_t, uint64_t, F>;
  }
}
template <typename F>
Handler counted(Type type) {
  if (bytesOf(type) == 4) return one<uint32_t, uint32_t, F>;
  return one<uint32_t, uint64_t, F>;
}
template <typename F>
Handler countedWithSign(Type type) {
  if (!isSigned(type)) return counted<F>(type);
  return bytesOf(type) == 4 ? one<uint32_t, int32_t, F> : one<uint32_t, int64_t, F>;
}

template <typename F>
void predicates(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const uint32_t a = c.predicate(i.from_[0]), b = c.predicate(i.from_.back());
  c.setPredicate(i.to[0], lanes, F::of(a, b));
}

}  // namespace

Handler arithmeticHandler(const Instruction& i) {
  if (isFloat(i.type)) return nullptr;
  if (i.type == Type::pred) {
    switch (i.op) {
      case Op::and_: return predicates<And>;
      case Op::or_: return predicates<Or>;
      case Op::xor_: return predicates<Xor>;
      case Op::not_:
        return [](WarpContext& c, const Instruction& n, uint32_t lanes) {
          c.setPredicate(n.to[0], lanes, ~c.predicate(n.from_[0]));
        };
      default: return nullptr;
    }
  }
  switch (i.op) {
    case Op::add: return words<Add>(i.type);
    case Op::sub: return words<Sub>(i.type);
    case Op::mul:
      return i.wide   ? wides<MulWide>(i.type)
             : i.high ? integers<MulHigh>(i.type)
                      : words<Mul>(i.type);
    case Op::mad:
      return i.wide   ? mads<MadWide>(i.type, true)
             : i.high ? mads<MadHigh>(i.type, false)
                      : mads<Mad>(i.type, false);
    case Op::sad: return mads<Sad>(i.type, false);
    case Op::div: return integers<Div>(i.type);
    case Op::rem: return integers<Rem>(i.type);
    case Op::min: return integers<Min>(i.type);
    case Op::max: return integers<Max>(i.type);
    case Op::and_: return words<And>(i.type);
    case Op::or_: return words<Or>(i.type);
    case Op::xor_: return words<Xor>(i.type);
    case Op::not_: return bits1<Not>(i.type);
    case Op::cnot: return bits1<Cnot>(i.type);
    case Op::neg: return bits1<Neg>(i.type);
    case Op::abs: return bits1<Abs>(i.type);
    case Op::shl: return shifts<true>(i.type);
    case Op::shr: return shifts<false>(i.type);
    case Op::popc: return counted<Popc>(i.type);
    case Op::clz: return counted<Clz>(i.type);
    case Op::bfind:
      return i.name.find(".shiftamt") != std::string::npos ? countedWithSign<Bfind<true>>(i.type)
                                                           : countedWithSign<Bfind<false>>(i.type);
    case Op::brev: return bits1<Brev>(i.type);
    default: return bitsHandler(i);
  }
}

}  // namespace estimate::gpu_code
