// What CUDA arrays, texture and surface objects are.
#pragma once

#include "simtcc/include/texture_types.h"

struct cudaArray {
  cudaChannelFormatDesc format;
  cudaExtent extent;  // in elements; a height or a depth of 0 where it has none
  unsigned flags;
  unsigned char* data;
  size_t elementSize;

  size_t pitch() const { return extent.width * elementSize; }
};

namespace simt {

struct TextureObject {
  cudaResourceType type;
  cudaChannelFormatDesc format;
  cudaExtent extent;
  unsigned char* data;
  size_t elementSize, pitch;
  bool isLayered = false;
  cudaTextureDesc description{};
  cudaResourceDesc resource{};
};
// Null where there is none of that handle.
const TextureObject* textureObject(unsigned long long handle);

}  // namespace simt
