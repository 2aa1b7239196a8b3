// CUDA's vector types for the executor. Copying a vector of 8 or 16 bytes is one memory access on a
// GPU, so it is one here: the copies go through copyVector, which reports the access as a whole.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {

// Copies size bytes as one load and one store. Both ends must be aligned to size, as on a GPU.
void copyVector(void* to, const void* from, size_t size);

}  // namespace simt

#define SIMT_ALWAYS_INLINE __attribute__((always_inline)) inline

#define SIMT_VECTOR2(Name, T)                                                        \
  struct alignas(2 * sizeof(T)) Name {                                               \
    T x, y;                                                                          \
    Name() = default;                                                                \
    constexpr Name(T x_, T y_) : x(x_), y(y_) {}                                     \
    SIMT_ALWAYS_INLINE Name(const Name& v) { simt::copyVector(this, &v, sizeof v); } \
    SIMT_ALWAYS_INLINE Name& operator=(const Name& v) {                              \
      simt::copyVector(this, &v, sizeof v);                                          \
      return *this;                                                                  \
    }                                                                                \
  };                                                                                 \
  inline Name make_##Name(T x, T y) { return Name(x, y); }

#define SIMT_VECTOR4(Name, T)                                                        \
  struct alignas(sizeof(T) <= 4 ? 4 * sizeof(T) : 16) Name {                         \
    T x, y, z, w;                                                                    \
    Name() = default;                                                                \
    constexpr Name(T x_, T y_, T z_, T w_) : x(x_), y(y_), z(z_), w(w_) {}           \
    SIMT_ALWAYS_INLINE Name(const Name& v) { simt::copyVector(this, &v, sizeof v); } \
    SIMT_ALWAYS_INLINE Name& operator=(const Name& v) {                              \
      simt::copyVector(this, &v, sizeof v);                                          \
      return *this;                                                                  \
    }                                                                                \
  };                                                                                 \
  inline Name make_##Name(T x, T y, T z, T w) { return Name(x, y, z, w); }

#define SIMT_VECTOR3(Name, T) \
  struct Name {               \
    T x, y, z;                \
  };                          \
  constexpr Name make_##Name(T x, T y, T z) { return {x, y, z}; }

#define SIMT_VECTOR1(Name, T) \
  struct Name {               \
    T x;                      \
  };                          \
  constexpr Name make_##Name(T x) { return {x}; }

#define SIMT_VECTORS(name, T) \
  SIMT_VECTOR1(name##1, T)    \
  SIMT_VECTOR2(name##2, T)    \
  SIMT_VECTOR3(name##3, T)    \
  SIMT_VECTOR4(name##4, T)

SIMT_VECTORS(char, signed char)
SIMT_VECTORS(uchar, unsigned char)
SIMT_VECTORS(short, short)
SIMT_VECTORS(ushort, unsigned short)
SIMT_VECTORS(int, int)
SIMT_VECTORS(uint, unsigned int)
SIMT_VECTORS(long, long)
SIMT_VECTORS(ulong, unsigned long)
SIMT_VECTORS(longlong, long long)
SIMT_VECTORS(ulonglong, unsigned long long)
SIMT_VECTORS(float, float)
SIMT_VECTORS(double, double)

#undef SIMT_VECTORS
#undef SIMT_VECTOR1
#undef SIMT_VECTOR2
#undef SIMT_VECTOR3
#undef SIMT_VECTOR4

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

namespace simt {

// The index of a thread in its block, or of a block in its grid, and its number: x counts first.
constexpr uint3 indexOf(uint64_t number, dim3 extent) {
  return {unsigned(number % extent.x), unsigned(number / extent.x % extent.y),
          unsigned(number / extent.x / extent.y)};
}
constexpr uint64_t numberOf(dim3 index, dim3 extent) {
  return index.x + uint64_t(extent.x) * (index.y + uint64_t(extent.y) * index.z);
}

}  // namespace simt
