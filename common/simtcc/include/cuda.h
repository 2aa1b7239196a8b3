// The driver interface, as far as it is the runtime's by another name: devices, contexts, memory,
// streams and events. Code that is loaded while the program runs (cuModuleLoad, cuLaunchKernel) is
// not there.
#pragma once

#include <cstdint>
#include <cstdio>

#include "cuda_runtime.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION CUDART_VERSION
#endif

// Their numbers are those of cudaError_t.
typedef enum cudaError_enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
  CUDA_ERROR_LAUNCH_TIMEOUT = 702,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_UNKNOWN = 999
} CUresult;

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaDeviceAttr CUdevice_attribute;
typedef struct CUuuid_st {
  char bytes[16];
} CUuuid;

#define SIMT_DRIVER_ATTRIBUTE(driver, runtime) \
  constexpr cudaDeviceAttr CU_DEVICE_ATTRIBUTE_##driver = cudaDevAttr##runtime;
SIMT_DRIVER_ATTRIBUTE(MAX_THREADS_PER_BLOCK, MaxThreadsPerBlock)
SIMT_DRIVER_ATTRIBUTE(MAX_BLOCK_DIM_X, MaxBlockDimX)
SIMT_DRIVER_ATTRIBUTE(MAX_BLOCK_DIM_Y, MaxBlockDimY)
SIMT_DRIVER_ATTRIBUTE(MAX_BLOCK_DIM_Z, MaxBlockDimZ)
SIMT_DRIVER_ATTRIBUTE(MAX_GRID_DIM_X, MaxGridDimX)
SIMT_DRIVER_ATTRIBUTE(MAX_GRID_DIM_Y, MaxGridDimY)
SIMT_DRIVER_ATTRIBUTE(MAX_GRID_DIM_Z, MaxGridDimZ)
SIMT_DRIVER_ATTRIBUTE(MAX_SHARED_MEMORY_PER_BLOCK, MaxSharedMemoryPerBlock)
SIMT_DRIVER_ATTRIBUTE(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, MaxSharedMemoryPerBlockOptin)
SIMT_DRIVER_ATTRIBUTE(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, MaxSharedMemoryPerMultiprocessor)
SIMT_DRIVER_ATTRIBUTE(TOTAL_CONSTANT_MEMORY, TotalConstantMemory)
SIMT_DRIVER_ATTRIBUTE(WARP_SIZE, WarpSize)
SIMT_DRIVER_ATTRIBUTE(MAX_PITCH, MaxPitch)
SIMT_DRIVER_ATTRIBUTE(MAX_REGISTERS_PER_BLOCK, MaxRegistersPerBlock)
SIMT_DRIVER_ATTRIBUTE(CLOCK_RATE, ClockRate)
SIMT_DRIVER_ATTRIBUTE(TEXTURE_ALIGNMENT, TextureAlignment)
SIMT_DRIVER_ATTRIBUTE(GPU_OVERLAP, GpuOverlap)
SIMT_DRIVER_ATTRIBUTE(MULTIPROCESSOR_COUNT, MultiProcessorCount)
SIMT_DRIVER_ATTRIBUTE(KERNEL_EXEC_TIMEOUT, KernelExecTimeout)
SIMT_DRIVER_ATTRIBUTE(INTEGRATED, Integrated)
SIMT_DRIVER_ATTRIBUTE(CAN_MAP_HOST_MEMORY, CanMapHostMemory)
SIMT_DRIVER_ATTRIBUTE(COMPUTE_MODE, ComputeMode)
SIMT_DRIVER_ATTRIBUTE(CONCURRENT_KERNELS, ConcurrentKernels)
SIMT_DRIVER_ATTRIBUTE(ECC_ENABLED, EccEnabled)
SIMT_DRIVER_ATTRIBUTE(PCI_BUS_ID, PciBusId)
SIMT_DRIVER_ATTRIBUTE(PCI_DEVICE_ID, PciDeviceId)
SIMT_DRIVER_ATTRIBUTE(PCI_DOMAIN_ID, PciDomainId)
SIMT_DRIVER_ATTRIBUTE(TCC_DRIVER, TccDriver)
SIMT_DRIVER_ATTRIBUTE(MEMORY_CLOCK_RATE, MemoryClockRate)
SIMT_DRIVER_ATTRIBUTE(GLOBAL_MEMORY_BUS_WIDTH, GlobalMemoryBusWidth)
SIMT_DRIVER_ATTRIBUTE(L2_CACHE_SIZE, L2CacheSize)
SIMT_DRIVER_ATTRIBUTE(MAX_THREADS_PER_MULTIPROCESSOR, MaxThreadsPerMultiProcessor)
SIMT_DRIVER_ATTRIBUTE(ASYNC_ENGINE_COUNT, AsyncEngineCount)
SIMT_DRIVER_ATTRIBUTE(UNIFIED_ADDRESSING, UnifiedAddressing)
SIMT_DRIVER_ATTRIBUTE(MAXIMUM_TEXTURE1D_WIDTH, MaxTexture1DWidth)
SIMT_DRIVER_ATTRIBUTE(MAXIMUM_TEXTURE2D_WIDTH, MaxTexture2DWidth)
SIMT_DRIVER_ATTRIBUTE(MAXIMUM_TEXTURE2D_HEIGHT, MaxTexture2DHeight)
SIMT_DRIVER_ATTRIBUTE(MAXIMUM_TEXTURE3D_WIDTH, MaxTexture3DWidth)
SIMT_DRIVER_ATTRIBUTE(MAXIMUM_TEXTURE3D_HEIGHT, MaxTexture3DHeight)
SIMT_DRIVER_ATTRIBUTE(MAXIMUM_TEXTURE3D_DEPTH, MaxTexture3DDepth)
SIMT_DRIVER_ATTRIBUTE(MAXIMUM_TEXTURE1D_LAYERED_WIDTH, MaxTexture1DLayeredWidth)
SIMT_DRIVER_ATTRIBUTE(MAXIMUM_TEXTURE1D_LAYERED_LAYERS, MaxTexture1DLayeredLayers)
SIMT_DRIVER_ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_WIDTH, MaxTexture2DLayeredWidth)
SIMT_DRIVER_ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, MaxTexture2DLayeredHeight)
SIMT_DRIVER_ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_LAYERS, MaxTexture2DLayeredLayers)
SIMT_DRIVER_ATTRIBUTE(SURFACE_ALIGNMENT, SurfaceAlignment)
SIMT_DRIVER_ATTRIBUTE(COMPUTE_CAPABILITY_MAJOR, ComputeCapabilityMajor)
SIMT_DRIVER_ATTRIBUTE(COMPUTE_CAPABILITY_MINOR, ComputeCapabilityMinor)
SIMT_DRIVER_ATTRIBUTE(MANAGED_MEMORY, ManagedMemory)
SIMT_DRIVER_ATTRIBUTE(PAGEABLE_MEMORY_ACCESS, PageableMemoryAccess)
SIMT_DRIVER_ATTRIBUTE(CONCURRENT_MANAGED_ACCESS, ConcurrentManagedAccess)
SIMT_DRIVER_ATTRIBUTE(COOPERATIVE_LAUNCH, CooperativeLaunch)
#undef SIMT_DRIVER_ATTRIBUTE

enum CUctx_flags {
  CU_CTX_SCHED_AUTO = 0,
  CU_CTX_SCHED_SPIN = 1,
  CU_CTX_SCHED_YIELD = 2,
  CU_CTX_SCHED_BLOCKING_SYNC = 4,
  CU_CTX_MAP_HOST = 8
};
enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 };
enum { CU_EVENT_DEFAULT = 0, CU_EVENT_BLOCKING_SYNC = 1, CU_EVENT_DISABLE_TIMING = 2 };
enum { CU_MEM_ATTACH_GLOBAL = 1, CU_MEM_ATTACH_HOST = 2 };
enum { CU_MEMHOSTALLOC_PORTABLE = 1, CU_MEMHOSTALLOC_DEVICEMAP = 2 };

namespace simt {
inline CUresult driver(cudaError_t error) { return CUresult(int(error)); }
inline void* memoryAt(CUdeviceptr address) { return reinterpret_cast<void*>(uintptr_t(address)); }
inline CUcontext theContext() {
  static char one;
  return reinterpret_cast<CUcontext>(&one);
}
inline CUresult setTo(auto* place, auto value) {
  if (!place) return CUDA_ERROR_INVALID_VALUE;
  *place = value;
  return CUDA_SUCCESS;
}
}  // namespace simt

inline CUresult cuInit(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }
inline CUresult cuDriverGetVersion(int* version) {
  return simt::driver(cudaDriverGetVersion(version));
}
inline CUresult cuGetErrorName(CUresult error, const char** name) {
  return simt::setTo(name, cudaGetErrorName(cudaError_t(int(error))));
}
inline CUresult cuGetErrorString(CUresult error, const char** text) {
  return simt::setTo(text, cudaGetErrorString(cudaError_t(int(error))));
}
inline CUresult cuDeviceGetCount(int* count) { return simt::driver(cudaGetDeviceCount(count)); }
inline CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return ordinal == 0 ? simt::setTo(device, 0) : CUDA_ERROR_INVALID_DEVICE;
}
inline CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error != cudaSuccess || !name || length <= 0)
    return error != cudaSuccess ? simt::driver(error) : CUDA_ERROR_INVALID_VALUE;
  std::snprintf(name, size_t(length), "%s", properties.name);
  return CUDA_SUCCESS;
}
inline CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  return error != cudaSuccess ? simt::driver(error) : simt::setTo(bytes, properties.totalGlobalMem);
}
inline CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return simt::driver(cudaDeviceGetAttribute(value, attribute, device));
}
inline CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult error =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return error != CUDA_SUCCESS
             ? error
             : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

// There is one context, always.
inline CUresult cuCtxCreate(CUcontext* context, unsigned, CUdevice) {
  return simt::setTo(context, simt::theContext());
}
typedef struct CUctxCreateParams_st CUctxCreateParams;
inline CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned,
                            CUdevice) {  // CUDA 13's
  return simt::setTo(context, simt::theContext());
}
inline CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  return simt::setTo(context, simt::theContext());
}
inline CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
inline CUresult cuCtxDestroy(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxDetach(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxPushCurrent(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxPopCurrent(CUcontext* context) {
  return context ? simt::setTo(context, simt::theContext()) : CUDA_SUCCESS;
}
inline CUresult cuCtxGetCurrent(CUcontext* context) {
  return simt::setTo(context, simt::theContext());
}
inline CUresult cuCtxGetDevice(CUdevice* device) { return simt::setTo(device, 0); }
inline CUresult cuCtxSynchronize() { return simt::driver(cudaDeviceSynchronize()); }

inline CUresult cuMemAlloc(CUdeviceptr* memory, size_t bytes) {
  void* place = nullptr;
  if (!memory || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaMalloc(&place, bytes);
  *memory = CUdeviceptr(reinterpret_cast<uintptr_t>(place));
  return simt::driver(error);
}
inline CUresult cuMemAllocManaged(CUdeviceptr* memory, size_t bytes, unsigned flags) {
  void* place = nullptr;
  if (!memory || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaMallocManaged(&place, bytes, flags);
  *memory = CUdeviceptr(reinterpret_cast<uintptr_t>(place));
  return simt::driver(error);
}
inline CUresult cuMemFree(CUdeviceptr memory) {
  return simt::driver(cudaFree(simt::memoryAt(memory)));
}
inline CUresult cuMemAllocHost(void** memory, size_t bytes) {
  return simt::driver(cudaMallocHost(memory, bytes));
}
inline CUresult cuMemHostAlloc(void** memory, size_t bytes, unsigned flags) {
  return simt::driver(cudaHostAlloc(memory, bytes, flags));
}
inline CUresult cuMemFreeHost(void* memory) { return simt::driver(cudaFreeHost(memory)); }
inline CUresult cuMemGetInfo(size_t* free, size_t* total) {
  return simt::driver(cudaMemGetInfo(free, total));
}
inline CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return simt::driver(cudaMemcpy(simt::memoryAt(to), from, bytes, cudaMemcpyHostToDevice));
}
inline CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return simt::driver(cudaMemcpy(to, simt::memoryAt(from), bytes, cudaMemcpyDeviceToHost));
}
inline CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return simt::driver(
      cudaMemcpy(simt::memoryAt(to), simt::memoryAt(from), bytes, cudaMemcpyDeviceToDevice));
}
inline CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return simt::driver(
      cudaMemcpyAsync(simt::memoryAt(to), from, bytes, cudaMemcpyHostToDevice, stream));
}
inline CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return simt::driver(
      cudaMemcpyAsync(to, simt::memoryAt(from), bytes, cudaMemcpyDeviceToHost, stream));
}
inline CUresult cuMemsetD8(CUdeviceptr memory, unsigned char value, size_t count) {
  return simt::driver(cudaMemset(simt::memoryAt(memory), value, count));
}
inline CUresult cuMemsetD32(CUdeviceptr memory, unsigned value, size_t count) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < count && error == cudaSuccess; ++i)
    error = cudaMemcpy(simt::memoryAt(memory + 4 * i), &value, 4, cudaMemcpyHostToDevice);
  return simt::driver(error);
}

inline CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return simt::driver(cudaStreamCreateWithFlags(stream, flags));
}
inline CUresult cuStreamDestroy(CUstream stream) { return simt::driver(cudaStreamDestroy(stream)); }
inline CUresult cuStreamSynchronize(CUstream stream) {
  return simt::driver(cudaStreamSynchronize(stream));
}
inline CUresult cuStreamQuery(CUstream stream) { return simt::driver(cudaStreamQuery(stream)); }
inline CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return simt::driver(cudaStreamWaitEvent(stream, event, flags));
}
inline CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return simt::driver(cudaEventCreateWithFlags(event, flags));
}
inline CUresult cuEventDestroy(CUevent event) { return simt::driver(cudaEventDestroy(event)); }
inline CUresult cuEventRecord(CUevent event, CUstream stream) {
  return simt::driver(cudaEventRecord(event, stream));
}
inline CUresult cuEventSynchronize(CUevent event) {
  return simt::driver(cudaEventSynchronize(event));
}
inline CUresult cuEventQuery(CUevent event) { return simt::driver(cudaEventQuery(event)); }
inline CUresult cuEventElapsedTime(float* milliseconds, CUevent from, CUevent to) {
  return simt::driver(cudaEventElapsedTime(milliseconds, from, to));
}
