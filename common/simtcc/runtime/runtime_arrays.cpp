// CUDA arrays, copies from and to them, texture and surface objects.
#include <algorithm>
#include <map>

#include "simtcc/runtime/runtime_streams.h"
#include "simtcc/runtime/sizes.h"
#include "simtcc/runtime/texture_objects.h"

using namespace simt;

namespace simt {
namespace {

std::map<unsigned long long, TextureObject>& objects() {
  static auto& all = *new std::map<unsigned long long, TextureObject>;  // never destroyed
  return all;
}

size_t elementBytes(const cudaChannelFormatDesc& d) {
  return (size_t(d.x) + size_t(d.y) + size_t(d.z) + size_t(d.w)) / 8;
}

cudaError_t checkFormat(const cudaChannelFormatDesc& d, const char* call) {
  const int sizes[] = {d.x, d.y, d.z, d.w};
  int channels = 0;
  for (const int bits : sizes) channels += bits > 0;
  const bool same = std::ranges::all_of(sizes, [&](int b) { return b == 0 || b == d.x; });
  const bool known = d.x == 8 || d.x == 16 || d.x == 32;
  const bool isFloat = d.f == cudaChannelFormatKindFloat;
  if (same && known && channels != 3 && !(isFloat && d.x == 8) && d.f <= cudaChannelFormatKindFloat)
    return cudaSuccess;
  return failed(
      cudaErrorInvalidChannelDescriptor,
      std::string(call) + ": an element has 1, 2 or 4 equal channels of 8, 16 or 32 bits");
}

// Where a copy of so many bytes begins, or null where it does not fit.
unsigned char* placeIn(cudaArray_const_t array, size_t x, size_t y, size_t width, size_t height) {
  if (!cudaArray::isAlive(array) || Size(x) + Size(width) > array->pitch() ||
      Size(y) + Size(height) > std::max<size_t>(array->extent.height, 1))
    return nullptr;
  return array->data + y * array->pitch() + x;
}

// Those that cudaGetDeviceProperties() tells.
bool isWithinLimits(const cudaExtent& e, unsigned flags) {
  if (flags & (cudaArrayLayered | cudaArrayCubemap))
    return e.width <= 32768 && e.height <= 32768 && e.depth <= 2048;
  if (e.depth > 0) return e.width <= 16384 && e.height <= 16384 && e.depth <= 16384;
  return e.width <= 131072 && e.height <= 65536;
}

// For a texture of so many bytes of device memory.
cudaError_t checkMemory(const cudaChannelFormatDesc& format, const void* begin, size_t bytes) {
  if (const cudaError_t e = checkFormat(format, "cudaCreateTextureObject")) return e;
  const DeviceMemory* const memory = deviceMemoryAt(begin);
  if (!memory || bytes > memory->end - reinterpret_cast<uintptr_t>(begin))
    return invalid("cudaCreateTextureObject of more than the array has");
  return cudaSuccess;
}

unsigned long long add(const TextureObject& object) {
  static unsigned long long last = 0;
  objects()[++last] = object;
  return last;
}

TextureObject objectOfArray(cudaArray_t array) {
  TextureObject object{cudaResourceTypeArray, array->format,      array->extent,
                       array->data,           array->elementSize, array->pitch()};
  object.isCube = (array->flags & cudaArrayCubemap) != 0;
  object.isLayered = object.isCube || (array->flags & cudaArrayLayered) != 0;
  return object;
}

}  // namespace

const TextureObject* textureObject(unsigned long long handle) {
  const auto it = objects().find(handle);
  return it == objects().end() ? nullptr : &it->second;
}

cudaError_t resolveArrays(cudaMemcpy3DParms& c) {
  const auto resolve = [&](cudaArray_t array, cudaPos& at, cudaPitchedPtr& pointer) {
    if (!array) return true;
    at.x = Size(at.x) * Size(array->elementSize);
    const size_t rows = std::max<size_t>(array->extent.height, 1);
    pointer = {array->data, array->pitch(), array->pitch(), rows};
    return Size(at.x) + Size(c.extent.width) <= array->pitch() &&
           Size(at.y) + Size(c.extent.height) <= rows &&
           Size(at.z) + Size(c.extent.depth) <= std::max<size_t>(array->extent.depth, 1);
  };
  for (cudaArray_t const array : {c.srcArray, c.dstArray})
    if (array && !cudaArray::isAlive(array))
      return invalid("cudaMemcpy3D of a CUDA array that does not exist");
  if (cudaArray_t const array = c.srcArray ? c.srcArray : c.dstArray)
    c.extent.width = Size(c.extent.width) *
                     Size(array->elementSize);  // counted in elements where an array takes part
  const bool fits =
      resolve(c.srcArray, c.srcPos, c.srcPtr) && resolve(c.dstArray, c.dstPos, c.dstPtr);
  c.srcArray = c.dstArray = nullptr;
  return fits ? cudaSuccess : invalid("cudaMemcpy3D of more than the CUDA array has");
}

}  // namespace simt

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* element,
                              cudaExtent extent, unsigned flags) {
  const simt::RuntimeLock locked;
  if (!array || !element) return invalid("cudaMallocArray without a place or a description");
  if (const cudaError_t e = checkFormat(*element, "cudaMallocArray")) return e;
  if (flags & cudaArrayCubemap &&
      (extent.width != extent.height || extent.depth % 6 != 0 || extent.depth == 0))
    return invalid("cudaMallocArray of a cube map: it has six square faces, or several times six");
  if (extent.width == 0 || !isWithinLimits(extent, flags))
    return invalid("cudaMallocArray of no width, or of more than a texture can have");
  const Size elements = Size(extent.width) * Size(std::max<size_t>(extent.height, 1)) *
                        Size(std::max<size_t>(extent.depth, 1));
  void* data = nullptr;
  const size_t size = simt::elementBytes(*element);
  if (const cudaError_t e = allocateNow(&data, elements * Size(size), {"CUDA array", size}))
    return e;
  *array = new cudaArray{*element, extent, flags, static_cast<unsigned char*>(data), size};
  return cudaSuccess;
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* element, size_t width,
                            size_t height, unsigned flags) {
  return cudaMalloc3DArray(array, element, {width, height, 0}, flags);
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  const simt::RuntimeLock locked;
  if (!array) return cudaSuccess;
  if (!cudaArray::isAlive(array)) return invalid("cudaFreeArray of an array that does not exist");
  const cudaError_t error = cudaFree(array->data);
  delete array;
  return error;
}
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const cudaChannelFormatDesc* element, cudaExtent extent,
                                     unsigned levels, unsigned flags) {
  if (!array) return invalid("cudaMallocMipmappedArray without a place");
  const bool hasLayers = flags & (cudaArrayLayered | cudaArrayCubemap);
  const size_t largest =
      std::max({extent.width, extent.height, hasLayers ? size_t(0) : extent.depth});
  auto* const all = new cudaMipmappedArray;
  for (unsigned level = 0; level < std::max(levels, 1u) && largest >> level > 0; ++level) {
    const auto halved = [&](size_t n) { return n == 0 ? n : std::max<size_t>(n >> level, 1); };
    cudaArray_t one = nullptr;  // of which a surface can be made without that flag, as CUDA does
    if (const cudaError_t e = cudaMalloc3DArray(&one, element,
                                                {halved(extent.width), halved(extent.height),
                                                 hasLayers ? extent.depth : halved(extent.depth)},
                                                flags | cudaArraySurfaceLoadStore)) {
      cudaFreeMipmappedArray(all);
      return e;
    }
    all->levels.push_back(one);
  }
  *array = all;
  return cudaSuccess;
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* array, cudaMipmappedArray_const_t all,
                                       unsigned level) {
  if (!array || !cudaMipmappedArray::isAlive(all) || level >= all->levels.size())
    return invalid("cudaGetMipmappedArrayLevel of a level that does not exist");
  *array = all->levels[level];
  return cudaSuccess;
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  if (!array) return cudaSuccess;
  if (!cudaMipmappedArray::isAlive(array))
    return invalid("cudaFreeMipmappedArray of an array that does not exist");
  for (cudaArray_t const level : array->levels) cudaFreeArray(level);
  delete array;
  return cudaSuccess;
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* element, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  if (!cudaArray::isAlive(array)) return invalid("cudaArrayGetInfo of no array");
  if (element) *element = array->format;
  if (extent) *extent = array->extent;
  if (flags) *flags = array->flags;
  return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* element, cudaArray_const_t array) {
  if (!element || !cudaArray::isAlive(array)) return invalid("cudaGetChannelDesc of no array");
  *element = array->format;
  return cudaSuccess;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  unsigned char* const place = placeIn(to, x, y, width, height);
  if (!place) return invalid("cudaMemcpy2DToArray of more than the CUDA array has");
  return cudaMemcpy2D(place, to->pitch(), from, pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  unsigned char* const place = placeIn(from, x, y, width, height);
  if (!place) return invalid("cudaMemcpy2DFromArray of more than the CUDA array has");
  return cudaMemcpy2D(to, pitch, place, from->pitch(), width, height, kind);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                     size_t fromX, size_t fromY, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
  unsigned char* const there = placeIn(to, toX, toY, width, height);
  unsigned char* const here = placeIn(from, fromX, fromY, width, height);
  if (!there || !here) return invalid("cudaMemcpy2DArrayToArray of more than a CUDA array has");
  return cudaMemcpy2D(there, to->pitch(), here, from->pitch(), width, height, kind);
}
// These take the rows as one.
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  unsigned char* const place = placeIn(to, x, y, 0, 0);
  return place ? cudaMemcpy(place, from, bytes, kind) : invalid("cudaMemcpyToArray");
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  unsigned char* const place = placeIn(from, x, y, 0, 0);
  return place ? cudaMemcpy(to, place, bytes, kind) : invalid("cudaMemcpyFromArray");
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view) {
  const simt::RuntimeLock locked;
  if (!texture || !resource || !description)
    return invalid("cudaCreateTextureObject without a description");
  if (view)
    return failed(cudaErrorNotSupported, "cudaCreateTextureObject with another view of the texels");
  TextureObject object{};
  if (resource->resType == cudaResourceTypeArray) {
    if (!cudaArray::isAlive(resource->res.array.array))
      return invalid("cudaCreateTextureObject of no array");
    object = objectOfArray(resource->res.array.array);
  } else if (resource->resType == cudaResourceTypeMipmappedArray) {
    if (!cudaMipmappedArray::isAlive(resource->res.mipmap.mipmap))
      return invalid("cudaCreateTextureObject of no mipmapped array");
    std::vector<TextureObject> levels;
    for (cudaArray_t const array : resource->res.mipmap.mipmap->levels) {
      levels.push_back(objectOfArray(array));
      levels.back().description = *description;
    }
    object = levels.front();
    object.levels = std::move(levels);
  } else if (resource->resType == cudaResourceTypeLinear) {
    const auto& r = resource->res.linear;
    const size_t size = simt::elementBytes(r.desc);
    if (const cudaError_t e = checkMemory(r.desc, r.devPtr, r.sizeInBytes)) return e;
    object = {cudaResourceTypeLinear,
              r.desc,
              {r.sizeInBytes / size, 0, 0},
              static_cast<unsigned char*>(r.devPtr),
              size,
              r.sizeInBytes};
  } else if (resource->resType == cudaResourceTypePitch2D) {
    const auto& r = resource->res.pitch2D;
    const size_t size = simt::elementBytes(r.desc);
    const Size row = Size(r.width) * Size(size);
    const bool hasRows = r.height > 0 && row <= r.pitchInBytes;
    const Size bytes = hasRows ? Size(r.height - 1) * Size(r.pitchInBytes) + row : Size(SIZE_MAX);
    if (const cudaError_t e = checkMemory(r.desc, r.devPtr, bytes)) return e;
    object = {cudaResourceTypePitch2D,
              r.desc,
              {r.width, r.height, 0},
              static_cast<unsigned char*>(r.devPtr),
              size,
              r.pitchInBytes};
  } else {
    return invalid("cudaCreateTextureObject of a resource of no known type");
  }
  const bool isInteger = object.format.f != cudaChannelFormatKindFloat;
  if (isInteger && description->readMode == cudaReadModeElementType &&
      description->filterMode == cudaFilterModeLinear && object.type != cudaResourceTypeLinear)
    return invalid("cudaCreateTextureObject: integers are filtered as normalised floats only");
  if (isInteger && description->readMode == cudaReadModeNormalizedFloat && object.format.x == 32)
    return invalid(
        "cudaCreateTextureObject: integers of 32 bits are not read as normalised floats");
  object.description = *description;
  object.resource = *resource;
  *texture = add(object);
  return cudaSuccess;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  const simt::RuntimeLock locked;
  if (texture == 0 || objects().erase(texture) > 0) return cudaSuccess;
  return invalid("cudaDestroyTextureObject of one that does not exist");
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t texture) {
  const simt::RuntimeLock locked;
  const TextureObject* const object = textureObject(texture);
  if (!object || !resource) return invalid("cudaGetTextureObjectResourceDesc of no texture");
  *resource = object->resource;
  return cudaSuccess;
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description,
                                            cudaTextureObject_t texture) {
  const simt::RuntimeLock locked;
  const TextureObject* const object = textureObject(texture);
  if (!object || !description) return invalid("cudaGetTextureObjectTextureDesc of no texture");
  *description = object->description;
  return cudaSuccess;
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                    const cudaResourceDesc* resource) {
  const simt::RuntimeLock locked;
  if (!surface || !resource || resource->resType != cudaResourceTypeArray ||
      !cudaArray::isAlive(resource->res.array.array))
    return invalid("cudaCreateSurfaceObject of what is no CUDA array");
  if (!(resource->res.array.array->flags & cudaArraySurfaceLoadStore))
    return invalid("cudaCreateSurfaceObject of an array without cudaArraySurfaceLoadStore");
  TextureObject object = objectOfArray(resource->res.array.array);
  object.resource = *resource;
  *surface = add(object);
  return cudaSuccess;
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return cudaDestroyTextureObject(surface);
}
