// Fields of bits, bytes and words.
#include <algorithm>
#include <map>
#include <string>
#include <type_traits>

#include "estimate/gpu_code/lanes.h"
#include "estimate/gpu_code/modes.h"
#include "simt/device/simd_words.h"

namespace estimate::gpu_code {
namespace {

// A field of bits: from b on, c of them.
template <typename T>
void extractBits(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const T* a = c.from<T>(i.from_[0], 0);
  const uint32_t* b = c.from<uint32_t>(i.from_[1], 1);
  const uint32_t* n = c.from<uint32_t>(i.from_[2], 2);
  T* const d = c.to<T>(i.to[0]);
  constexpr unsigned all = 8 * sizeof(T);
  forLanes(lanes, [&](unsigned l) {
    const unsigned from = b[l] & 255, count = n[l] & 255;
    using U = std::make_unsigned_t<T>;
    const U mask = count >= all ? U(-1) : U((U(1) << count) - 1);
    U value = from >= all ? U(0) : U(U(a[l]) >> from) & mask;
    if (std::is_signed_v<T> && count > 0) {
      const unsigned sign = std::min(from + count - 1, all - 1);
      if (U(a[l]) >> sign & 1)
        value |=
            U(~mask) | (from + count > all ? U(U(-1) << (all - std::min(from, all - 1))) : U(0));
    }
    d[l] = T(value);
  });
}
template <typename T>
void insertBits(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const T* a = c.from<T>(i.from_[0], 0);
  const T* b = c.from<T>(i.from_[1], 1);
  const uint32_t* at = c.from<uint32_t>(i.from_[2], 2);
  const uint32_t* n = c.from<uint32_t>(i.from_[3], 3);
  T* const d = c.to<T>(i.to[0]);
  constexpr unsigned all = 8 * sizeof(T);
  forLanes(lanes, [&](unsigned l) {
    const unsigned from = at[l] & 255, count = n[l] & 255;
    const T ones = count >= all ? T(-1) : T((T(1) << count) - 1);
    const T mask = from >= all ? T(0) : T(ones << from);
    d[l] = T((b[l] & ~mask) | (from >= all ? T(0) : T(T(a[l] << from) & mask)));
  });
}

void permute(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const uint32_t* a = c.from<uint32_t>(i.from_[0], 0);
  const uint32_t* b = c.from<uint32_t>(i.from_[1], 1);
  const uint32_t* s = c.from<uint32_t>(i.from_[2], 2);
  uint32_t* const d = c.to<uint32_t>(i.to[0]);
  forLanes(lanes, [&](unsigned l) {
    const uint64_t bytes = uint64_t(b[l]) << 32 | a[l];
    uint32_t result = 0;
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned which = s[l] >> (4 * k) & 15;
      uint32_t byte = uint32_t(bytes >> (8 * (which & 7))) & 255;
      if (which & 8) byte = byte & 128 ? 255 : 0;
      result |= byte << (8 * k);
    }
    d[l] = result;
  });
}

void anyOfThree(WarpContext& c, const Instruction& i, uint32_t lanes) {  // lop3
  const uint32_t* a = c.from<uint32_t>(i.from_[0], 0);
  const uint32_t* b = c.from<uint32_t>(i.from_[1], 1);
  const uint32_t* e = c.from<uint32_t>(i.from_[2], 2);
  const auto table = uint32_t(i.from_.at(3).offset);
  uint32_t* const d = c.to<uint32_t>(i.to[0]);
  forLanes(lanes, [&](unsigned l) {
    uint32_t result = 0;
    for (unsigned k = 0; k < 8; ++k)
      if (table >> k & 1)
        result |= (k & 4 ? a[l] : ~a[l]) & (k & 2 ? b[l] : ~b[l]) & (k & 1 ? e[l] : ~e[l]);
    d[l] = result;
  });
}

template <bool left>
void funnel(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const uint32_t* a = c.from<uint32_t>(i.from_[0], 0);
  const uint32_t* b = c.from<uint32_t>(i.from_[1], 1);
  const uint32_t* s = c.from<uint32_t>(i.from_[2], 2);
  uint32_t* const d = c.to<uint32_t>(i.to[0]);
  const bool clamps = i.name.find(".clamp") != std::string::npos;
  forLanes(lanes, [&](unsigned l) {
    const uint64_t both = uint64_t(b[l]) << 32 | a[l];
    const uint32_t n = clamps ? std::min(s[l], 32u) : s[l] & 31;
    d[l] = left ? uint32_t(both << n >> 32) : uint32_t(both >> n);
    if (left && n == 32) d[l] = a[l];
  });
}

// dp4a.s32.u32 and dp2a.lo.s32.u32: four bytes of each, or the halves of one and two bytes of the
// other.
void dotOfParts(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const uint32_t* a = c.from<uint32_t>(i.from_[0], 0);
  const uint32_t* b = c.from<uint32_t>(i.from_[1], 1);
  const uint32_t* e = c.from<uint32_t>(i.from_[2], 2);
  uint32_t* const d = c.to<uint32_t>(i.to[0]);
  const size_t types = i.name.find("32");
  const bool isSigned[] = {i.name[types - 1] == 's', i.name.ends_with(".s32")};
  const unsigned bits = i.op == Op::dp2a ? 16 : 8;
  const unsigned from = i.op == Op::dp2a && i.name.find(".hi") != std::string::npos ? 16 : 0;
  const auto part = [](uint32_t word, unsigned at, unsigned its, bool withSign) {
    const uint32_t top = word << (32 - at - its);
    return withSign ? int32_t(top) >> (32 - its) : int32_t(top >> (32 - its));
  };
  forLanes(lanes, [&](unsigned l) {
    uint32_t sum = e[l];
    for (unsigned k = 0; k < 32 / bits; ++k)
      sum += uint32_t(part(a[l], k * bits, bits, isSigned[0]) *
                      part(b[l], from + 8 * k, 8, isSigned[1]));
    d[l] = sum;
  });
}

template <unsigned f(unsigned, unsigned)>
struct Of {
  static uint32_t of(uint32_t a, uint32_t b) { return f(a, b); }
};
template <unsigned f(unsigned, unsigned)>
struct NotNegative {
  static uint32_t of(uint32_t a, uint32_t b) { return __vmaxs2(f(a, b), 0); }
};
template <unsigned f(unsigned, unsigned)>
struct Total {
  static uint32_t of(uint32_t a, uint32_t b, uint32_t more) { return f(a, b) + more; }
};

// On halves and bytes, as the executor has them.
Handler partsHandler(const std::string& name) {
  static const std::map<std::string, Handler> all = {
      {"add.u16x2", two<uint32_t, uint32_t, Of<__vadd2>>},
      {"add.s16x2", two<uint32_t, uint32_t, Of<__vadd2>>},
      {"min.u16x2", two<uint32_t, uint32_t, Of<__vminu2>>},
      {"min.s16x2", two<uint32_t, uint32_t, Of<__vmins2>>},
      {"min.s16x2.relu", two<uint32_t, uint32_t, NotNegative<__vmins2>>},
      {"max.u16x2", two<uint32_t, uint32_t, Of<__vmaxu2>>},
      {"max.s16x2", two<uint32_t, uint32_t, Of<__vmaxs2>>},
      {"max.s16x2.relu", two<uint32_t, uint32_t, NotNegative<__vmaxs2>>},
      {"vabsdiff2.u32.u32.u32", two<uint32_t, uint32_t, Of<__vabsdiffu2>>},
      {"vabsdiff4.u32.u32.u32", two<uint32_t, uint32_t, Of<__vabsdiffu4>>},
      {"vabsdiff2.u32.u32.u32.add", three<uint32_t, uint32_t, Total<__vsadu2>>},
      {"vabsdiff4.u32.u32.u32.add", three<uint32_t, uint32_t, Total<__vsadu4>>}};
  const auto known = all.find(name);
  return known == all.end() ? nullptr : known->second;
}

}  // namespace

Handler bitsHandler(const Instruction& i) {
  switch (i.op) {
    case Op::bfe:
      switch (i.type) {
        case Type::u32: return extractBits<uint32_t>;
        case Type::s32: return extractBits<int32_t>;
        case Type::u64: return extractBits<uint64_t>;
        default: return extractBits<int64_t>;
      }
    case Op::bfi: return bytesOf(i.type) == 8 ? insertBits<uint64_t> : insertBits<uint32_t>;
    case Op::prmt: return permute;
    case Op::lop3: return anyOfThree;
    case Op::shf: return i.mode == modes::left ? funnel<true> : funnel<false>;
    case Op::dp2a:
    case Op::dp4a: return dotOfParts;
    case Op::parts: return partsHandler(i.name);
    default: return nullptr;
  }
}

}  // namespace estimate::gpu_code
