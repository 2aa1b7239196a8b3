// Sums that need a GPU: clusters, a second launch that begins early, and a graph of the two
// launches. Each leaves the sum on the device and returns where, for one device and one stream, as
// those of whole_sum.h. GPU only.
#pragma once

#include "measure/step.h"
#include "sums.h"

// atomicPerCluster of cluster.cuh with these rounds and loads, in launches_kernels.cu.
using ClusterKernel = void (*)(const int* data, size_t n, unsigned long long* total,
                               unsigned long long* nextTotal);
ClusterKernel clusterKernel(const AtomicShape& shape);
unsigned blocksOfCluster();

template <typename... Parameters, typename... Arguments>
void launchWith(cudaLaunchAttribute attribute, dim3 grid, dim3 block, void (*kernel)(Parameters...),
                Arguments... arguments) {
  cudaLaunchConfig_t launch = {};
  launch.gridDim = grid;
  launch.blockDim = block;
  launch.attrs = &attribute;
  launch.numAttrs = 1;
  CUDA_CHECK(cudaLaunchKernelEx(&launch, kernel, Parameters(arguments)...));
}

// True when this GPU, and what this program was compiled for, have clusters and launches that begin
// early: Hopper and later.
inline bool hopperLaunchesWork() {
  return compiledFor(reinterpret_cast<const void*>(clusterKernel(atomicPerBlockShape(0))), 90);
}

inline const long long* atomicPerClusterSum(const int* data, size_t n) {
  static AlternatingTotals totals;
  unsigned long long* const total = totals.next();
  const AtomicShape shape = atomicPerBlockShape(n);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {blocksOfCluster(), 1, 1};
  launchWith(attribute,
             dim3(unsigned(blocksFor(shape.blocks, blocksOfCluster())) * blocksOfCluster()),
             dim3(shape.threads), clusterKernel(shape), data, n, total, totals.other());
  return reinterpret_cast<const long long*>(total);
}

// The second launch may begin while the first still runs.
inline const long long* twoLaunchesOneEarly(LaunchSums& sums, const int* data, size_t n) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  return sums.twoLaunches({}, data, n, [&](auto kernel, auto... arguments) {
    launchWith(attribute, dim3(1), dim3(LaunchSums::secondBlock), kernel, arguments...);
  });
}

// The two launches of one sum as a graph, to be launched as often as one likes: always of the same
// elements, to the same place. Owns what it needs.
class SumGraph {
 public:
  SumGraph(const int* data, size_t n) {
    Streams streams(1);
    sums_.twoLaunches(data, n);  // makes room for the totals, which a capture must not
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(streams[0].handle, cudaStreamCaptureModeThreadLocal));
    total_ = sums_.twoLaunches(streams[0], data, n, [&](auto kernel, auto... arguments) {
      launch(streams[0], dim3(1), dim3(LaunchSums::secondBlock), kernel, arguments...);
    });
    CUDA_CHECK(cudaStreamEndCapture(streams[0].handle, &graph));
    const cudaError_t status = cudaGraphInstantiate(&executable_, graph, 0);
    cudaGraphDestroy(graph);
    CUDA_CHECK(status);
    CUDA_CHECK(cudaGraphUpload(executable_, nullptr));
  }
  ~SumGraph() { cudaGraphExecDestroy(executable_); }
  SumGraph(const SumGraph&) = delete;
  SumGraph& operator=(const SumGraph&) = delete;

  const long long* run() {
    CUDA_CHECK(cudaGraphLaunch(executable_, nullptr));
    return total_;
  }

 private:
  LaunchSums sums_;
  const long long* total_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};
