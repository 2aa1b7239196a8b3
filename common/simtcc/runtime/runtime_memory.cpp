// Device, managed and pinned memory, and what a pointer points at.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <new>

#include "simt/image/symbols.h"
#include "simt/memory/arrays.h"
#include "simt/run/executor.h"
#include "simtcc/runtime/handles.h"
#include "simtcc/runtime/managed_pages.h"
#include "simtcc/runtime/runtime_streams.h"
#include "simtcc/runtime/sizes.h"

struct CUmemPoolHandle_st : simt::Handle<CUmemPoolHandle_st> {};

namespace simt {
namespace {

constexpr size_t deviceBytes = size_t(16) << 30;

std::map<uintptr_t, DeviceMemory>& memories() {
  // By begin. Never destroyed: global objects of programs free what they have at the very end.
  static auto& all = *new std::map<uintptr_t, DeviceMemory>;
  return all;
}
size_t allocatedBytes = 0;

uintptr_t number(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

cudaError_t makeArray(void** array, size_t bytes, const ArrayName& name, cudaMemoryType type) {
  const RuntimeLock locked;
  if (!array) return invalid("an allocation without a place for its pointer");
  *array = nullptr;
  if (const cudaError_t e = brokenDevice()) return e;
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
  memories()[number(*array)] = {number(*array), number(*array) + bytes, name.name, type,
                                DeviceMemory::Origin::allocated};
  findArray(number(*array))->isOfHost = type != cudaMemoryTypeDevice;
  if (type == cudaMemoryTypeDevice && !isOpenToHost())
    closeToHost(*array, bytes);
  else
    markWritten(*array, bytes);
  if (type == cudaMemoryTypeManaged) managedBegins(*array, bytes);
  return cudaSuccess;
}

// isHost: what cudaFreeHost() frees, which cudaFree() does not.
cudaError_t freeArray(void* array, bool isHost, const char* call) {
  const RuntimeLock locked;
  if (const cudaError_t e = brokenDevice()) return e;
  if (!array) return cudaSuccess;
  const auto it = memories().find(number(array));
  if (it == memories().end() || it->second.origin != DeviceMemory::Origin::allocated)
    return invalid(std::string(call) + " of what was not allocated, or twice");
  if ((it->second.type == cudaMemoryTypeHost) != isHost)
    return invalid(std::string(call) + " of " + it->second.name +
                   (isHost ? ", which cudaFree frees" : ", which cudaFreeHost frees"));
  allocatedBytes -= it->second.end - it->second.begin;
  memories().erase(it);
  forgetClosed(array);
  managedEnds(array);
  release(array);
  return cudaSuccess;
}

// Whether the program has memory at all these addresses.
bool isMapped(const void* memory, size_t bytes) {
  const size_t page = size_t(sysconf(_SC_PAGESIZE));
  const uintptr_t begin = number(memory) / page * page;
  const Size end = Size(number(memory)) + Size(bytes);
  return end != SIZE_MAX &&
         msync(reinterpret_cast<void*>(begin), end.roundedUp(page) - begin, MS_ASYNC) == 0;
}

// Hints about managed memory do nothing, but for whom they are.
cudaError_t checkHint(const void* array, size_t bytes, const char* call) {
  const RuntimeLock locked;
  const DeviceMemory* const memory = deviceMemoryAt(array);
  if (memory && memory->type == cudaMemoryTypeManaged && bytes > 0 &&
      bytes <= memory->end - number(array))
    return cudaSuccess;
  return invalid(std::string(call) + " of what is not managed memory");
}
cudaError_t checkPlace(int device, const char* call) {
  if (device == 0 || device == cudaCpuDeviceId) return cudaSuccess;
  return failed(cudaErrorInvalidDevice, std::string(call) + " for device " +
                                            std::to_string(device) + ": there is one, device 0");
}
int deviceOf(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : location.id;
}
cudaError_t checkPlace(const cudaMemLocation& location, const char* call) {
  return checkPlace(deviceOf(location), call);
}

cudaMemPool_t thePool() {
  static auto& one = *new CUmemPoolHandle_st;
  return &one;
}
// The one that the device takes memory from.
cudaMemPool_t chosenPool = thePool();

}  // namespace

cudaError_t checkPool(cudaMemPool_t pool, const char* call) {
  return CUmemPoolHandle_st::isAlive(pool) ? cudaSuccess
                                           : invalid(std::string(call) + " of no pool");
}

const DeviceMemory* deviceMemoryAt(const void* address) {
  const RuntimeLock locked;
  auto it = memories().upper_bound(number(address));
  if (it == memories().begin()) return nullptr;
  --it;
  return number(address) < it->second.end ? &it->second : nullptr;
}

bool addDeviceVariable(const void* address, size_t bytes, size_t elementSize, const char* name,
                       bool isConstant) {
  const RuntimeLock locked;
  adoptVariable(address, bytes, elementSize, name, isConstant);
  findArray(number(address))->isOfHost = !isConstant;  // it may be a managed one
  memories()[number(address)] = {number(address), number(address) + bytes, name,
                                 cudaMemoryTypeManaged, DeviceMemory::Origin::variable};
  return true;
}

bool addDeviceVariableTemplate(const char* name, bool isConstant, bool isArray) {
  for (const Variable& v : variablesOfTemplate(name))
    if (!deviceMemoryAt(reinterpret_cast<const void*>(v.begin)))
      addDeviceVariable(reinterpret_cast<const void*>(v.begin), v.end - v.begin,
                        isArray ? 4 : v.end - v.begin, v.name.c_str(), isConstant);
  return true;
}

}  // namespace simt

using namespace simt;

cudaError_t simt::allocateNow(void** array, size_t bytes, const ArrayName& name) {
  return makeArray(array, bytes, name, cudaMemoryTypeDevice);
}
cudaError_t cudaMalloc(void** array, size_t bytes, ArrayName name) {
  return makeArray(array, bytes, name, cudaMemoryTypeDevice);
}
cudaError_t cudaMallocManaged(void** array, size_t bytes, unsigned flags, ArrayName name) {
  if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    return invalid("cudaMallocManaged of no bytes, or with other flags than one of cudaMemAttach*");
  return makeArray(array, bytes, name, cudaMemoryTypeManaged);
}
cudaError_t cudaMallocHost(void** array, size_t bytes, unsigned, ArrayName name) {
  return makeArray(array, bytes, name, cudaMemoryTypeHost);
}
cudaError_t cudaMallocPitch(void** array, size_t* pitch, size_t width, size_t height,
                            ArrayName name) {
  if (!array || !pitch) return invalid("cudaMallocPitch without a place for pointer and pitch");
  const Size row = Size(width).roundedUp(512);
  if (row * height == Size(SIZE_MAX))
    return invalid("cudaMallocPitch of more than 64 bits of bytes");
  const cudaError_t error = makeArray(array, row * height, name, cudaMemoryTypeDevice);
  if (error == cudaSuccess) *pitch = row;
  return error;
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* array, cudaExtent extent) {
  if (!array) return invalid("cudaMalloc3D without a place for its pointer");
  *array = {nullptr, 0, extent.width, extent.height};
  return cudaMallocPitch(&array->ptr, &array->pitch, extent.width,
                         Size(extent.height) * Size(extent.depth), {"array", 1});
}
cudaError_t cudaFree(void* array) { return freeArray(array, false, "cudaFree"); }
cudaError_t cudaFreeHost(void* array) { return freeArray(array, true, "cudaFreeHost"); }

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  const DeviceMemory* const memory = deviceMemoryAt(host);
  if (!device || flags != 0 || !memory || memory->type != cudaMemoryTypeHost)
    return invalid("cudaHostGetDevicePointer of memory that is not pinned");
  *device = host;
  return cudaSuccess;
}
cudaError_t cudaHostRegister(void* memory, size_t bytes, unsigned) {
  const RuntimeLock locked;
  if (!memory || bytes == 0 || !isMapped(memory, bytes))
    return invalid("cudaHostRegister of memory that is not there");
  for (const auto& [begin, known] : memories())
    if (known.begin < number(memory) + bytes && number(memory) < known.end)
      return failed(cudaErrorHostMemoryAlreadyRegistered, "cudaHostRegister of " + known.name);
  adoptVariable(memory, bytes, 1, "registered memory", false);
  findArray(number(memory))->isOfHost = true;
  memories()[number(memory)] = {number(memory), number(memory) + bytes, "registered memory",
                                cudaMemoryTypeHost, DeviceMemory::Origin::registered};
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* memory) {
  const RuntimeLock locked;
  if (!memory) return invalid("cudaHostUnregister of a null pointer");
  const auto it = memories().find(number(memory));
  if (it == memories().end() || it->second.origin != DeviceMemory::Origin::registered)
    return failed(cudaErrorHostMemoryNotRegistered, "cudaHostUnregister");
  memories().erase(it);
  forgetVariable(memory);
  return cudaSuccess;
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  const DeviceMemory* memory = deviceMemoryAt(host);
  if (!flags || !memory || memory->type != cudaMemoryTypeHost)
    return invalid("cudaHostGetFlags of memory that is not pinned");
  *flags = cudaHostAllocMapped;
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (!attributes) return invalid("cudaPointerGetAttributes without a place for them");
  const DeviceMemory* memory = deviceMemoryAt(pointer);
  void* const p = const_cast<void*>(pointer);
  *attributes = {memory ? memory->type : cudaMemoryTypeUnregistered, memory ? 0 : -1,
                 memory ? p : nullptr,
                 !memory || memory->type != cudaMemoryTypeDevice ? p : nullptr};
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void* array, size_t bytes, int device, cudaStream_t stream) {
  if (const cudaError_t e = checkStream(stream, __func__)) return e;
  if (const cudaError_t e = checkHint(array, bytes, __func__)) return e;
  if (const cudaError_t e = checkPlace(device, __func__)) return e;
  const RuntimeLock locked;
  managedGoes(array, bytes, device != cudaCpuDeviceId);
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void* array, size_t bytes, cudaMemLocation location,
                                 unsigned, cudaStream_t stream) {
  return cudaMemPrefetchAsync(array, bytes, deviceOf(location), stream);
}
cudaError_t cudaMemAdvise(const void* array, size_t bytes, cudaMemoryAdvise, int) {
  return checkHint(array, bytes, __func__);
}
cudaError_t cudaMemAdvise(const void* array, size_t bytes, cudaMemoryAdvise, cudaMemLocation) {
  return checkHint(array, bytes, __func__);
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (!pool) return invalid(__func__);
  if (device != 0) return failed(cudaErrorInvalidDevice, __func__);
  *pool = thePool();
  return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  if (const cudaError_t e = cudaDeviceGetDefaultMemPool(pool, device)) return e;
  *pool = chosenPool;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (device != 0) return failed(cudaErrorInvalidDevice, __func__);
  if (const cudaError_t e = checkPool(pool, __func__)) return e;
  chosenPool = pool;
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr, void* value) {
  return value ? checkPool(pool, __func__) : invalid(__func__);
}
// Of 8 bytes from the threshold on, before it of 4.
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (!value) return invalid(__func__);
  if (const cudaError_t e = checkPool(pool, __func__)) return e;
  const bool isAmount = attribute >= cudaMemPoolAttrReleaseThreshold;
  const uint64_t amount = attribute > cudaMemPoolAttrReleaseThreshold ? allocatedBytes : 0;
  std::memcpy(value, &amount, isAmount ? 8 : 4);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType, void* value) {
  if (device != 0 || !value) return invalid(__func__);
  return cudaMemPoolGetAttribute(thePool(), cudaMemPoolAttrUsedMemCurrent, value);
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType, void* value) {
  return device == 0 && value ? cudaSuccess : invalid(__func__);
}
cudaError_t cudaDeviceGraphMemTrim(int device) {
  return device == 0 ? cudaSuccess : invalid(__func__);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) { return checkPool(pool, __func__); }
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (!pool || !properties || properties->allocType == cudaMemAllocationTypeInvalid)
    return invalid(__func__);
  if (properties->handleTypes != cudaMemHandleTypeNone)
    return failed(cudaErrorNotSupported, "cudaMemPoolCreate of what processes share");
  if (const cudaError_t e = checkPlace(properties->location, __func__)) return e;
  *pool = new CUmemPoolHandle_st;
  return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  if (pool == thePool()) return invalid("cudaMemPoolDestroy of the device's own pool");
  if (const cudaError_t e = checkPool(pool, __func__)) return e;
  if (pool == chosenPool) chosenPool = thePool();
  delete pool;
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access,
                                 size_t count) {
  if (count > 0 && !access) return invalid(__func__);
  for (size_t i = 0; i < count; ++i)
    if (const cudaError_t e = checkPlace(access[i].location, __func__)) return e;
  return checkPool(pool, __func__);
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  if (!flags || !location) return invalid(__func__);
  *flags = cudaMemAccessFlagsProtReadWrite;
  return checkPool(pool, __func__);
}
// Advice is not kept: nothing is read mostly, and nothing was prefetched.
cudaError_t cudaMemRangeGetAttribute(void* value, size_t bytes, cudaMemRangeAttribute attribute,
                                     const void* array, size_t count) {
  if (!value || bytes < sizeof(int) || bytes % sizeof(int) != 0) return invalid(__func__);
  if (const cudaError_t e = checkHint(array, count, __func__)) return e;
  const int answer = attribute == cudaMemRangeAttributeReadMostly ? 0 : int(cudaInvalidDeviceId);
  for (size_t at = 0; at < bytes; at += sizeof answer)
    std::memcpy(static_cast<char*>(value) + at, &answer, sizeof answer);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  if (!free || !total) return invalid(__func__);
  *total = deviceBytes;
  *free = deviceBytes - std::min(allocatedBytes, deviceBytes);
  return cudaSuccess;
}
