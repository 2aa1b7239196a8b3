// The kernels of this folder.
#include "grid_sync.cuh"
#include "two_launches.cuh"
#ifdef GPU_BACKEND
#include "cluster.cuh"
#include "gpu_sums.h"

ClusterKernel clusterKernel(const AtomicShape& shape) {
  return shape.among(atomicPerCluster<1, 1>, atomicPerCluster<1, 4>, atomicPerCluster<2, 4>);
}
unsigned blocksOfCluster() { return clusterBlocks; }
#endif
