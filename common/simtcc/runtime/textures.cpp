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
Neighbours neighbours(const TextureObject& object, float coordinate, size_t size, bool isFiltered) {
  const double x =
      object.description.normalizedCoords ? double(coordinate) * double(size) : double(coordinate);
  if (!isFiltered) return {std::floor(x), 0};
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

namespace {

// The texels around coordinates, one or two along each dimension.
class Around {
 public:
  Around(const TextureObject& object, const TextureCoordinates& c, bool isFiltered, Where pc)
      : object_(object), c_(c), pc_(pc) {
    const float coordinates[] = {c.x, c.y, c.z};
    for (int i = 0; i < c.dimensions; ++i)
      along_[i] = neighbours(object, coordinates[i], sizes_[i], isFiltered);
  }

  // Bit i of the corner asks for the second one along dimension i.
  Texel texel(int corner) const {
    size_t index[3] = {};
    for (int i = 0; i < c_.dimensions; ++i) {
      // What CUDA does with modes that need normalised coordinates: it clamps.
      cudaTextureAddressMode mode = object_.description.addressMode[i];
      if (object_.isCube ||
          (!object_.description.normalizedCoords && mode != cudaAddressModeBorder))
        mode = cudaAddressModeClamp;
      const auto found = addressed(along_[i].first + (corner >> i & 1), sizes_[i], mode);
      if (!found) return border(object_);
      index[i] = *found;
    }
    const size_t layer = object_.isLayered
                             ? size_t(std::clamp(c_.layer, 0, int(object_.extent.depth) - 1))
                             : index[2];
    return load(object_,
                object_.data + (layer * sizes_[1] + index[1]) * object_.pitch +
                    index[0] * object_.elementSize,
                pc_);
  }
  float weight(int corner) const {
    float weight = 1;
    for (int i = 0; i < c_.dimensions; ++i)
      weight *= corner >> i & 1 ? along_[i].weight : 1 - along_[i].weight;
    return weight;
  }

 private:
  const TextureObject& object_;
  const TextureCoordinates& c_;
  const Where pc_;
  const size_t sizes_[3] = {object_.extent.width, std::max<size_t>(object_.extent.height, 1),
                            std::max<size_t>(object_.extent.depth, 1)};
  Neighbours along_[3] = {{0, 0}, {0, 0}, {0, 0}};
};

Texel fetch(const TextureObject& object, const TextureCoordinates& c, Where pc) {
  const bool isFiltered = object.description.filterMode == cudaFilterModeLinear;
  const Around around(object, c, isFiltered, pc);
  if (!isFiltered) return around.texel(0);
  Texel sum{{}, cudaChannelFormatKindFloat};
  for (int corner = 0; corner < 1 << c.dimensions; ++corner) {
    const Texel texel = around.texel(corner);
    for (int i = 0; i < 4; ++i)
      sum.channels[i].real += around.weight(corner) * texel.channels[i].real;
  }
  return sum;
}

}  // namespace

Texel fetchTexel(cudaTextureObject_t texture, const TextureCoordinates& c) {
  const Where pc = __builtin_return_address(0);
  const TextureObject& object = objectOf(texture, "texture", pc);
  if (object.type == cudaResourceTypeLinear)
    raiseOutside("fetches a texture of linear memory without tex1Dfetch", pc);
  if (object.isLayered != c.isLayered)
    raiseOutside("fetches a layer of a texture that has none, or none of one that has", pc);
  if (object.levels.empty()) return fetch(object, c, pc);
  const cudaTextureDesc& d = object.description;
  const float last = float(object.levels.size() - 1);
  const float level = std::clamp(std::clamp(c.level + d.mipmapLevelBias, d.minMipmapLevelClamp,
                                            std::max(d.maxMipmapLevelClamp, d.minMipmapLevelClamp)),
                                 0.0f, last);
  if (d.mipmapFilterMode == cudaFilterModePoint)
    return fetch(object.levels[size_t(level + 0.5f)], c, pc);
  const size_t lower = size_t(level);
  const float weight = std::round((level - float(lower)) * 256) / 256;
  Texel texel = fetch(object.levels[lower], c, pc);
  if (weight == 0) return texel;
  const Texel next = fetch(object.levels[lower + 1], c, pc);
  for (int i = 0; i < 4; ++i)
    texel.channels[i].real = (1 - weight) * texel.channels[i].real + weight * next.channels[i].real;
  return texel;
}

float levelOf(cudaTextureObject_t texture, float2 alongX, float2 alongY) {
  const TextureObject& object = objectOf(texture, "texture", __builtin_return_address(0));
  const auto length = [&](float2 d) {
    return std::hypot(d.x * float(object.extent.width), d.y * float(object.extent.height));
  };
  return std::log2(std::max(length(alongX), length(alongY)));
}

TextureCoordinates onCube(float x, float y, float z, int cube, float level) {
  const float sizes[] = {std::abs(x), std::abs(y), std::abs(z)};
  int axis = sizes[1] > sizes[0] ? 1 : 0;
  if (sizes[2] > sizes[axis]) axis = 2;
  const bool negative = (axis == 0 ? x : axis == 1 ? y : z) < 0;
  const float s = axis == 0 ? (negative ? z : -z) : axis == 1 ? x : (negative ? -x : x);
  const float t = axis == 1 ? (negative ? -z : z) : -y;
  const float most = sizes[axis];
  return {2,    (s / most + 1) / 2, (t / most + 1) / 2, 0, true, cube * 6 + axis * 2 + negative,
          level};
}

Texel gatherTexels(cudaTextureObject_t texture, float x, float y, int channel) {
  const Where pc = __builtin_return_address(0);
  const TextureObject& object = objectOf(texture, "texture", pc);
  const TextureCoordinates c{2, x, y};
  const Around around(object, c, true, pc);
  Texel result{{}, object.format.f};
  constexpr int corners[] = {2, 3, 1, 0};  // against the clock, from the lower left one
  for (int i = 0; i < 4; ++i) {
    const Texel texel = around.texel(corners[i]);
    result.kind = texel.kind;
    result.channels[i] = texel.channels[channel & 3];
  }
  return result;
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
