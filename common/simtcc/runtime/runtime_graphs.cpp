// CUDA graphs: made, looked through, turned into executables, launched.
#include <algorithm>

#include "simtcc/runtime/graphs.h"

using namespace simt;

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

namespace {

cudaError_t list(const Nodes& found, cudaGraphNode_t* nodes, size_t* count) {
  if (!count) return invalid("a list of nodes without a place for their number");
  for (size_t i = 0; nodes && i < *count; ++i) nodes[i] = i < found.size() ? found[i] : nullptr;
  *count = nodes ? std::min(*count, found.size()) : found.size();
  return cudaSuccess;
}

}  // namespace

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

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count) {
  if (!isAlive(graph) || !from != !to) return invalid(__func__);
  Nodes before, behind;
  for (const auto& node : graph->nodes)
    for (CUgraphNode_st* dependency : node->dependencies) {
      before.push_back(dependency);
      behind.push_back(node.get());
    }
  size_t room = count ? *count : 0;
  if (const cudaError_t e = list(before, from, count)) return e;
  return list(behind, to, &room);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         size_t* count) {
  if (!isAlive(node)) return invalid(__func__);
  return list(node->dependencies, dependencies, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* behind,
                                           size_t* count) {
  if (!isAlive(node)) return invalid(__func__);
  Nodes found;
  for (const auto& each : node->graph->nodes)
    if (std::ranges::count(each->dependencies, node) > 0) found.push_back(each.get());
  return list(found, behind, count);
}
// Edges have no data here.
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count) {
  const cudaError_t error = cudaGraphGetEdges(graph, from, to, count);
  if (error == cudaSuccess && data) std::fill_n(data, *count, cudaGraphEdgeData{});
  return error;
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* data, size_t* count) {
  const cudaError_t error = cudaGraphNodeGetDependencies(node, dependencies, count);
  if (error == cudaSuccess && data) std::fill_n(data, *count, cudaGraphEdgeData{});
  return error;
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* behind,
                                           cudaGraphEdgeData* data, size_t* count) {
  const cudaError_t error = cudaGraphNodeGetDependentNodes(node, behind, count);
  if (error == cudaSuccess && data) std::fill_n(data, *count, cudaGraphEdgeData{});
  return error;
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* child) {
  if (!child || !isAlive(node) || node->type != cudaGraphNodeTypeGraph) return invalid(__func__);
  *child = node->child.get();
  return cudaSuccess;
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  if (!node || !isAlive(original) || !isAlive(clone)) return invalid(__func__);
  *node = copyOf(*clone, original);
  return *node ? cudaSuccess : invalid("cudaGraphNodeFindInClone of a node that it does not have");
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
