// Comparisons.
#include <bit>

#include "estimate/gpu_code/lanes.h"
#include "estimate/gpu_code/modes.h"

namespace estimate::gpu_code {
namespace {

template <typename T>
bool compare(uint8_t mode, T a, T b) {
  const bool unordered = a != a || b != b;
  switch (mode) {
    case modes::eq: return a == b;
    case modes::ne: return a != b && !unordered;
    case modes::lt: return a < b;
    case modes::le: return a <= b;
    case modes::gt: return a > b;
    case modes::ge: return a >= b;
    case modes::equ: return unordered || a == b;
    case modes::neu: return unordered || a != b;
    case modes::ltu: return unordered || a < b;
    case modes::leu: return unordered || a <= b;
    case modes::gtu: return unordered || a > b;
    case modes::geu: return unordered || a >= b;
    case modes::num: return !unordered;
    default: return unordered;
  }
}

template <typename T>
uint32_t comparedLanes(WarpContext& c, const Instruction& i) {
  const T* a = c.from<T>(i.from_[0], 0);
  const T* b = c.from<T>(i.from_[1], 1);
  uint32_t result = 0;
  const auto all = [&](auto&& is) {
    for (unsigned l = 0; l < 32; ++l) result |= uint32_t(is(a[l], b[l])) << l;
  };
  switch (i.mode) {
    case modes::eq: all([](T x, T y) { return x == y; }); break;
    case modes::lt: all([](T x, T y) { return x < y; }); break;
    case modes::le: all([](T x, T y) { return x <= y; }); break;
    case modes::gt: all([](T x, T y) { return x > y; }); break;
    case modes::ge: all([](T x, T y) { return x >= y; }); break;
    default: all([&](T x, T y) { return compare(i.mode, x, y); });
  }
  return result;
}
template <typename T>
void setPredicates(WarpContext& c, const Instruction& i, uint32_t lanes) {
  uint32_t result = comparedLanes<T>(c, i), other = ~result;
  if (i.combine != 0) {
    const uint32_t with = c.predicate(i.from_[2]);
    const auto combine = [&](uint32_t value) {
      return i.combine == 1 ? value & with : i.combine == 2 ? value | with : value ^ with;
    };
    result = combine(result), other = combine(other);
  }
  c.setPredicate(i.to[0], lanes, result);
  if (i.to.size() > 1) c.setPredicate(i.to[1], lanes, other);
}
template <typename T>
void setNumbers(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const uint32_t result = comparedLanes<T>(c, i);
  forLanes(lanes, [&](unsigned l) {
    const bool is = result >> l & 1;
    put(c, i.to[0], l,
        i.type == Type::f32 ? std::bit_cast<uint32_t>(is ? 1.0f : 0.0f) : (is ? UINT32_MAX : 0u));
  });
}
template <typename Small>
void compareSmall(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const uint16_t* a = c.from<uint16_t>(i.from_[0], 0);
  const uint16_t* b = c.from<uint16_t>(i.from_[1], 1);
  uint32_t result = 0;
  for (unsigned l = 0; l < 32; ++l)
    result |= uint32_t(compare(i.mode, Small::in(a[l]), Small::in(b[l]))) << l;
  c.setPredicate(i.to[0], lanes, result);
}
Handler comparison(Type type) {
  switch (type) {
    case Type::u16:
    case Type::b16: return setPredicates<uint16_t>;
    case Type::s16: return setPredicates<int16_t>;
    case Type::u32:
    case Type::b32: return setPredicates<uint32_t>;
    case Type::s32: return setPredicates<int32_t>;
    case Type::u64:
    case Type::b64: return setPredicates<uint64_t>;
    case Type::s64: return setPredicates<int64_t>;
    case Type::f32: return setPredicates<float>;
    case Type::f64: return setPredicates<double>;
    case Type::f16: return compareSmall<Half>;
    case Type::bf16: return compareSmall<Brain>;
    default: return nullptr;
  }
}
Handler comparisonOfNumbers(Type type) {
  switch (type) {
    case Type::u32:
    case Type::b32: return setNumbers<uint32_t>;
    case Type::s32: return setNumbers<int32_t>;
    case Type::f32: return setNumbers<float>;
    case Type::f64: return setNumbers<double>;
    default: return nullptr;
  }
}

}  // namespace

Handler comparisonHandler(const Instruction& i) {
  if (i.op == Op::setp) return comparison(i.type);
  if (i.op == Op::set) return comparisonOfNumbers(i.from);
  return nullptr;
}

}  // namespace estimate::gpu_code
