// The functions of CUDA's runtime interface that the executor has. They do as CUDA says, at once:
// there is one device, and everything a program asks it to do has ended when the call returns.
#pragma once

#include "simt/device/names_begin.h"
#ifndef __cplusplus
#error "the executor's CUDA headers are C++: a file that includes them is a .cu or a .cpp file"
#endif

#include <cstdlib>
#include <type_traits>

#include "cuda_graphs_api.h"
#include "driver_types.h"
#include "simtcc/runtime/configured_launch.h"

#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define CUDART_CB

// Errors. What a failed call leaves for cudaGetLastError() is told at the end if nobody asks.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);

// Device.
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceFlags(unsigned* flags);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
inline cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
inline cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
inline cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id);

namespace simt {
cudaError_t allocateInStream(void** array, size_t bytes, const ArrayName& name,
                             cudaStream_t stream);
cudaError_t freeInStream(void* array, cudaStream_t stream);
cudaError_t allocateFromPool(void** array, size_t bytes, const ArrayName& name, cudaMemPool_t pool,
                             cudaStream_t stream);
cudaError_t attachInStream(cudaStream_t stream, const void* array);
cudaError_t checkPeers(int device, int other);
}  // namespace simt

// Memory. Pinned and managed memory is as good as written from the start.
cudaError_t cudaMalloc(void** array, size_t bytes, simt::ArrayName name = {});
cudaError_t cudaMallocManaged(void** array, size_t bytes, unsigned flags = cudaMemAttachGlobal,
                              simt::ArrayName name = {});
cudaError_t cudaMallocHost(void** array, size_t bytes, unsigned flags = 0,
                           simt::ArrayName name = {});
cudaError_t cudaMallocPitch(void** array, size_t* pitch, size_t width, size_t height,
                            simt::ArrayName name = {});
cudaError_t cudaFree(void* array);
cudaError_t cudaFreeHost(void* array);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
cudaError_t cudaHostRegister(void* memory, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void* memory);
cudaError_t cudaHostGetFlags(unsigned* flags, void* host);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                         size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* array, int value, size_t bytes);
cudaError_t cudaMemset2D(void* array, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMalloc3D(cudaPitchedPtr* array, cudaExtent extent);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy);
cudaError_t cudaMemset3D(cudaPitchedPtr array, int value, cudaExtent extent);
cudaError_t cudaMemPrefetchAsync(const void* array, size_t bytes, int device,
                                 cudaStream_t stream = nullptr);
cudaError_t cudaMemPrefetchAsync(const void* array, size_t bytes, cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(const void* array, size_t bytes, cudaMemoryAdvise advice, int device);
cudaError_t cudaMemAdvise(const void* array, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location);

// The same for pointers of any type, and with streams.
template <typename T>
cudaError_t cudaMalloc(T** array, size_t bytes,
                       simt::ArrayName name = {"array", simt::sizeOrOne<T>()}) {
  return cudaMalloc(reinterpret_cast<void**>(array), bytes, name);
}
template <typename T>
cudaError_t cudaMallocManaged(T** array, size_t bytes, unsigned flags = cudaMemAttachGlobal,
                              simt::ArrayName name = {"array", simt::sizeOrOne<T>()}) {
  return cudaMallocManaged(reinterpret_cast<void**>(array), bytes, flags, name);
}
template <typename T>
cudaError_t cudaMallocManaged(T** array, size_t bytes, simt::ArrayName name) {
  return cudaMallocManaged(reinterpret_cast<void**>(array), bytes, cudaMemAttachGlobal, name);
}
template <typename T>
cudaError_t cudaMallocHost(T** array, size_t bytes, unsigned flags = 0,
                           simt::ArrayName name = {"array", simt::sizeOrOne<T>()}) {
  return cudaMallocHost(reinterpret_cast<void**>(array), bytes, flags, name);
}
template <typename T>
cudaError_t cudaMallocHost(T** array, size_t bytes, simt::ArrayName name) {
  return cudaMallocHost(reinterpret_cast<void**>(array), bytes, 0, name);
}
template <typename T>
cudaError_t cudaHostAlloc(T** array, size_t bytes, unsigned flags,
                          simt::ArrayName name = {"array", simt::sizeOrOne<T>()}) {
  return cudaMallocHost(reinterpret_cast<void**>(array), bytes, flags, name);
}
template <typename T>
cudaError_t cudaMallocPitch(T** array, size_t* pitch, size_t width, size_t height,
                            simt::ArrayName name = {"array", simt::sizeOrOne<T>()}) {
  return cudaMallocPitch(reinterpret_cast<void**>(array), pitch, width, height, name);
}
template <typename T>
cudaError_t cudaMallocAsync(T** array, size_t bytes, cudaStream_t stream,
                            simt::ArrayName name = {"array", simt::sizeOrOne<T>()}) {
  return simt::allocateInStream(reinterpret_cast<void**>(array), bytes, name, stream);
}
cudaError_t cudaFreeAsync(void* array, cudaStream_t stream);
template <typename T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice,
                                size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemsetAsync(void* array, int value, size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemset2DAsync(void* array, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream = nullptr);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr array, int value, cudaExtent extent,
                              cudaStream_t stream = nullptr);

// Pools of memory: all take from the same.
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location);
cudaError_t cudaMemRangeGetAttribute(void* value, size_t bytes, cudaMemRangeAttribute attribute,
                                     const void* array, size_t count);
template <typename T>
cudaError_t cudaMallocFromPoolAsync(T** array, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return simt::allocateFromPool(reinterpret_cast<void**>(array), bytes,
                                {"array", simt::sizeOrOne<T>()}, pool, stream);
}

// __device__ and __constant__ variables.
namespace simt {
cudaError_t copyToSymbol(void* symbol, size_t size, size_t offset, const void* from, size_t bytes,
                         cudaMemcpyKind kind);
cudaError_t copyFromSymbol(void* to, const void* symbol, size_t size, size_t offset, size_t bytes,
                           cudaMemcpyKind kind);
cudaError_t copyToSymbolAsync(void* symbol, size_t size, size_t offset, const void* from,
                              size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t copyFromSymbolAsync(void* to, const void* symbol, size_t size, size_t offset,
                                size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t addressOfSymbol(void** address, const void* symbol);
cudaError_t sizeOfSymbol(size_t* size, const void* symbol);
}  // namespace simt
template <typename T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return simt::copyToSymbol(const_cast<std::remove_cv_t<T>*>(&symbol), sizeof symbol, offset, from,
                            bytes, kind);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return simt::copyFromSymbol(to, const_cast<std::remove_cv_t<T>*>(&symbol), sizeof symbol, offset,
                              bytes, kind);
}
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return simt::copyToSymbolAsync(const_cast<std::remove_cv_t<T>*>(&symbol), sizeof symbol, offset,
                                 from, bytes, kind, stream);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return simt::copyFromSymbolAsync(to, const_cast<std::remove_cv_t<T>*>(&symbol), sizeof symbol,
                                   offset, bytes, kind, stream);
}
template <typename P, typename T>
cudaError_t cudaGetSymbolAddress(P** address, const T& symbol) {
  return simt::addressOfSymbol(reinterpret_cast<void**>(address),
                               const_cast<std::remove_cv_t<T>*>(&symbol));
}
template <typename T>
cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return simt::sizeOfSymbol(size, const_cast<std::remove_cv_t<T>*>(&symbol));
}

// Streams and events. What events measure is the time that the executor takes on this computer.
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
cudaError_t cudaStreamCreate(cudaStream_t* stream);
template <typename T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* array, size_t = 0, unsigned = 0) {
  return simt::attachInStream(stream, array);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags = 0);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

#include "cuda_kernels_api.h"
#include "cuda_textures_api.h"

#include "simt/device/names_end.h"
