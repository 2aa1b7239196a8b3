#include "simtcc/runtime/graphs.h"

#include <algorithm>
#include <map>
#include <set>

#include "simt/run/executor.h"

namespace simt {

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
      error = errorOf([&] { node->kernel.stored->launch(configuration); });
    } else if (node->work) {
      error = node->work();
    }
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace simt
