// Textures and surfaces in kernels. A fetch counts as loads of the texels that it takes, four of
// them for a filtered one of two dimensions.
#pragma once

#include <cstring>

#include "simtcc/include/texture_types.h"

namespace simt {

// What a fetch asks for: coordinates as they are given. A surface's first
// coordinate is in bytes.
struct TextureCoordinates {
  int dimensions;
  float x = 0, y = 0, z = 0;
  bool isLayered = false;
  int layer = 0;
  float level = 0;  // of a mipmapped array
};
struct SurfaceCoordinates {
  int x, y = 0, z = 0;  // z: also the layer
  int dimensions;
  cudaSurfaceBoundaryMode mode;
};
// The values of the channels: as numbers of their kind, or, where the texture makes floats of
// integers, as floats.
union Channel {
  int32_t integer;
  uint32_t natural;
  float real;
};
struct Texel {
  Channel channels[4];
  cudaChannelFormatKind kind;
};
Texel fetchTexel(cudaTextureObject_t texture, const TextureCoordinates& coordinates);
// The level of a texture whose pixels lie so far apart.
float levelOf(cudaTextureObject_t texture, float2 alongX, float2 alongY);
// The place of a direction on the faces of a cube, which are layers.
TextureCoordinates onCube(float x, float y, float z, int cube = 0, float level = 0);
// One channel of the four texels that a filtered fetch would take.
Texel gatherTexels(cudaTextureObject_t texture, float x, float y, int channel);
Texel fetchLinear(cudaTextureObject_t texture, int index);
void readSurface(cudaSurfaceObject_t surface, const SurfaceCoordinates& at, void* value,
                 size_t bytes);
void writeSurface(cudaSurfaceObject_t surface, const SurfaceCoordinates& at, const void* value,
                  size_t bytes);

// The address of the fetch is that of the call, so that these are inlined.
template <typename T>
SIMT_ALWAYS_INLINE T valueOf(const Texel& texel) {
  using Number = typename Channels<T>::Number;
  Number numbers[Channels<T>::count];
  for (int i = 0; i < Channels<T>::count; ++i) {
    const Channel& c = texel.channels[i];
    if (texel.kind == cudaChannelFormatKindFloat)
      numbers[i] = Number(c.real);
    else
      numbers[i] =
          texel.kind == cudaChannelFormatKindSigned ? Number(c.integer) : Number(c.natural);
  }
  T result;
  __builtin_memcpy(reinterpret_cast<unsigned char*>(&result), numbers, sizeof result);
  return result;
}

}  // namespace simt

template <typename T>
SIMT_ALWAYS_INLINE T tex1Dfetch(cudaTextureObject_t texture, int index) {
  return simt::valueOf<T>(simt::fetchLinear(texture, index));
}
template <typename T>
SIMT_ALWAYS_INLINE void tex1Dfetch(T* value, cudaTextureObject_t texture, int index) {
  *value = tex1Dfetch<T>(texture, index);
}
#define SIMT_PARAMETERS(...) __VA_ARGS__
#define SIMT_TEXTURE(name, parameters, arguments, ...)                                         \
  template <typename T>                                                                        \
  SIMT_ALWAYS_INLINE T name(cudaTextureObject_t texture, parameters) {                         \
    return simt::valueOf<T>(simt::fetchTexel(texture, simt::TextureCoordinates{__VA_ARGS__})); \
  }                                                                                            \
  template <typename T>                                                                        \
  SIMT_ALWAYS_INLINE void name(T* value, cudaTextureObject_t texture, parameters) {            \
    *value = name<T>(texture, arguments);                                                      \
  }
SIMT_TEXTURE(tex1D, float x, x, 1, x)
SIMT_TEXTURE(tex2D, SIMT_PARAMETERS(float x, float y), SIMT_PARAMETERS(x, y), 2, x, y)
SIMT_TEXTURE(tex3D, SIMT_PARAMETERS(float x, float y, float z), SIMT_PARAMETERS(x, y, z), 3, x, y,
             z)
SIMT_TEXTURE(tex1DLayered, SIMT_PARAMETERS(float x, int layer), SIMT_PARAMETERS(x, layer), 1, x, 0,
             0, true, layer)
SIMT_TEXTURE(tex2DLayered, SIMT_PARAMETERS(float x, float y, int layer),
             SIMT_PARAMETERS(x, y, layer), 2, x, y, 0, true, layer)
SIMT_TEXTURE(tex1DLod, SIMT_PARAMETERS(float x, float level), SIMT_PARAMETERS(x, level), 1, x, 0, 0,
             false, 0, level)
SIMT_TEXTURE(tex2DLod, SIMT_PARAMETERS(float x, float y, float level), SIMT_PARAMETERS(x, y, level),
             2, x, y, 0, false, 0, level)
SIMT_TEXTURE(tex3DLod, SIMT_PARAMETERS(float x, float y, float z, float level),
             SIMT_PARAMETERS(x, y, z, level), 3, x, y, z, false, 0, level)
SIMT_TEXTURE(tex2DLayeredLod, SIMT_PARAMETERS(float x, float y, int layer, float level),
             SIMT_PARAMETERS(x, y, layer, level), 2, x, y, 0, true, layer, level)
SIMT_TEXTURE(tex2DGrad, SIMT_PARAMETERS(float x, float y, float2 alongX, float2 alongY),
             SIMT_PARAMETERS(x, y, alongX, alongY), 2, x, y, 0, false, 0,
             simt::levelOf(texture, alongX, alongY))
SIMT_TEXTURE(texCubemap, SIMT_PARAMETERS(float x, float y, float z), SIMT_PARAMETERS(x, y, z),
             simt::onCube(x, y, z))
SIMT_TEXTURE(texCubemapLayered, SIMT_PARAMETERS(float x, float y, float z, int layer),
             SIMT_PARAMETERS(x, y, z, layer), simt::onCube(x, y, z, layer))
SIMT_TEXTURE(texCubemapLod, SIMT_PARAMETERS(float x, float y, float z, float level),
             SIMT_PARAMETERS(x, y, z, level), simt::onCube(x, y, z, 0, level))
#undef SIMT_TEXTURE
template <typename T>
SIMT_ALWAYS_INLINE T tex2Dgather(cudaTextureObject_t texture, float x, float y, int channel = 0) {
  return simt::valueOf<T>(simt::gatherTexels(texture, x, y, channel));
}
template <typename T>
SIMT_ALWAYS_INLINE void tex2Dgather(T* value, cudaTextureObject_t texture, float x, float y,
                                    int channel = 0) {
  *value = tex2Dgather<T>(texture, x, y, channel);
}

#define SIMT_SURFACE(name, parameters, arguments, ...)                                             \
  template <typename T>                                                                            \
  SIMT_ALWAYS_INLINE void name##read(T* value, cudaSurfaceObject_t surface, parameters,            \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {        \
    unsigned char bytes[sizeof(T)];                                                                \
    simt::readSurface(surface, simt::SurfaceCoordinates{__VA_ARGS__, mode}, bytes, sizeof bytes);  \
    __builtin_memcpy(reinterpret_cast<unsigned char*>(value), bytes, sizeof bytes);                \
  }                                                                                                \
  template <typename T>                                                                            \
  SIMT_ALWAYS_INLINE T name##read(cudaSurfaceObject_t surface, parameters,                         \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
    T value;                                                                                       \
    simt::readSurface(surface, simt::SurfaceCoordinates{__VA_ARGS__, mode}, &value, sizeof value); \
    return value;                                                                                  \
  }                                                                                                \
  template <typename T>                                                                            \
  SIMT_ALWAYS_INLINE void name##write(T value, cudaSurfaceObject_t surface, parameters,            \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {       \
    simt::writeSurface(surface, simt::SurfaceCoordinates{__VA_ARGS__, mode}, &value,               \
                       sizeof value);                                                              \
  }
SIMT_SURFACE(surf1D, int x, x, x, 0, 0, 1)
SIMT_SURFACE(surf2D, SIMT_PARAMETERS(int x, int y), SIMT_PARAMETERS(x, y), x, y, 0, 2)
SIMT_SURFACE(surf3D, SIMT_PARAMETERS(int x, int y, int z), SIMT_PARAMETERS(x, y, z), x, y, z, 3)
SIMT_SURFACE(surf2DLayered, SIMT_PARAMETERS(int x, int y, int layer), SIMT_PARAMETERS(x, y, layer),
             x, y, layer, 3)
SIMT_SURFACE(surf1DLayered, SIMT_PARAMETERS(int x, int layer), SIMT_PARAMETERS(x, layer), x, 0,
             layer, 3)
SIMT_SURFACE(surfCubemap, SIMT_PARAMETERS(int x, int y, int face), SIMT_PARAMETERS(x, y, face), x,
             y, face, 3)
SIMT_SURFACE(surfCubemapLayered, SIMT_PARAMETERS(int x, int y, int face),
             SIMT_PARAMETERS(x, y, face), x, y, face, 3)
#undef SIMT_SURFACE
#undef SIMT_PARAMETERS
