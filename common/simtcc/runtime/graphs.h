// A CUDA graph: its nodes, and the executable that is made of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simtcc/runtime/runtime_streams.h"

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

using Nodes = std::vector<CUgraphNode_st*>;

inline bool isAlive(cudaGraph_t graph) { return CUgraph_st::isAlive(graph); }
inline bool isAlive(cudaGraphNode_t node) { return CUgraphNode_st::isAlive(node); }
inline bool isAlive(cudaGraphExec_t executable) { return CUgraphExec_st::isAlive(executable); }

// The nodes in an order that their dependencies allow: of those that may come next the first, and
// with SIMT_SCHEDULE=reverse the last. Short of some where they depend on each other in a circle.
Nodes inOrder(const CUgraph_st& graph);

// Adds the nodes of another graph; and the one among them that came of this node, or null.
void copyGraph(CUgraph_st& to, const CUgraph_st& from);
CUgraphNode_st* copyOf(const CUgraph_st& graph, const CUgraphNode_st* original);

// Runs every node that is enabled.
cudaError_t runGraph(const CUgraph_st& graph);

// Which capture the stream is in, or null; and a node behind what it has been asked for so far.
Capture* captureOf(cudaStream_t stream);
CUgraphNode_st* addCaptured(CUstream_st& stream, cudaGraphNodeType type);

}  // namespace simt
