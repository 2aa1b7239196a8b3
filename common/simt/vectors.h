// CUDA's vector types for the executor. Copying a vector of 8 or 16 bytes is one memory access on a
// GPU, so it is one here: the copies go through copyVector, which reports the access as a whole.
#pragma once

#include <cstddef>

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
  struct alignas(4 * sizeof(T)) Name {                                               \
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

SIMT_VECTOR2(int2, int)
SIMT_VECTOR2(uint2, unsigned int)
SIMT_VECTOR2(float2, float)
SIMT_VECTOR2(double2, double)
SIMT_VECTOR2(longlong2, long long)
SIMT_VECTOR2(ulonglong2, unsigned long long)
SIMT_VECTOR3(int3, int)
SIMT_VECTOR3(uint3, unsigned int)
SIMT_VECTOR3(float3, float)
SIMT_VECTOR4(int4, int)
SIMT_VECTOR4(uint4, unsigned int)
SIMT_VECTOR4(float4, float)

#undef SIMT_VECTOR2
#undef SIMT_VECTOR3
#undef SIMT_VECTOR4

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};
