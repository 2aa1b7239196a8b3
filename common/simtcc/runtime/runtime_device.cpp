// What the executor says of itself as a device, and its streams.
#include <algorithm>
#include <cstring>

#include "simt/memory/arrays.h"
#include "simt/run/executor.h"
#include "simtcc/runtime/runtime_streams.h"

namespace simt {
int multiprocessorCount() { return int(settings().multiprocessors); }
}  // namespace simt

using simt::checkEvent;
using simt::checkStream;
using simt::failed;
using simt::invalid;
using simt::isMade;

static cudaError_t checkDevice(int device, const char* call) {
  return device == 0 ? cudaSuccess
                     : failed(cudaErrorInvalidDevice, std::string(call) + " of device " +
                                                          std::to_string(device) +
                                                          ": there is one, device 0");
}

cudaError_t cudaGetDeviceCount(int* count) {
  if (!count) return invalid(__func__);
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return checkDevice(device, "cudaSetDevice"); }
cudaError_t cudaGetDevice(int* device) {
  if (!device) return invalid(__func__);
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  if (!device || !wanted) return invalid(__func__);
  *device = 0;
  return cudaSuccess;
}

// The limits of a GPU of compute capability 9.0. Clocks and caches that are not there are 0 or, so
// that programs may divide by them, as small as they can be.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (!p) return invalid(__func__);
  if (const cudaError_t e = checkDevice(device, "cudaGetDeviceProperties")) return e;
  *p = {};
  std::strcpy(p->name, "SIMT executor (this CPU, no GPU)");
  size_t free = 0;
  cudaMemGetInfo(&free, &p->totalGlobalMem);
  p->major = 9;
  p->warpSize = 32;
  p->maxThreadsPerBlock = p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 0x7fffffff;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->sharedMemPerBlock = 48 * 1024;
  p->sharedMemPerBlockOptin = simt::maxDynamicShared;
  p->sharedMemPerMultiprocessor = 228 * 1024;
  p->reservedSharedMemPerBlock = 1024;
  p->totalConstMem = 64 * 1024;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->memPitch = 0x7fffffff;
  p->textureAlignment = p->surfaceAlignment = 512;
  p->texturePitchAlignment = 32;
  p->maxTexture1D = p->maxTexture2D[0] = p->maxSurface1D = p->maxSurface2D[0] = 131072;
  p->maxTexture2D[1] = p->maxSurface2D[1] = 65536;
  p->maxTexture1DLinear = 1 << 28;
  for (int& size : p->maxTexture3D) size = 16384;
  p->maxTexture1DLayered[0] = p->maxTexture2DLayered[0] = p->maxTexture2DLayered[1] = 32768;
  p->maxTexture1DLayered[1] = p->maxTexture2DLayered[2] = 2048;
  p->hostRegisterSupported = p->memoryPoolsSupported = 1;
  p->multiProcessorCount = simt::multiprocessorCount();
  p->maxThreadsPerMultiProcessor = 2048;
  p->maxBlocksPerMultiProcessor = 32;
  p->clockRate = p->memoryClockRate = 1;
  p->memoryBusWidth = 64;
  p->l2CacheSize = 1 << 20;
  p->unifiedAddressing = p->managedMemory = p->concurrentManagedAccess = p->canMapHostMemory = 1;
  p->concurrentKernels = p->cooperativeLaunch = p->streamPrioritiesSupported = 1;
  p->asyncEngineCount = p->deviceOverlap = 1;
  p->singleToDoublePrecisionPerfRatio = 2;
  p->hostNativeAtomicSupported = p->integrated = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (!value) return invalid(__func__);
  cudaDeviceProp p;
  if (const cudaError_t e = cudaGetDeviceProperties(&p, device)) return e;
  const std::pair<cudaDeviceAttr, size_t> values[] = {
      {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
      {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
      {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
      {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, p.sharedMemPerBlock},
      {cudaDevAttrTotalConstantMemory, p.totalConstMem},
      {cudaDevAttrWarpSize, p.warpSize},
      {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
      {cudaDevAttrClockRate, p.clockRate},
      {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {cudaDevAttrIntegrated, p.integrated},
      {cudaDevAttrMaxPitch, p.memPitch},
      {cudaDevAttrTextureAlignment, p.textureAlignment},
      {cudaDevAttrGpuOverlap, p.deviceOverlap},
      {cudaDevAttrMaxTexture1DWidth, p.maxTexture1D},
      {cudaDevAttrMaxTexture2DWidth, p.maxTexture2D[0]},
      {cudaDevAttrMaxTexture2DHeight, p.maxTexture2D[1]},
      {cudaDevAttrHostNativeAtomicSupported, p.hostNativeAtomicSupported},
      {cudaDevAttrSingleToDoublePrecisionPerfRatio, p.singleToDoublePrecisionPerfRatio},
      {cudaDevAttrHostRegisterSupported, p.hostRegisterSupported},
      {cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported},
      {cudaDevAttrReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock},
      {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
      {cudaDevAttrComputeMode, p.computeMode},
      {cudaDevAttrConcurrentKernels, p.concurrentKernels},
      {cudaDevAttrMemoryClockRate, p.memoryClockRate},
      {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
      {cudaDevAttrL2CacheSize, p.l2CacheSize},
      {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
      {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
      {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
      {cudaDevAttrComputeCapabilityMajor, p.major},
      {cudaDevAttrComputeCapabilityMinor, p.minor},
      {cudaDevAttrStreamPrioritiesSupported, p.streamPrioritiesSupported},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor},
      {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
      {cudaDevAttrManagedMemory, p.managedMemory},
      {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
      {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin},
      {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
      {cudaDevAttrMaxPersistingL2CacheSize, p.persistingL2CacheMaxSize},
      {cudaDevAttrMaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize},
      {cudaDevAttrTexturePitchAlignment, p.texturePitchAlignment},
      {cudaDevAttrSurfaceAlignment, p.surfaceAlignment},
      {cudaDevAttrMaxTexture3DWidth, p.maxTexture3D[0]},
      {cudaDevAttrMaxTexture3DHeight, p.maxTexture3D[1]},
      {cudaDevAttrMaxTexture3DDepth, p.maxTexture3D[2]}};
  *value = 0;
  for (const auto& [key, number] : values)
    if (key == attribute) *value = int(number);
  return cudaSuccess;
}
cudaError_t simt::checkPeers(int device, int other) {
  if (const cudaError_t e = checkDevice(device, "cudaMemcpyPeer")) return e;
  return checkDevice(other, "cudaMemcpyPeer");
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  if (const cudaError_t e = checkDevice(device, "cudaDeviceGetPCIBusId")) return e;
  if (!id || length < 13) return invalid("cudaDeviceGetPCIBusId: the text has 13 characters");
  std::snprintf(id, size_t(length), "0000:00:00.0");
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  if (!device || !id) return invalid(__func__);
  *device = 0;
  return std::string(id) == "0000:00:00.0" ? cudaSuccess : failed(cudaErrorInvalidDevice, __func__);
}
// As with CUDA, there are none of a device and itself.
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int device, int peer) {
  if (!value) return invalid(__func__);
  if (const cudaError_t e = simt::checkPeers(device, peer)) return e;
  return failed(cudaErrorInvalidDevice, "cudaDeviceGetP2PAttribute: there is one device");
}

// Every call that can go wrong later on a GPU has ended here.
cudaError_t cudaDeviceSynchronize() { return simt::checkWaiting(nullptr, "cudaDeviceSynchronize"); }
cudaError_t cudaDeviceReset() {
  simt::mendDevice();
  return cudaSuccess;
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  if (limit == cudaLimitMallocHeapSize) simt::setHeapLimit(value);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  if (!value) return invalid(__func__);
  *value = limit == cudaLimitStackSize        ? 1024
           : limit == cudaLimitPrintfFifoSize ? 1 << 20
           : limit == cudaLimitMallocHeapSize ? simt::heapLimit()
                                              : 8 << 20;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  if (!config) return invalid(__func__);
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (!config) return invalid(__func__);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (!can) return invalid(__func__);
  if (const cudaError_t e = checkDevice(device, __func__)) return e;
  if (const cudaError_t e = checkDevice(peer, __func__)) return e;
  *can = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return failed(cudaErrorInvalidDevice, "cudaDeviceEnablePeerAccess");
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return failed(cudaErrorPeerAccessNotEnabled, "cudaDeviceDisablePeerAccess");
}
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  if (!flags) return invalid(__func__);
  *flags = 0;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  if (!version) return invalid(__func__);
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

constexpr int greatestPriority = -5;

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  if (!stream || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking))
    return invalid("cudaStreamCreate without a place for the stream, or with unknown flags");
  *stream = new CUstream_st(flags, std::clamp(priority, greatestPriority, 0));
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!isMade(stream))
    return failed(cudaErrorInvalidResourceHandle, "cudaStreamDestroy of no stream");
  simt::leaveCapture(*stream);
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (!priority) return invalid(__func__);
  if (const cudaError_t e = checkStream(stream, __func__)) return e;
  *priority = isMade(stream) ? stream->priority : 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  if (!flags) return invalid(__func__);
  if (const cudaError_t e = checkStream(stream, __func__)) return e;
  *flags = isMade(stream) ? stream->flags : unsigned(cudaStreamDefault);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (!least) return invalid(__func__);
  if (!greatest) return invalid(__func__);
  *least = 0;
  *greatest = greatestPriority;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return simt::checkWaiting(stream, "cudaStreamSynchronize");
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return simt::checkWaiting(stream, "cudaStreamQuery");
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (const cudaError_t e = checkStream(stream, __func__)) return e;
  if (const cudaError_t e = checkEvent(event, __func__)) return e;
  simt::waitCaptured(stream, event);
  return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned) {
  if (!callback) return invalid(__func__);
  if (const cudaError_t e = checkStream(stream, __func__)) return e;
  if (isMade(stream) && stream->capture)
    return failed(cudaErrorStreamCaptureUnsupported,
                  "cudaStreamAddCallback while the stream is captured");
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (!function) return invalid(__func__);
  return simt::inStream(stream, cudaGraphNodeTypeHost, [function, data] {
    function(data);
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return checkDevice(device, __func__); }
cudaError_t cudaSetValidDevices(int* devices, int count) {
  if (!devices || count < 0) return invalid(__func__);
  for (int i = 0; i < count; ++i)
    if (const cudaError_t e = checkDevice(devices[i], __func__)) return e;
  return cudaSuccess;
}
