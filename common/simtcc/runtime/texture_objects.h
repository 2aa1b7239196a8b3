// What CUDA arrays, texture and surface objects are.
#pragma once

#include <vector>

#include "simtcc/include/texture_types.h"
#include "simtcc/runtime/handles.h"

struct cudaArray : simt::Handle<cudaArray> {
  cudaArray(const cudaChannelFormatDesc& format_, const cudaExtent& extent_, unsigned flags_,
            unsigned char* data_, size_t elementSize_)
      : format(format_), extent(extent_), flags(flags_), data(data_), elementSize(elementSize_) {}
  cudaChannelFormatDesc format;
  cudaExtent extent;  // in elements; a height or a depth of 0 where it has none
  unsigned flags;
  unsigned char* data;
  size_t elementSize;

  size_t pitch() const { return extent.width * elementSize; }
};

// Arrays of half the size each, one behind the other.
struct cudaMipmappedArray : simt::Handle<cudaMipmappedArray> {
  std::vector<cudaArray_t> levels;
};

namespace simt {

struct TextureObject {
  cudaResourceType type;
  cudaChannelFormatDesc format;
  cudaExtent extent;
  unsigned char* data;
  size_t elementSize, pitch;
  bool isLayered = false, isCube = false;  // a cube's faces are layers
  cudaTextureDesc description{};
  cudaResourceDesc resource{};
  std::vector<TextureObject> levels = {};  // of a mipmapped array
};
// Null where there is none of that handle.
const TextureObject* textureObject(unsigned long long handle);

}  // namespace simt
