// CUDA graphs: nodes that are made one by one, or captured from streams, and run when launched.
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "simt/memory/arrays.h"
#include "simt/run/executor.h"
#include "simtcc/runtime/runtime_streams.h"
#include "simtcc/runtime/sizes.h"

using simt::Capture;
using simt::failed;

struct CUgraphNode_st : simt::Handle<CUgraphNode_st> {
  CUgraphNode_st(cudaGraphNodeType type_, CUgraph_st* graph_, std::vector<CUgraphNode_st*> behind)
      : type(type_), graph(graph_), dependencies(std::move(behind)) {}
  cudaGraphNodeType type;
  CUgraph_st* graph;
  std::vector<CUgraphNode_st*> dependencies;
  std::function<cudaError_t()> work{};  // of a kernel's node: none
  simt::BoundLaunch kernel{};
  std::shared_ptr<CUgraph_st> child{};
  const CUgraphNode_st* original = nullptr;  // in a copy of a graph: the node that this one is of
  bool enabled = true;
};
struct CUgraph_st : simt::Handle<CUgraph_st> {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<std::shared_ptr<void>> memory{};  // that its nodes allocate

  CUgraphNode_st* add(cudaGraphNodeType type, const std::vector<CUgraphNode_st*>& dependencies) {
    nodes.push_back(std::make_unique<CUgraphNode_st>(type, this, dependencies));
    return nodes.back().get();
  }
};
struct CUgraphExec_st : simt::Handle<CUgraphExec_st> {
  CUgraph_st graph;
};

namespace simt {
namespace {

using Nodes = std::vector<CUgraphNode_st*>;

bool isAlive(cudaGraph_t graph) { return CUgraph_st::isAlive(graph); }
bool isAlive(cudaGraphNode_t node) { return CUgraphNode_st::isAlive(node); }
bool isAlive(cudaGraphExec_t executable) { return CUgraphExec_st::isAlive(executable); }

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

Capture* captureOf(cudaStream_t stream) { return isMade(stream) ? stream->capture : nullptr; }

CUgraphNode_st* addCaptured(CUstream_st& stream, cudaGraphNodeType type) {
  CUgraphNode_st* const node = stream.capture->graph->add(type, stream.last);
  stream.last = {node};
  return node;
}

// The nodes in an order that their dependencies allow: of those that may come next the first, and
// with SIMT_SCHEDULE=reverse the last. Short of some where they depend on each other in a circle.
Nodes inOrder(const CUgraph_st& graph) {
  const bool reverse = settings().schedule.order == Schedule::Order::reverse;
  Nodes left, result;
  for (const auto& node : graph.nodes) left.push_back(node.get());
  if (reverse) std::ranges::reverse(left);
  std::set<const CUgraphNode_st*> done;
  const auto isDone = [&](const CUgraphNode_st* n) { return done.contains(n); };
  for (;;) {
    const auto next = std::ranges::find_if(left, [&](const CUgraphNode_st* n) {
      return std::ranges::all_of(n->dependencies, isDone);
    });
    if (next == left.end()) return result;
    result.push_back(*next);
    done.insert(*next);
    left.erase(next);
  }
}

void copyGraph(CUgraph_st& to, const CUgraph_st& from) {
  std::map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  for (const auto& node : from.nodes) {
    to.nodes.push_back(std::make_unique<CUgraphNode_st>(*node));
    CUgraphNode_st* const copy = to.nodes.back().get();
    copies[node.get()] = copy;
    copy->graph = &to;
    copy->original = node.get();
  }
  for (const auto& node : to.nodes)
    for (CUgraphNode_st*& dependency : node->dependencies) dependency = copies.at(dependency);
  to.memory = from.memory;
}

CUgraphNode_st* copyOf(const CUgraph_st& graph, const CUgraphNode_st* original) {
  for (const auto& node : graph.nodes)
    if (node->original == original) return node.get();
  return nullptr;
}

cudaError_t runGraph(const CUgraph_st& graph) {
  for (const CUgraphNode_st* node : inOrder(graph)) {
    if (!node->enabled) continue;
    cudaError_t error = cudaSuccess;
    if (node->child) {
      error = runGraph(*node->child);
    } else if (node->kernel.stored) {
      Configuration configuration = node->kernel.configuration;
      configuration.stream = nullptr;
      node->kernel.stored->launch(configuration);
      error = cudaPeekAtLastError();
    } else if (node->work) {
      error = node->work();
    }
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// A new node; null, with the error set, where the graph or a dependency is none of it.
CUgraphNode_st* addNode(cudaGraphNode_t* node, cudaGraph_t graph,
                        const cudaGraphNode_t* dependencies, size_t count, cudaGraphNodeType type,
                        const char* call) {
  Nodes all;
  for (size_t i = 0; dependencies && i < count; ++i) all.push_back(dependencies[i]);
  const bool ofThisGraph =
      std::ranges::all_of(all, [&](CUgraphNode_st* n) { return isAlive(n) && n->graph == graph; });
  if (!node || !isAlive(graph) || !ofThisGraph || (count > 0 && !dependencies)) {
    invalid(call);
    return nullptr;
  }
  return *node = graph->add(type, all);
}

cudaError_t setKernel(CUgraphNode_st& node, const cudaKernelNodeParams& p, const char* call) {
  return bindByAddress(node.kernel, p.func, p.kernelParams,
                       {p.gridDim, p.blockDim, p.sharedMemBytes, false, nullptr}, call);
}
cudaError_t setCopy(CUgraphNode_st& node, const cudaMemcpy3DParms& p) {
  node.work = [p] { return copyNow3D(&p); };
  return cudaSuccess;
}
cudaError_t setFill(CUgraphNode_st& node, const cudaMemsetParams& p, const char* call) {
  if ((p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4) || p.width == 0)
    return failed(cudaErrorInvalidValue,
                  std::string(call) + ": elements of 1, 2 or 4 bytes, and a width that is not 0");
  node.work = [p] {
    for (size_t row = 0; row < p.height; ++row)
      if (const cudaError_t e = fillNow(static_cast<char*>(p.dst) + Size(row) * Size(p.pitch),
                                        p.value, p.elementSize, p.width))
        return e;
    return cudaSuccess;
  };
  return cudaSuccess;
}
cudaError_t setFunction(CUgraphNode_st& node, const cudaHostNodeParams& p, const char* call) {
  if (!p.fn) return invalid(std::string(call) + " of no function");
  node.work = [p] {
    p.fn(p.userData);
    return cudaSuccess;
  };
  return cudaSuccess;
}

// A node of a graph, or the one of an executable that came of it, that is of the type.
CUgraphNode_st* nodeOf(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type) {
  CUgraphNode_st* const here =
      isAlive(executable) && isAlive(node) ? copyOf(executable->graph, node) : nullptr;
  return here && here->type == type ? here : nullptr;
}
CUgraphNode_st* nodeOf(cudaGraphNode_t node, cudaGraphNodeType type) {
  return isAlive(node) && node->type == type ? node : nullptr;
}

cudaError_t list(const Nodes& found, cudaGraphNode_t* nodes, size_t* count) {
  if (!count) return invalid("a list of nodes without a place for their number");
  for (size_t i = 0; nodes && i < *count; ++i) nodes[i] = i < found.size() ? found[i] : nullptr;
  *count = nodes ? std::min(*count, found.size()) : found.size();
  return cudaSuccess;
}

}  // namespace

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

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  if (!graph) return invalid(__func__);
  *graph = new CUgraph_st;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (!isAlive(graph)) return invalid("cudaGraphDestroy of no graph");
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  if (!clone || !isAlive(graph)) return invalid("cudaGraphClone of no graph");
  *clone = new CUgraph_st;
  copyGraph(**clone, *graph);
  return cudaSuccess;
}

#define SIMT_NODE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before, size_t n
#define SIMT_ADD(type)                                                    \
  CUgraphNode_st* const added =                                           \
      addNode(node, graph, before, n, cudaGraphNodeType##type, __func__); \
  if (!added) return cudaErrorInvalidValue
// A node with parameters: not there where they are wrong.
#define SIMT_ADD_SET(type, ...)          \
  if (!p) return invalid(__func__);      \
  SIMT_ADD(type);                        \
  const cudaError_t error = __VA_ARGS__; \
  if (error != cudaSuccess) {            \
    cudaGraphDestroyNode(added);         \
    *node = nullptr;                     \
  }                                      \
  return error

cudaError_t cudaGraphAddKernelNode(SIMT_NODE, const cudaKernelNodeParams* p) {
  SIMT_ADD_SET(Kernel, setKernel(*added, *p, __func__));
}
cudaError_t cudaGraphAddMemcpyNode(SIMT_NODE, const cudaMemcpy3DParms* p) {
  SIMT_ADD_SET(Memcpy, setCopy(*added, *p));
}
cudaError_t cudaGraphAddMemcpyNode1D(SIMT_NODE, void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind) {
  SIMT_ADD(Memcpy);
  added->work = [=] { return copyNow(to, from, bytes, kind); };
  return cudaSuccess;
}
cudaError_t cudaGraphAddMemsetNode(SIMT_NODE, const cudaMemsetParams* p) {
  SIMT_ADD_SET(Memset, setFill(*added, *p, __func__));
}
cudaError_t cudaGraphAddHostNode(SIMT_NODE, const cudaHostNodeParams* p) {
  SIMT_ADD_SET(Host, setFunction(*added, *p, __func__));
}
cudaError_t cudaGraphAddChildGraphNode(SIMT_NODE, cudaGraph_t child) {
  if (!isAlive(child)) return invalid("cudaGraphAddChildGraphNode of no graph");
  SIMT_ADD(Graph);
  added->child = std::make_shared<CUgraph_st>();
  copyGraph(*added->child, *child);
  return cudaSuccess;
}
cudaError_t cudaGraphAddEmptyNode(SIMT_NODE) {
  SIMT_ADD(Empty);
  return cudaSuccess;
}
cudaError_t cudaGraphAddEventRecordNode(SIMT_NODE, cudaEvent_t event) {
  if (!CUevent_st::isAlive(event)) return invalid(__func__);
  SIMT_ADD(EventRecord);
  added->work = [event] { return cudaEventRecord(event); };
  return cudaSuccess;
}
cudaError_t cudaGraphAddEventWaitNode(SIMT_NODE, cudaEvent_t event) {
  if (!CUevent_st::isAlive(event)) return invalid(__func__);
  SIMT_ADD(WaitEvent);
  return cudaSuccess;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  if (!isAlive(graph) || (count > 0 && (!from || !to))) return invalid(__func__);
  for (size_t i = 0; i < count; ++i) {
    if (!isAlive(from[i]) || !isAlive(to[i]) || from[i]->graph != graph || to[i]->graph != graph)
      return invalid("cudaGraphAddDependencies of nodes of another graph");
    to[i]->dependencies.push_back(from[i]);
  }
  return cudaSuccess;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
  return cudaGraphAddDependencies(graph, from, to, count);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  if (!isAlive(node)) return invalid("cudaGraphDestroyNode of no node");
  CUgraph_st& graph = *node->graph;
  for (const auto& each : graph.nodes) std::erase(each->dependencies, node);
  std::erase_if(graph.nodes, [&](const auto& each) { return each.get() == node; });
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* p) {
  CUgraphNode_st* const here = nodeOf(node, cudaGraphNodeTypeKernel);
  if (!here || !p) return invalid("cudaGraphKernelNodeGetParams");
  const Configuration& c = here->kernel.configuration;
  const StoredLaunch& stored = *here->kernel.stored;
  *p = {const_cast<void*>(stored.kernel),
        c.grid,
        c.block,
        unsigned(c.shared),
        stored.arguments,
        nullptr};
  return cudaSuccess;
}
// Parameters of a node of a graph, and of the same one in an executable.
#define SIMT_SET(Type, Parameters, ...)                                                            \
  cudaError_t cudaGraph##Type##NodeSetParams(cudaGraphNode_t node, const Parameters* p) {          \
    CUgraphNode_st* const here = nodeOf(node, cudaGraphNodeType##Type);                            \
    return here && p ? __VA_ARGS__ : invalid(__func__);                                            \
  }                                                                                                \
  cudaError_t cudaGraphExec##Type##NodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, \
                                                 const Parameters* p) {                            \
    CUgraphNode_st* const here = nodeOf(executable, node, cudaGraphNodeType##Type);                \
    return here && p ? __VA_ARGS__ : invalid(__func__);                                            \
  }
SIMT_SET(Kernel, cudaKernelNodeParams, setKernel(*here, *p, __func__))
SIMT_SET(Memcpy, cudaMemcpy3DParms, setCopy(*here, *p))
SIMT_SET(Memset, cudaMemsetParams, setFill(*here, *p, __func__))
SIMT_SET(Host, cudaHostNodeParams, setFunction(*here, *p, __func__))
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned enabled) {
  CUgraphNode_st* const here =
      isAlive(executable) && isAlive(node) ? copyOf(executable->graph, node) : nullptr;
  if (!here) return invalid(__func__);
  here->enabled = enabled != 0;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  if (!type || !isAlive(node)) return invalid(__func__);
  *type = node->type;
  return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (!isAlive(graph)) return invalid(__func__);
  Nodes found;
  for (const auto& node : graph->nodes) found.push_back(node.get());
  return list(found, nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (!isAlive(graph)) return invalid(__func__);
  Nodes found;
  for (const auto& node : graph->nodes)
    if (node->dependencies.empty()) found.push_back(node.get());
  return list(found, nodes, count);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  if (!executable || !isAlive(graph)) return invalid("cudaGraphInstantiate of no graph");
  if (inOrder(*graph).size() != graph->nodes.size())
    return invalid("cudaGraphInstantiate of a graph whose nodes wait for each other");
  *executable = new CUgraphExec_st;
  copyGraph((*executable)->graph, *graph);
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  if (!isAlive(executable)) return invalid(__func__);
  return checkStream(stream, __func__);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (!isAlive(executable)) return invalid("cudaGraphLaunch of no graph");
  if (const cudaError_t e = checkStream(stream, __func__)) return e;
  if (!captureOf(stream)) return runGraph(executable->graph);
  const auto child = std::make_shared<CUgraph_st>();
  copyGraph(*child, executable->graph);
  addCaptured(*stream, cudaGraphNodeTypeGraph)->child = child;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  if (!isAlive(executable)) return invalid("cudaGraphExecDestroy of no graph");
  delete executable;
  return cudaSuccess;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  if (!isAlive(executable) || !isAlive(graph)) return invalid("cudaGraphExecUpdate of no graph");
  const auto refuse = [&](cudaGraphExecUpdateResult why, CUgraphNode_st* node) {
    if (result) *result = {why, node, nullptr};
    return failed(cudaErrorGraphExecUpdateFailure,
                  "cudaGraphExecUpdate of a graph that is made in another way");
  };
  const auto& now = executable->graph.nodes;
  if (now.size() != graph->nodes.size())
    return refuse(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
  const auto position = [](const auto& nodes, const CUgraphNode_st* node) {
    return std::ranges::find(nodes, node, [](const auto& n) { return n.get(); }) - nodes.begin();
  };
  for (size_t i = 0; i < now.size(); ++i) {
    CUgraphNode_st* const node = graph->nodes[i].get();
    if (now[i]->type != node->type) return refuse(cudaGraphExecUpdateErrorNodeTypeChanged, node);
    if (!std::ranges::equal(
            now[i]->dependencies, node->dependencies, {},
            [&](const CUgraphNode_st* n) { return position(now, n); },
            [&](const CUgraphNode_st* n) { return position(graph->nodes, n); }))
      return refuse(cudaGraphExecUpdateErrorTopologyChanged, node);
  }
  if (result) *result = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  CUgraph_st updated;
  copyGraph(updated, *graph);
  for (size_t i = 0; i < now.size(); ++i) {
    updated.nodes[i]->original = now[i]->original;
    updated.nodes[i]->graph = &executable->graph;
    updated.nodes[i]->enabled = now[i]->enabled;
  }
  executable->graph = std::move(updated);
  return cudaSuccess;
}
