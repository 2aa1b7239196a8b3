// A block of a cluster races in its shared memory; what it reads of another block's is beyond it.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) races(int *out) {
  __shared__ int last[32];
  last[threadIdx.x] = threadIdx.x;
  out[blockIdx.x * 32 + threadIdx.x] = last[31 - threadIdx.x];
  cg::this_cluster().sync();
}
__global__ void __cluster_dims__(2, 1, 1) readsBeyond(int *out) {
  __shared__ int last[32];
  last[threadIdx.x] = threadIdx.x;
  cg::this_cluster().sync();
  out[blockIdx.x * 32 + threadIdx.x] = cg::this_cluster().map_shared_rank(last, 1 - blockIdx.x)[1 << 20];
  cg::this_cluster().sync();
}
int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  races<<<2, 32>>>(out);
  readsBeyond<<<2, 32>>>(out);
}
// tells: races, block 0: race in shared memory on last\[0\]: thread 0 writes it at fault_cluster.cu:6, thread 31 reads it
// tells: readsBeyond, block 0: thread 0 reads memory that is neither a device array nor shared
// exit: 1
