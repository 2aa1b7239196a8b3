// CUDA's vector types, for the GPU compiler: plain structs, each copied by one instruction.
#pragma once

#include <cstddef>
#include <cstdint>

#define SIMT_ALWAYS_INLINE __attribute__((host, device, always_inline)) inline
#define SIMT_BOTH __attribute__((host, device)) inline

#define SIMT_VECTORS(name, T)                                                     \
  struct name##1 {                                                                \
    T x;                                                                          \
  };                                                                              \
  struct __attribute__((aligned(2 * sizeof(T)))) name##2 {                        \
    T x, y;                                                                       \
  };                                                                              \
  struct name##3 {                                                                \
    T x, y, z;                                                                    \
  };                                                                              \
  struct __attribute__((aligned(sizeof(T) < 8 ? 4 * sizeof(T) : 16))) name##4 {   \
    T x, y, z, w;                                                                 \
  };                                                                              \
  SIMT_BOTH constexpr name##1 make_##name##1(T x) { return {x}; }                 \
  SIMT_BOTH constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  SIMT_BOTH constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  SIMT_BOTH constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
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

struct dim3 {
  unsigned int x, y, z;
  SIMT_BOTH constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  SIMT_BOTH constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  SIMT_BOTH constexpr operator uint3() const { return {x, y, z}; }
};

namespace simt {

SIMT_BOTH void copyVector(void* to, const void* from, size_t size) {
  __builtin_memcpy(to, from, size);
}

SIMT_BOTH constexpr uint3 indexOf(uint64_t number, dim3 extent) {
  return {unsigned(number % extent.x), unsigned(number / extent.x % extent.y),
          unsigned(number / extent.x / extent.y)};
}
SIMT_BOTH constexpr uint64_t numberOf(dim3 index, dim3 extent) {
  return index.x + uint64_t(extent.x) * (index.y + uint64_t(extent.y) * index.z);
}

}  // namespace simt
