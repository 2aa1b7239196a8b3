// What simtcc/translate/ptx_matrices.cpp makes of PTX: products of matrices whose pieces lie in the
// lanes as PTX says, barriers that are variables, numbers of 16 bits. Part of ptx.h.
#pragma once

namespace simt {
float floatFromSmall(uint16_t bits, int exponentBits);
uint16_t smallFromFloat(float value, int exponentBits);
}  // namespace simt

namespace simt::ptx {

enum class Number : uint8_t { f16, bf16, tf32, f64, e4m3, e5m2, s8, u8, s4, u4, b1, f32, s32 };
// D = A * B + C with m rows, 8 columns and k of each that are multiplied.
struct Product {
  int m, k;
  Number a, b, c;
  bool saturates, ofAnd;  // ofAnd: bits are joined by and instead of xor
};
constexpr int mostWords = 16;  // of the factors, in a lane
// What this lane's two rows of A and two columns of B are: of four lanes each, their registers.
struct Factors {
  uint32_t rows[4][mostWords], columns[2][4][mostWords];
};
void multiply(const Product& product, const Factors& factors, const void* c, void* d);

template <typename Word, int A, int B, int C>
SIMT_ALWAYS_INLINE void multiply(const Product& product, const Word (&a)[A], const Word (&b)[B],
                                 const Word (&c)[C], Word (&d)[C]) {
  Factors factors;
  const int group = int(laneId() / 4), column = int(laneId() % 4 * 2);
  const auto gather = [](const auto& from, int first, uint32_t(*to)[mostWords]) {
    constexpr int count = int(sizeof from / 4);
    for (int word = 0; word < count; word += 2) {
      uint64_t two = 0;
      __builtin_memcpy(&two, reinterpret_cast<const char*>(&from) + word * 4,
                       word + 1 < count ? 8 : 4);
      for (int lane = 0; lane < 4; ++lane) {
        const uint64_t other = __shfl_sync(0xffffffffu, two, first + lane);
        to[lane][word] = uint32_t(other);
        to[lane][word + 1] = uint32_t(other >> 32);
      }
    }
  };
  gather(a, group * 4, factors.rows);
  gather(b, column * 4, factors.columns[0]);
  gather(b, column * 4 + 4, factors.columns[1]);
  multiply(product, factors, static_cast<const void*>(c), static_cast<void*>(d));
}

// Matrices of 8 x 8 numbers of 16 bits, of which lane 8 i + k names row k of matrix i. A lane has
// two numbers of row lane / 4, or, where they are turned, of that column.
template <int Count, bool Turned>
SIMT_ALWAYS_INLINE void loadMatrices(const void* row, uint32_t (&to)[Count]) {
  const unsigned lane = laneId();
  uint64_t half[2] = {};
  if (lane < Count * 8) {
    const uint4 all = *static_cast<const uint4*>(row);
    half[0] = joined<uint64_t>(all.x, all.y);
    half[1] = joined<uint64_t>(all.z, all.w);
  }
  for (int i = 0; i < Count; ++i) {
    const auto number = [&](int of, unsigned place, unsigned bits) {
      const uint64_t low = __shfl_sync(0xffffffffu, half[0], i * 8 + of),
                     high = __shfl_sync(0xffffffffu, half[1], i * 8 + of);
      return uint32_t((place * bits < 64 ? low : high) >> place * bits % 64);
    };
    const int place = int(lane / 4), part = int(lane % 4);
    if constexpr (Turned) {
      const uint32_t first = number(part * 2, unsigned(place), 16) & 0xffff;
      to[i] = first | number(part * 2 + 1, unsigned(place), 16) << 16;
    } else {
      to[i] = number(place, unsigned(part), 32);
    }
  }
}
template <int Count, bool Turned>
SIMT_ALWAYS_INLINE void storeMatrices(void* row, const uint32_t (&from)[Count]) {
  const unsigned lane = laneId(), matrix = lane / 8;
  uint32_t words[4] = {};
  for (int i = 0; i < Count; ++i)
    for (int k = 0; k < (Turned ? 8 : 4); ++k) {
      // Number k of the row, or, of those that lie the right way, two of them.
      const int source = Turned ? k * 4 + int(lane % 8 / 2) : int(lane % 8 * 4) + k;
      const uint32_t got = __shfl_sync(0xffffffffu, from[i], source);
      if (matrix != unsigned(i)) continue;
      if constexpr (Turned)
        words[k / 2] |= (got >> lane % 2 * 16 & 0xffff) << k % 2 * 16;
      else
        words[k] = got;
    }
  if (matrix < Count)
    *static_cast<uint4*>(row) = make_uint4(words[0], words[1], words[2], words[3]);
}

// A barrier that is a variable holds how many it expects; the executor knows the rest by its place.
SIMT_ALWAYS_INLINE void initialise(uint64_t* barrier, unsigned expected) {
  beginPart(barrier);
  *barrier = expected;
}
SIMT_ALWAYS_INLINE uint64_t arrive(uint64_t* barrier, unsigned arriving) {
  return arriveAtPart(barrier, unsigned(*barrier), arriving);
}

SIMT_ALWAYS_INLINE uint32_t roundedToTf32(float value) {
  return (as<uint32_t>(value) + 0x1000u) & ~0x1fffu;
}
enum class Small : uint8_t { add, sub, mul, min, max, fma, neg, abs, ex2, tanh };
uint16_t small(Small operation, int exponentBits, uint16_t a, uint16_t b, uint16_t c);
// Of one number, or of two in a word.
template <typename Word>
SIMT_ALWAYS_INLINE Word small(Small operation, int exponentBits, Word a, Word b = 0, Word c = 0) {
  const uint16_t low = small(operation, exponentBits, uint16_t(a), uint16_t(b), uint16_t(c));
  if constexpr (sizeof(Word) == 2)
    return low;
  else
    return joined<Word>(low, small(operation, exponentBits, uint16_t(a >> 16), uint16_t(b >> 16),
                                   uint16_t(c >> 16)));
}

}  // namespace simt::ptx
