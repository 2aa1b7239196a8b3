// Nodes of graphs, made one by one, and their parameters.
#include <algorithm>
#include <fstream>

#include "simt/memory/arrays.h"
#include "simt/run/executor.h"
#include "simtcc/runtime/graphs.h"
#include "simtcc/runtime/sizes.h"

namespace simt {
namespace {

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
cudaError_t setCopy(CUgraphNode_st& node, void* to, const void* from, size_t bytes,
                    cudaMemcpyKind kind) {
  node.work = [=] { return copyNow(to, from, bytes, kind); };
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

}  // namespace
}  // namespace simt

using namespace simt;

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
  return setCopy(*added, to, from, bytes, kind);
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
cudaError_t cudaGraphAddMemAllocNode(SIMT_NODE, cudaMemAllocNodeParams* p) {
  if (!p) return invalid(__func__);
  SIMT_ADD(MemAlloc);
  const size_t bytes = p->bytesize;
  void* memory = nullptr;
  if (const cudaError_t e = allocateNow(&memory, bytes, {"array", 1})) {
    cudaGraphDestroyNode(added);
    *node = nullptr;
    return e;
  }
  graph->memory.emplace_back(memory, cudaFree);
  added->work = [memory, bytes] {
    markUnwritten(memory, bytes);
    return cudaSuccess;
  };
  p->dptr = memory;
  return cudaSuccess;
}
cudaError_t cudaGraphAddMemFreeNode(SIMT_NODE, void* array) {
  SIMT_ADD(MemFree);
  const auto isIt = [&](const std::shared_ptr<void>& memory) { return memory.get() == array; };
  if (std::ranges::none_of(graph->memory, isIt)) added->work = [array] { return cudaFree(array); };
  return cudaSuccess;
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  if (!isAlive(graph) || !path) return invalid(__func__);
  std::ofstream file(path);
  file << "digraph graph_1 {\n";
  for (size_t i = 0; i < graph->nodes.size(); ++i) {
    file << "  n" << i << " [label=\"node " << i << ", type " << graph->nodes[i]->type << "\"];\n";
    for (const CUgraphNode_st* before : graph->nodes[i]->dependencies)
      file << "  n"
           << std::ranges::find(graph->nodes, before, &std::unique_ptr<CUgraphNode_st>::get) -
                  graph->nodes.begin()
           << " -> n" << i << ";\n";
  }
  file << "}\n" << std::flush;
  return file ? cudaSuccess
              : failed(cudaErrorOperatingSystem, std::string(__func__) + " into " + path);
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
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
  if (!isAlive(graph) || (count > 0 && (!from || !to))) return invalid(__func__);
  for (size_t i = 0; i < count; ++i)
    if (!isAlive(to[i]) || to[i]->graph != graph || std::erase(to[i]->dependencies, from[i]) == 0)
      return invalid("cudaGraphRemoveDependencies of nodes that do not depend on each other");
  return cudaSuccess;
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, count);
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
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  CUgraphNode_st* const here = nodeOf(node, cudaGraphNodeTypeMemcpy);
  return here ? setCopy(*here, to, from, bytes, kind) : invalid(__func__);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* to, const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  CUgraphNode_st* const here = nodeOf(executable, node, cudaGraphNodeTypeMemcpy);
  return here ? setCopy(*here, to, from, bytes, kind) : invalid(__func__);
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  CUgraphNode_st* const here = nodeOf(executable, node, cudaGraphNodeTypeGraph);
  if (!here || !isAlive(child)) return invalid(__func__);
  here->child = std::make_shared<CUgraph_st>();
  copyGraph(*here->child, *child);
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned* enabled) {
  const CUgraphNode_st* const here =
      isAlive(executable) && isAlive(node) ? copyOf(executable->graph, node) : nullptr;
  if (!here || !enabled) return invalid(__func__);
  *enabled = here->enabled;
  return cudaSuccess;
}
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
