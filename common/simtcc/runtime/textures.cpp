// What a kernel reads through textures and surfaces: coordinates, borders, filters.
#include "simtcc/runtime/textures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "simt/device/small_floats.h"
#include "simt/find/faults.h"
#include "simt/image/symbols.h"
#include "simt/run/access.h"
#include "simt/run/block.h"
#include "simtcc/runtime/texture_objects.h"

namespace simt {
namespace {

using Where = const void*;

[[noreturn]] void raiseOutside(const std::string& what, Where pc) {
  const Quiet quiet;
  const Thread* const self = runningBlock().current;
  raise(makeFault(Fault::Kind::outOfBounds, threadName(*self) + " " + what + at(pc), {self}, {pc}));
  __builtin_unreachable();
}

const TextureObject& objectOf(unsigned long long handle, const char* what, Where pc) {
  const TextureObject* const object = textureObject(handle);
  if (!object) raiseOutside(std::string("uses a ") + what + " that does not exist", pc);
  return *object;
}

Channel decode(const unsigned char* bytes, int bits, cudaChannelFormatKind kind) {
  Channel result{};
  uint32_t raw = 0;
  std::memcpy(&raw, bytes, size_t(bits / 8));
  if (kind == cudaChannelFormatKindFloat)
    result.real =
        bits == 16 ? float(std::bit_cast<Half>(uint16_t(raw))) : std::bit_cast<float>(raw);
  else if (kind == cudaChannelFormatKindSigned)
    result.integer = int32_t(raw << (32 - bits)) >> (32 - bits);
  else
    result.natural = raw;
  return result;
}

// Loads what lies at the address, as the format says and the texture reads it.
Texel load(const TextureObject& object, const unsigned char* address, Where pc) {
  const cudaChannelFormatDesc& format = object.format;
  access(address, object.elementSize, Access::load, pc);
  const int bits[] = {format.x, format.y, format.z, format.w};
  Texel texel{{}, format.f};
  for (int i = 0; i < 4 && bits[i] > 0; address += bits[i++] / 8) {
    Channel& c = texel.channels[i] = decode(address, bits[i], format.f);
    if (object.description.readMode != cudaReadModeNormalizedFloat ||
        format.f == cudaChannelFormatKindFloat)
      continue;
    const double largest = std::ldexp(1.0, bits[i] - (format.f == cudaChannelFormatKindSigned)) - 1;
    c.real = format.f == cudaChannelFormatKindSigned ? float(std::max(-1.0, c.integer / largest))
                                                     : float(c.natural / largest);
  }
  if (object.description.readMode == cudaReadModeNormalizedFloat)
    texel.kind = cudaChannelFormatKindFloat;
  return texel;
}

// The texel's index along one axis that stands for this one, or none: the border.
std::optional<size_t> addressed(double index, size_t size, cudaTextureAddressMode mode) {
  const double n = double(size);
  if (index >= 0 && index < n) return size_t(index);
  if (!(std::abs(index) < 1e15)) index = index > 0 ? n : -1;  // also what is no number
  switch (mode) {
    case cudaAddressModeWrap: return size_t(index - std::floor(index / n) * n);
    case cudaAddressModeMirror: {
      const double turn = index - std::floor(index / (2 * n)) * 2 * n;
      return size_t(turn < n ? turn : 2 * n - 1 - turn);
    }
    case cudaAddressModeClamp: return index < 0 ? 0 : size - 1;
    default: return std::nullopt;
  }
}

// One or two texels along an axis, and how much the second counts: 8 bits of a fraction.
struct Neighbours {
  double first;
  float weight;
};
Neighbours neighbours(const TextureObject& object, float coordinate, size_t size) {
  const double x =
      object.description.normalizedCoords ? double(coordinate) * double(size) : double(coordinate);
  if (object.description.filterMode == cudaFilterModePoint) return {std::floor(x), 0};
  const double first = std::floor(x - 0.5);
  return {first, float(std::round((x - 0.5 - first) * 256) / 256)};
}

Texel border(const TextureObject& object) {
  Texel texel{{}, object.format.f};
  if (object.description.readMode == cudaReadModeNormalizedFloat)
    texel.kind = cudaChannelFormatKindFloat;
  for (int i = 0; i < 4; ++i) {
    const float c = object.description.borderColor[i];
    if (texel.kind == cudaChannelFormatKindFloat)
      texel.channels[i].real = c;
    else
      texel.channels[i].integer = int(c);
  }
  return texel;
}

}  // namespace

Texel fetchLinear(cudaTextureObject_t texture, int index) {
  const Where pc = __builtin_return_address(0);
  const TextureObject& object = objectOf(texture, "texture", pc);
  if (object.type != cudaResourceTypeLinear)
    raiseOutside("uses tex1Dfetch with a texture that is not of linear memory", pc);
  if (index < 0 || size_t(index) >= object.extent.width)
    raiseOutside("fetches texel " + std::to_string(index) + ", but the texture has " +
                     std::to_string(object.extent.width),
                 pc);
  return load(object, object.data + size_t(index) * object.elementSize, pc);
}

Texel fetchTexel(cudaTextureObject_t texture, const TextureCoordinates& c) {
  const Where pc = __builtin_return_address(0);
  const TextureObject& object = objectOf(texture, "texture", pc);
  const cudaExtent& extent = object.extent;
  if (object.type == cudaResourceTypeLinear)
    raiseOutside("fetches a texture of linear memory without tex1Dfetch", pc);
  if (object.isLayered != c.isLayered)
    raiseOutside("fetches a layer of a texture that has none, or none of one that has", pc);
  const size_t sizes[] = {extent.width, std::max<size_t>(extent.height, 1),
                          std::max<size_t>(extent.depth, 1)};
  const float coordinates[] = {c.x, c.y, c.z};
  const bool isFiltered = object.description.filterMode == cudaFilterModeLinear;
  Neighbours along[3] = {{0, 0}, {0, 0}, {0, 0}};
  for (int i = 0; i < c.dimensions; ++i) along[i] = neighbours(object, coordinates[i], sizes[i]);
  const auto texelAt = [&](const double(&at)[3]) {
    size_t index[3] = {};
    for (int i = 0; i < c.dimensions; ++i) {
      // What CUDA does with modes that need normalised coordinates: it clamps.
      cudaTextureAddressMode mode = object.description.addressMode[i];
      if (!object.description.normalizedCoords && mode != cudaAddressModeBorder)
        mode = cudaAddressModeClamp;
      const auto found = addressed(at[i], sizes[i], mode);
      if (!found) return border(object);
      index[i] = *found;
    }
    const size_t layer =
        object.isLayered ? size_t(std::clamp(c.layer, 0, int(extent.depth) - 1)) : index[2];
    return load(
        object,
        object.data + (layer * sizes[1] + index[1]) * object.pitch + index[0] * object.elementSize,
        pc);
  };
  if (!isFiltered) return texelAt({along[0].first, along[1].first, along[2].first});
  Texel sum{{}, cudaChannelFormatKindFloat};
  for (int corner = 0; corner < 1 << c.dimensions; ++corner) {
    double at[3] = {};
    float weight = 1;
    for (int i = 0; i < c.dimensions; ++i) {
      const bool second = corner >> i & 1;
      at[i] = along[i].first + second;
      weight *= second ? along[i].weight : 1 - along[i].weight;
    }
    const Texel texel = texelAt(at);
    for (int i = 0; i < 4; ++i) sum.channels[i].real += weight * texel.channels[i].real;
  }
  return sum;
}

namespace {

// The place of an access to a surface; null where it does nothing.
unsigned char* surfacePlace(cudaSurfaceObject_t surface, SurfaceCoordinates at, size_t bytes,
                            Where pc) {
  const TextureObject& object = objectOf(surface, "surface", pc);
  const long long width = (long long)(object.extent.width * object.elementSize);
  const long long limits[] = {width - (long long)bytes,
                              std::max<long long>((long long)object.extent.height, 1) - 1,
                              std::max<long long>((long long)object.extent.depth, 1) - 1};
  int* const coordinates[] = {&at.x, &at.y, &at.z};
  for (int i = 0; i < at.dimensions; ++i) {
    if (*coordinates[i] >= 0 && *coordinates[i] <= limits[i]) continue;
    if (at.mode == cudaBoundaryModeZero) return nullptr;
    if (at.mode == cudaBoundaryModeTrap)
      raiseOutside(
          "reaches outside of a surface of " + std::to_string(width) + " bytes" +
              (object.extent.height > 0 ? " by " + std::to_string(object.extent.height) + " rows"
                                        : "") +
              ": x " + std::to_string(at.x) + " (in bytes), y " + std::to_string(at.y),
          pc);
    *coordinates[i] = int(std::clamp<long long>(*coordinates[i], 0, limits[i]));
  }
  if (size_t(at.x) % bytes != 0)
    raiseOutside("reaches byte " + std::to_string(at.x) + " of a surface's row, which is not a " +
                     "multiple of the size",
                 pc);
  const size_t rows = std::max<size_t>(object.extent.height, 1);
  return object.data + (size_t(at.z) * rows + size_t(at.y)) * object.pitch + size_t(at.x);
}

}  // namespace

void readSurface(cudaSurfaceObject_t surface, const SurfaceCoordinates& at, void* value,
                 size_t bytes) {
  const Where pc = __builtin_return_address(0);
  const unsigned char* const place = surfacePlace(surface, at, bytes, pc);
  if (!place) {
    std::memset(value, 0, bytes);
    return;
  }
  access(place, bytes, Access::load, pc);
  std::memcpy(value, place, bytes);
}

void writeSurface(cudaSurfaceObject_t surface, const SurfaceCoordinates& at, const void* value,
                  size_t bytes) {
  const Where pc = __builtin_return_address(0);
  unsigned char* const place = surfacePlace(surface, at, bytes, pc);
  if (!place) return;
  access(place, bytes, Access::store, pc);
  std::memcpy(place, value, bytes);
}

}  // namespace simt
