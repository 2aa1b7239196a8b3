// Calls with a stream: at once, or as nodes of the graph that the stream is captured into.
#include "simtcc/runtime/runtime_streams.h"

using namespace simt;

cudaError_t simt::copyToSymbolAsync(void* symbol, size_t size, size_t offset, const void* from,
                                    size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return inStream(stream, cudaGraphNodeTypeMemcpy,
                  [=] { return copyToSymbol(symbol, size, offset, from, bytes, kind); });
}
cudaError_t simt::copyFromSymbolAsync(void* to, const void* symbol, size_t size, size_t offset,
                                      size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return inStream(stream, cudaGraphNodeTypeMemcpy,
                  [=] { return copyFromSymbol(to, symbol, size, offset, bytes, kind); });
}
cudaError_t cudaFreeAsync(void* array, cudaStream_t stream) { return freeInStream(array, stream); }
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return inStream(stream, cudaGraphNodeTypeMemcpy, [=] { return copyNow(to, from, bytes, kind); });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice,
                                size_t bytes, cudaStream_t stream) {
  if (const cudaError_t e = checkPeers(toDevice, fromDevice)) return e;
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return inStream(stream, cudaGraphNodeTypeMemcpy,
                  [=] { return cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind); });
}
cudaError_t cudaMemsetAsync(void* array, int value, size_t bytes, cudaStream_t stream) {
  return inStream(stream, cudaGraphNodeTypeMemset, [=] { return cudaMemset(array, value, bytes); });
}
cudaError_t cudaMemset2DAsync(void* array, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return inStream(stream, cudaGraphNodeTypeMemset,
                  [=] { return cudaMemset2D(array, pitch, value, width, height); });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream) {
  return inStream(stream, cudaGraphNodeTypeMemcpy,
                  [copy = copy ? *copy : cudaMemcpy3DParms{}] { return copyNow3D(&copy); });
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr array, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return inStream(stream, cudaGraphNodeTypeMemset,
                  [=] { return cudaMemset3D(array, value, extent); });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return inStream(stream, cudaGraphNodeTypeMemcpy,
                  [=] { return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind); });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return inStream(stream, cudaGraphNodeTypeMemcpy, [=] {
    return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
  });
}
cudaError_t cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, size_t bytes) {
  if (const cudaError_t e = checkPeers(toDevice, fromDevice)) return e;
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, 0); }
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}

// Attributes mean nothing here.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID,
                                   const cudaLaunchAttributeValue* value) {
  return value ? checkStream(stream, __func__) : invalid(__func__);
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID,
                                   cudaLaunchAttributeValue* value) {
  if (!value) return invalid(__func__);
  *value = {};
  return checkStream(stream, __func__);
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  if (const cudaError_t e = checkStream(to, __func__)) return e;
  return checkStream(from, __func__);
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID,
                                            const cudaLaunchAttributeValue* value) {
  return node && value ? cudaSuccess : invalid(__func__);
}
cudaError_t cudaCtxResetPersistingL2Cache() { return simt::brokenDevice(); }
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  if (!device) return invalid(__func__);
  *device = 0;
  return checkStream(stream, __func__);
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  if (!id) return invalid(__func__);
  *id = reinterpret_cast<uintptr_t>(stream);
  return checkStream(stream, __func__);
}
