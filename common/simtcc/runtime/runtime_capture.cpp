// Streams that are captured: what they are asked for becomes nodes of a graph.
#include <algorithm>

#include "simt/memory/arrays.h"
#include "simt/run/executor.h"
#include "simtcc/runtime/graphs.h"
#include "simtcc/runtime/managed_pages.h"

using simt::Capture;
using simt::failed;

namespace simt {
namespace {

// Those that go on. Events may still name one that has ended.
std::vector<Capture*>& captures() {
  static auto& all = *new std::vector<Capture*>;
  return all;
}
Capture* newCapture(CUstream_st* origin, bool relaxed) {
  static auto& ever = *new std::vector<std::unique_ptr<Capture>>;
  ever.push_back(std::make_unique<Capture>(Capture{origin, new CUgraph_st, relaxed, {origin}}));
  captures().push_back(ever.back().get());
  return ever.back().get();
}

}  // namespace

Capture* captureOf(cudaStream_t stream) { return isMade(stream) ? stream->capture : nullptr; }

CUgraphNode_st* addCaptured(CUstream_st& stream, cudaGraphNodeType type) {
  CUgraphNode_st* const node = stream.capture->graph->add(type, stream.last);
  stream.last = {node};
  return node;
}

bool isCaptured(CUstream_st* stream) {
  if (!stream || stream == cudaStreamLegacy) checkImplicit("a launch in the default stream");
  return captureOf(stream) != nullptr;
}

void captureLaunch(StoredLaunch* launch, const Configuration& configuration) {
  captureLaunch(BoundLaunch{std::shared_ptr<StoredLaunch>(launch), configuration});
}
void captureLaunch(const BoundLaunch& launch) {
  CUgraphNode_st* const node = addCaptured(*launch.configuration.stream, cudaGraphNodeTypeKernel);
  node->kernel = launch;
}

cudaError_t inStream(cudaStream_t stream, cudaGraphNodeType type,
                     std::function<cudaError_t()> work) {
  if (const cudaError_t e = checkStream(stream, "a call")) return e;
  if (!captureOf(stream)) return work();
  addCaptured(*stream, type)->work = std::move(work);
  return cudaSuccess;
}

cudaError_t allocateInStream(void** array, size_t bytes, const ArrayName& name,
                             cudaStream_t stream) {
  if (const cudaError_t e = checkStream(stream, "cudaMallocAsync")) return e;
  const cudaError_t error = allocateNow(array, bytes, name);
  if (error != cudaSuccess || !captureOf(stream)) return error;
  void* const memory = *array;
  stream->capture->graph->memory.emplace_back(memory, cudaFree);
  addCaptured(*stream, cudaGraphNodeTypeMemAlloc)->work = [memory, bytes] {
    markUnwritten(memory, bytes);
    return cudaSuccess;
  };
  return cudaSuccess;
}
cudaError_t allocateFromPool(void** array, size_t bytes, const ArrayName& name, cudaMemPool_t pool,
                             cudaStream_t stream) {
  if (const cudaError_t e = checkPool(pool, "cudaMallocFromPoolAsync")) return e;
  return allocateInStream(array, bytes, name, stream);
}
cudaError_t attachInStream(cudaStream_t stream, const void* array) {
  const DeviceMemory* const memory = deviceMemoryAt(array);
  if (!memory || memory->type != cudaMemoryTypeManaged)
    return invalid("cudaStreamAttachMemAsync of what is not managed memory");
  return checkStream(stream, "cudaStreamAttachMemAsync");
}
cudaError_t freeInStream(void* array, cudaStream_t stream) {
  if (const cudaError_t e = checkStream(stream, "cudaFreeAsync")) return e;
  if (!captureOf(stream)) return cudaFree(array);
  CUgraphNode_st* const node = addCaptured(*stream, cudaGraphNodeTypeMemFree);
  const auto ofGraph = [&](const std::shared_ptr<void>& m) { return m.get() == array; };
  if (std::ranges::none_of(stream->capture->graph->memory, ofGraph))
    node->work = [array] { return cudaFree(array); };
  return cudaSuccess;
}

bool recordCaptured(cudaEvent_t event, cudaStream_t stream) {
  event->capture = captureOf(stream);
  if (event->capture) event->behind = stream->last;
  return event->capture != nullptr;
}

bool waitCaptured(cudaStream_t stream, cudaEvent_t event) {
  if (!event->capture || std::ranges::count(captures(), event->capture) == 0) return false;
  if (!isMade(stream) || (stream->capture && stream->capture != event->capture)) {
    failed(cudaErrorStreamCaptureMerge, "cudaStreamWaitEvent of an event of another capture");
    event->capture->broken = true;
    return true;
  }
  if (!stream->capture) {
    stream->capture = event->capture;
    stream->last.clear();
    stream->capture->streams.push_back(stream);
  }
  for (CUgraphNode_st* node : event->behind)
    if (std::ranges::count(stream->last, node) == 0) stream->last.push_back(node);
  return true;
}

void leaveCapture(CUstream_st& stream) {
  Capture* const capture = stream.capture;
  if (!capture) return;
  capture->broken = true;
  std::erase(capture->streams, &stream);
  if (capture->origin != &stream) return;
  std::erase(captures(), capture);
  for (CUstream_st* each : capture->streams) each->capture = nullptr;
  delete capture->graph;
}

cudaError_t checkWaiting(cudaStream_t stream, const char* call) {
  const RuntimeLock locked;
  if (const cudaError_t e = checkStream(stream, call)) return e;
  for (Capture* capture : captures()) {
    if (isMade(stream) ? stream->capture != capture : capture->relaxed) continue;
    capture->broken = true;
    return failed(cudaErrorStreamCaptureUnsupported,
                  std::string(call) + " while a stream is captured");
  }
  managedIsWaitedFor();
  return cudaSuccess;
}

cudaError_t checkImplicit(const char* call) {
  for (Capture* capture : captures()) {
    if (capture->origin->flags & cudaStreamNonBlocking) continue;
    capture->broken = true;
    return failed(cudaErrorStreamCaptureImplicit,
                  std::string(call) + ", which waits for a stream that is captured");
  }
  return cudaSuccess;
}

}  // namespace simt

using namespace simt;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (const cudaError_t e = checkStream(stream, __func__)) return e;
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
    return invalid("cudaStreamBeginCapture in no mode");
  if (!isMade(stream))
    return failed(cudaErrorStreamCaptureUnsupported,
                  "cudaStreamBeginCapture of the default stream");
  if (stream->capture)
    return failed(cudaErrorIllegalState, "cudaStreamBeginCapture of a stream that is captured");
  stream->capture = newCapture(stream, mode == cudaStreamCaptureModeRelaxed);
  stream->last.clear();
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (!graph) return invalid(__func__);
  if (const cudaError_t e = checkStream(stream, __func__)) return e;
  Capture* const capture = captureOf(stream);
  if (!capture) return failed(cudaErrorIllegalState, "cudaStreamEndCapture without a beginning");
  if (capture->origin != stream) {
    capture->broken = true;
    return failed(cudaErrorStreamCaptureUnmatched,
                  "cudaStreamEndCapture of another stream than the capture began with");
  }
  *graph = capture->graph;
  // Each node has one behind it, or the stream that ends has seen it.
  Nodes open;
  for (const auto& node : capture->graph->nodes) open.push_back(node.get());
  for (const auto& node : capture->graph->nodes)
    for (const CUgraphNode_st* dependency : node->dependencies) std::erase(open, dependency);
  for (const CUgraphNode_st* node : stream->last) std::erase(open, node);
  const bool broken = capture->broken;
  std::erase(captures(), capture);
  for (CUstream_st* each : capture->streams) each->capture = nullptr;
  if (broken || !open.empty()) {
    delete *graph;
    *graph = nullptr;
  }
  if (broken)
    return failed(cudaErrorStreamCaptureInvalidated,
                  "cudaStreamEndCapture after a call that a capture does not allow");
  if (!open.empty())
    return failed(cudaErrorStreamCaptureUnjoined,
                  "cudaStreamEndCapture, but another stream's work is not waited for");
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (!status) return invalid(__func__);
  if (const cudaError_t e = checkStream(stream, __func__)) return e;
  const Capture* const capture = captureOf(stream);
  *status = !capture          ? cudaStreamCaptureStatusNone
            : capture->broken ? cudaStreamCaptureStatusInvalidated
                              : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, size_t* count) {
  if (const cudaError_t e = cudaStreamIsCapturing(stream, status)) return e;
  const Capture* const capture = captureOf(stream);
  if (!capture || capture->broken) return cudaSuccess;
  if (id) *id = reinterpret_cast<uintptr_t>(capture);
  if (graph) *graph = capture->graph;
  if (dependencies) *dependencies = stream->last.data();
  if (count) *count = stream->last.size();
  return cudaSuccess;
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** data, size_t* count) {
  if (data) *data = nullptr;
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, count);
}
// Of which calls it forbids: here those of the stream's own mode, in every thread.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  static thread_local cudaStreamCaptureMode ofThread = cudaStreamCaptureModeGlobal;
  if (!mode) return invalid(__func__);
  std::swap(*mode, ofThread);
  return cudaSuccess;
}
