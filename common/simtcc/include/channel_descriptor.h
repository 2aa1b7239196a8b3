// What an element of a texture or a CUDA array consists of.
#pragma once

#include <cstdint>
#include <type_traits>

#include "simt/device/vectors.h"

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
  int x, y, z, w;  // bits
  cudaChannelFormatKind f;
};

namespace simt {

// The numbers that a vector type, or a number, is made of.
template <typename T, typename = void>
struct Channels {
  using Number = T;
  static constexpr int count = 1;
};
template <typename T>
struct Channels<T, std::void_t<decltype(T::x)>> {
  using Number = std::remove_cvref_t<decltype(T::x)>;
  static constexpr int count = sizeof(T) / sizeof(Number);
};

}  // namespace simt

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
template <typename T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Number = typename simt::Channels<T>::Number;
  constexpr int n = simt::Channels<T>::count, bits = int(sizeof(Number) * 8);
  constexpr bool isInteger = std::is_integral_v<Number>;
  return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
          !isInteger                 ? cudaChannelFormatKindFloat
          : std::is_signed_v<Number> ? cudaChannelFormatKindSigned
                                     : cudaChannelFormatKindUnsigned};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
