// Kernels in CUDA's runtime interface: part of cuda_runtime_api.h.
#pragma once

#include <utility>

#include "driver_types.h"
#include "simtcc/runtime/configured_launch.h"

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);

// Kernels by address, their attributes, and how many blocks a multiprocessor takes (by threads and
// shared memory: the executor knows no registers).
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared = 0, cudaStream_t stream = nullptr);
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared = 0, cudaStream_t stream = nullptr);
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                          int blockSize, size_t shared);
cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache config);

// Launches with attributes: those of cooperative launches and of clusters are known, others mean
// nothing here.
enum cudaAccessProperty {
  cudaAccessPropertyNormal,
  cudaAccessPropertyStreaming,
  cudaAccessPropertyPersisting
};
struct cudaAccessPolicyWindow {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;
  cudaAccessProperty hitProp, missProp;
};
enum cudaSynchronizationPolicy {
  cudaSyncPolicyAuto = 1,
  cudaSyncPolicySpin,
  cudaSyncPolicyYield,
  cudaSyncPolicyBlockingSync
};
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributePriority = 8
};
union cudaLaunchAttributeValue {
  char pad[64];
  cudaAccessPolicyWindow accessPolicyWindow;
  cudaSynchronizationPolicy syncPolicy;
  int cooperative, priority, programmaticStreamSerializationAllowed;
  struct {
    unsigned x, y, z;
  } clusterDim;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};
// Attributes of streams and of nodes: what they say about caches means nothing here.
using cudaStreamAttrID = cudaLaunchAttributeID;
using cudaStreamAttrValue = cudaLaunchAttributeValue;
using cudaKernelNodeAttrID = cudaLaunchAttributeID;
using cudaKernelNodeAttrValue = cudaLaunchAttributeValue;
constexpr cudaLaunchAttributeID cudaStreamAttributeAccessPolicyWindow =
                                    cudaLaunchAttributeAccessPolicyWindow,
                                cudaStreamAttributeSynchronizationPolicy =
                                    cudaLaunchAttributeSynchronizationPolicy,
                                cudaKernelNodeAttributeAccessPolicyWindow =
                                    cudaLaunchAttributeAccessPolicyWindow;
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value);
cudaError_t cudaCtxResetPersistingL2Cache();
cudaError_t cudaInitDevice(int device, unsigned deviceFlags, unsigned flags);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id);

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, const void* kernel,
                                void** arguments);
template <typename... P, typename... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* configuration, void (*kernel)(P...),
                               A&&... arguments) {
  simt::Arguments<P...> values(simt::FromArguments(), std::forward<A>(arguments)...);
  cudaError_t error = cudaSuccess;
  values.passTo([&](auto&... each) {
    void* pointers[sizeof...(P) + 1] = {(void*)&each...};
    error = cudaLaunchKernelExC(configuration, simt::kernelAddress(kernel), pointers);
  });
  return error;
}

template <typename... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                             size_t shared = 0, cudaStream_t stream = nullptr) {
  return cudaLaunchKernel(simt::kernelAddress(kernel), grid, block, arguments, shared, stream);
}
template <typename... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                        void** arguments, size_t shared = 0,
                                        cudaStream_t stream = nullptr) {
  return cudaLaunchCooperativeKernel(simt::kernelAddress(kernel), grid, block, arguments, shared,
                                     stream);
}
template <typename... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(simt::kernelAddress(kernel), attribute, value);
}
template <typename... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(P...)) {
  return cudaFuncGetAttributes(attributes, simt::kernelAddress(kernel));
}
template <typename... P>
cudaError_t cudaFuncSetCacheConfig(void (*kernel)(P...), cudaFuncCache config) {
  return cudaFuncSetCacheConfig(simt::kernelAddress(kernel), config);
}
template <typename... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(P...),
                                                          int blockSize, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, simt::kernelAddress(kernel),
                                                       blockSize, shared);
}
template <typename K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, K kernel,
                                                                   int blockSize, size_t shared,
                                                                   unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, blockSize, shared);
}
template <typename K>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, K, const cudaLaunchConfig_t* c) {
  *blocks = 8;
  return c ? cudaSuccess : cudaErrorInvalidValue;
}
template <typename K>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, K kernel, const cudaLaunchConfig_t* c) {
  unsigned blocks = 1;
  int multiprocessors = 1;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  for (unsigned i = 0; i < c->numAttrs; ++i)
    if (const auto& [x, y, z] = c->attrs[i].val.clusterDim;
        c->attrs[i].id == cudaLaunchAttributeClusterDimension)
      blocks = x * y * z;
  const int threads = int(c->blockDim.x * c->blockDim.y * c->blockDim.z);
  const cudaError_t error =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(clusters, kernel, threads, c->dynamicSmemBytes);
  *clusters = *clusters * multiprocessors / int(blocks);
  return error;
}
template <typename K, typename SharedOf>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, K kernel,
                                                           SharedOf sharedOf, int limit = 0) {
  if (!grid || !block) return cudaErrorInvalidValue;
  int best = 0, multiprocessors = 1;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  const int largest = limit > 0 && limit < 1024 ? limit : 1024;
  for (int size = largest; size > 0; size -= size % 32 == 0 ? 32 : size % 32) {
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, sharedOf(size));
    if (blocks * size <= best) continue;
    best = blocks * size;
    *block = size;
    *grid = blocks * multiprocessors;
  }
  return best > 0 ? cudaSuccess : cudaErrorInvalidValue;
}
template <typename K>
cudaError_t cudaFuncSetSharedMemConfig(K, cudaSharedMemConfig) {
  return cudaSuccess;
}
template <typename K>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, K kernel, size_t shared = 0,
                                               int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid, block, kernel, [=](int) { return shared; }, limit);
}
template <typename K>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, K kernel,
                                                        size_t shared = 0, int limit = 0,
                                                        unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, shared, limit);
}
// The dynamic shared memory that each of so many blocks of a multiprocessor can have.
template <typename K>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared, K, int blocks, int) {
  if (!shared || blocks < 1 || blocks > 32) return cudaErrorInvalidValue;
  *shared = 228 * 1024 / size_t(blocks) - 1024;
  return cudaSuccess;
}
