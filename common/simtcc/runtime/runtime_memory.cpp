// Device, managed and pinned memory, copies, and __device__ variables.
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

#include "simt/image/symbols.h"
#include "simt/memory/arrays.h"
#include "simt/run/executor.h"
#include "simtcc/runtime/runtime_streams.h"

namespace simt {
namespace {

constexpr size_t deviceBytes = size_t(16) << 30;

std::map<uintptr_t, DeviceMemory>& memories() {
  static std::map<uintptr_t, DeviceMemory> all;  // by begin
  return all;
}
size_t allocatedBytes = 0;

uintptr_t number(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

cudaError_t makeArray(void** array, size_t bytes, const ArrayName& name, cudaMemoryType type) {
  const RuntimeLock locked;
  if (!array) return failed(cudaErrorInvalidValue, "an allocation without a place for its pointer");
  *array = nullptr;
  if (bytes == 0) return cudaSuccess;
  const size_t limit = type == cudaMemoryTypeManaged ? deviceBytes * 16 : deviceBytes;
  if (bytes > limit - std::min(allocatedBytes, limit))
    return failed(cudaErrorMemoryAllocation, std::string("an allocation of ") +
                                                 std::to_string(bytes) + " bytes for " + name.name);
  try {
    *array = allocate(bytes, name.elementSize, name.name);
  } catch (const std::bad_alloc&) {
    return failed(cudaErrorMemoryAllocation, std::string("an allocation for ") + name.name);
  }
  allocatedBytes += bytes;
  memories()[number(*array)] = {number(*array), number(*array) + bytes, name.name, type};
  if (type != cudaMemoryTypeDevice) markWritten(*array, bytes);
  return cudaSuccess;
}

cudaError_t freeArray(void* array, const char* call) {
  const RuntimeLock locked;
  if (!array) return cudaSuccess;
  const auto it = memories().find(number(array));
  if (it == memories().end())
    return failed(cudaErrorInvalidValue,
                  std::string(call) + " of what was not allocated, or twice");
  allocatedBytes -= it->second.end - it->second.begin;
  memories().erase(it);
  release(array);
  return cudaSuccess;
}

// Whether a copy or fill may touch these bytes on the side that it names: 'd'evice or 'h'ost.
cudaError_t checkSide(const void* pointer, size_t bytes, char side, const char* call) {
  const RuntimeLock locked;
  const DeviceMemory* memory = deviceMemoryAt(pointer);
  if (side == 'd' && !memory)
    return failed(cudaErrorInvalidValue,
                  std::string(call) + " of a pointer that is not the device's");
  if (side == 'h' && memory && memory->type == cudaMemoryTypeDevice)
    return failed(cudaErrorInvalidValue, std::string(call) + " of " + memory->name +
                                             ", an array of the device, as host memory");
  if (memory && number(pointer) + bytes > memory->end)
    return failed(cudaErrorInvalidValue, std::string(call) + " of " + std::to_string(bytes) +
                                             " bytes, but " + memory->name + " has " +
                                             std::to_string(memory->end - number(pointer)));
  return cudaSuccess;
}

cudaError_t checkCopy(const void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                      const char* call) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return failed(cudaErrorInvalidMemcpyDirection, call);
  const char sides[][3] = {"hh", "hd", "dh", "dd", "??"};  // from, to
  if (const cudaError_t e = checkSide(from, bytes, sides[kind][0], call)) return e;
  return checkSide(to, bytes, sides[kind][1], call);
}

void copy(void* to, const void* from, size_t bytes) {
  std::memmove(to, from, bytes);
  markWritten(to, bytes);
}

}  // namespace

const DeviceMemory* deviceMemoryAt(const void* address) {
  const RuntimeLock locked;
  auto it = memories().upper_bound(number(address));
  if (it == memories().begin()) return nullptr;
  --it;
  return number(address) < it->second.end ? &it->second : nullptr;
}

bool addDeviceVariable(const void* address, size_t bytes, size_t elementSize, const char* name,
                       bool isConstant) {
  adoptVariable(address, bytes, elementSize, name, isConstant);
  memories()[number(address)] = {number(address), number(address) + bytes, name,
                                 cudaMemoryTypeManaged};
  return true;
}

bool addDeviceVariableTemplate(const char* name, bool isConstant, bool isArray) {
  for (const Variable& v : variablesOfTemplate(name))
    if (!deviceMemoryAt(reinterpret_cast<const void*>(v.begin)))
      addDeviceVariable(reinterpret_cast<const void*>(v.begin), v.end - v.begin,
                        isArray ? 4 : v.end - v.begin, v.name.c_str(), isConstant);
  return true;
}

cudaError_t copySymbol(void* symbol, size_t size, size_t offset, void* to, const void* from,
                       size_t bytes, cudaMemcpyKind kind) {
  const RuntimeLock locked;
  const char* call = from ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
  if (!deviceMemoryAt(symbol))
    return failed(cudaErrorInvalidSymbol, std::string(call) + " of a variable of the host");
  if (offset + bytes > size)
    return failed(cudaErrorInvalidValue,
                  std::string(call) + " of more bytes than the variable has");
  if (kind == (from ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice))
    return failed(cudaErrorInvalidMemcpyDirection, call);
  char* const place = static_cast<char*>(symbol) + offset;
  from ? copy(place, from, bytes) : copy(to, place, bytes);
  return cudaSuccess;
}
cudaError_t addressOfSymbol(void** address, const void* symbol) {
  if (!deviceMemoryAt(symbol))
    return failed(cudaErrorInvalidSymbol, "cudaGetSymbolAddress of a variable of the host");
  *address = const_cast<void*>(symbol);
  return cudaSuccess;
}
cudaError_t sizeOfSymbol(size_t* size, const void* symbol) {
  const DeviceMemory* memory = deviceMemoryAt(symbol);
  if (!memory) return failed(cudaErrorInvalidSymbol, "cudaGetSymbolSize of a variable of the host");
  *size = memory->end - memory->begin;
  return cudaSuccess;
}

}  // namespace simt

using namespace simt;

cudaError_t simt::allocateNow(void** array, size_t bytes, const ArrayName& name) {
  return makeArray(array, bytes, name, cudaMemoryTypeDevice);
}
cudaError_t cudaMalloc(void** array, size_t bytes, ArrayName name) {
  return makeArray(array, bytes, name, cudaMemoryTypeDevice);
}
cudaError_t cudaMallocManaged(void** array, size_t bytes, unsigned, ArrayName name) {
  return makeArray(array, bytes, name, cudaMemoryTypeManaged);
}
cudaError_t cudaMallocHost(void** array, size_t bytes, unsigned, ArrayName name) {
  return makeArray(array, bytes, name, cudaMemoryTypeHost);
}
cudaError_t cudaMallocPitch(void** array, size_t* pitch, size_t width, size_t height,
                            ArrayName name) {
  *pitch = (width + 511) / 512 * 512;
  return makeArray(array, *pitch * height, name, cudaMemoryTypeDevice);
}
cudaError_t cudaFree(void* array) { return freeArray(array, "cudaFree"); }
cudaError_t cudaFreeHost(void* array) { return freeArray(array, "cudaFreeHost"); }

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  if (!deviceMemoryAt(host))
    return failed(cudaErrorInvalidValue, "cudaHostGetDevicePointer of memory that is not pinned");
  *device = host;
  return cudaSuccess;
}
cudaError_t cudaHostRegister(void* memory, size_t bytes, unsigned) {
  const RuntimeLock locked;
  adoptVariable(memory, bytes, 1, "registered memory", false);
  memories()[number(memory)] = {number(memory), number(memory) + bytes, "registered memory",
                                cudaMemoryTypeHost};
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* memory) {
  const RuntimeLock locked;
  if (memories().erase(number(memory)) == 0)
    return failed(cudaErrorHostMemoryNotRegistered, "cudaHostUnregister");
  forgetVariable(memory);
  return cudaSuccess;
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  const DeviceMemory* memory = deviceMemoryAt(host);
  if (!memory || memory->type != cudaMemoryTypeHost)
    return failed(cudaErrorInvalidValue, "cudaHostGetFlags of memory that is not pinned");
  *flags = cudaHostAllocMapped;
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const DeviceMemory* memory = deviceMemoryAt(pointer);
  void* const p = const_cast<void*>(pointer);
  *attributes = {memory ? memory->type : cudaMemoryTypeUnregistered, memory ? 0 : -1,
                 memory ? p : nullptr,
                 !memory || memory->type != cudaMemoryTypeDevice ? p : nullptr};
  return cudaSuccess;
}

cudaError_t simt::copyNow(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const RuntimeLock locked;
  if (bytes == 0) return cudaSuccess;
  if (const cudaError_t e = checkCopy(to, from, bytes, kind, "cudaMemcpy")) return e;
  copy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  if (const cudaError_t e = checkImplicit("cudaMemcpy")) return e;
  return copyNow(to, from, bytes, kind);
}
cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  const RuntimeLock locked;
  if (width > toPitch || width > fromPitch)
    return failed(cudaErrorInvalidPitchValue, "cudaMemcpy2D of rows wider than the pitch");
  for (size_t row = 0; row < height; ++row) {
    char* const there = static_cast<char*>(to) + row * toPitch;
    const char* const here = static_cast<const char*>(from) + row * fromPitch;
    if (const cudaError_t e = checkCopy(there, here, width, kind, "cudaMemcpy2D")) return e;
    copy(there, here, width);
  }
  return cudaSuccess;
}
cudaError_t cudaMemset(void* array, int value, size_t bytes) {
  const RuntimeLock locked;
  if (bytes == 0) return cudaSuccess;
  if (const cudaError_t e = checkSide(array, bytes, 'd', "cudaMemset")) return e;
  std::memset(array, value, bytes);
  markWritten(array, bytes);
  return cudaSuccess;
}
cudaError_t simt::fillNow(void* array, unsigned value, size_t elementSize, size_t count) {
  const RuntimeLock locked;
  if (elementSize == 1) return cudaMemset(array, int(value), count);
  if (const cudaError_t e = checkSide(array, count * elementSize, 'd', "a fill")) return e;
  for (size_t i = 0; i < count; ++i)
    std::memcpy(static_cast<char*>(array) + i * elementSize, &value, elementSize);
  markWritten(array, count * elementSize);
  return cudaSuccess;
}
cudaError_t cudaMemset2D(void* array, size_t pitch, int value, size_t width, size_t height) {
  for (size_t row = 0; row < height; ++row)
    if (const cudaError_t e = cudaMemset(static_cast<char*>(array) + row * pitch, value, width))
      return e;
  return cudaSuccess;
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* array, cudaExtent extent) {
  *array = {nullptr, 0, extent.width, extent.height};
  return cudaMallocPitch(&array->ptr, &array->pitch, extent.width, extent.height * extent.depth,
                         {"array", 1});
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* c) { return copyNow3D(c); }
cudaError_t simt::copyNow3D(const cudaMemcpy3DParms* given) {
  if (!given || (!given->srcArray && !given->srcPtr.ptr) ||
      (!given->dstArray && !given->dstPtr.ptr))
    return failed(cudaErrorInvalidValue, "cudaMemcpy3D without a pointer or array on each side");
  cudaMemcpy3DParms resolved = *given;
  if (const cudaError_t e = resolveArrays(resolved)) return e;
  const cudaMemcpy3DParms* const c = &resolved;
  const auto begin = [](const cudaPitchedPtr& p, cudaPos at, size_t slice) {
    return static_cast<char*>(p.ptr) + ((at.z + slice) * p.ysize + at.y) * p.pitch + at.x;
  };
  for (size_t z = 0; z < c->extent.depth; ++z)
    if (const cudaError_t e = cudaMemcpy2D(begin(c->dstPtr, c->dstPos, z), c->dstPtr.pitch,
                                           begin(c->srcPtr, c->srcPos, z), c->srcPtr.pitch,
                                           c->extent.width, c->extent.height, c->kind))
      return e;
  return cudaSuccess;
}
cudaError_t cudaMemset3D(cudaPitchedPtr array, int value, cudaExtent extent) {
  for (size_t z = 0; z < extent.depth; ++z)
    if (const cudaError_t e =
            cudaMemset2D(static_cast<char*>(array.ptr) + z * array.ysize * array.pitch, array.pitch,
                         value, extent.width, extent.height))
      return e;
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) {
  return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
  static char one;
  *pool = reinterpret_cast<cudaMemPool_t>(&one);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) { return cudaSuccess; }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
// Of 8 bytes from the threshold on, before it of 4.
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr attribute, void* value) {
  const bool isAmount = attribute >= cudaMemPoolAttrReleaseThreshold;
  const uint64_t amount = attribute > cudaMemPoolAttrReleaseThreshold ? allocatedBytes : 0;
  std::memcpy(value, &amount, isAmount ? 8 : 4);
  return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *total = deviceBytes;
  *free = deviceBytes - std::min(allocatedBytes, deviceBytes);
  return cudaSuccess;
}
