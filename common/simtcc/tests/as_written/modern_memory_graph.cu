// says: ^pool 0 32, range 0, node 8 of 5 nodes, P2P of itself: 1, attributes ok$
// Pools with properties and access, memory as nodes of a graph, what graphs and ranges say of themselves, attributes by number.
#include <cstdio>
#include <vector>
__global__ void inc(int *x) { atomicAdd(x, 1); }
int main() {
  int supported = 0, l2 = -1, shared = 0;
  cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0);
  cudaDeviceGetAttribute(&l2, cudaDevAttrMaxPersistingL2CacheSize, 0);
  cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = 0;
  props.handleTypes = cudaMemHandleTypeNone;
  cudaMemPool_t pool;
  const cudaError_t made = cudaMemPoolCreate(&pool, &props);
  unsigned long long threshold = ~0ull;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMemAccessDesc access = {};
  access.location = props.location;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  cudaMemPoolSetAccess(pool, &access, 1);
  cudaStream_t s;
  cudaStreamCreate(&s);
  int *x, h, n8;
  cudaMallocFromPoolAsync(&x, sizeof(int), pool, s);
  cudaMemsetAsync(x, 0, sizeof(int), s);
  inc<<<1, 32, 0, s>>>(x);
  cudaMemcpyAsync(&h, x, sizeof(int), cudaMemcpyDefault, s);
  cudaFreeAsync(x, s);
  cudaStreamSynchronize(s);
  cudaMemPoolDestroy(pool);
  int *m, read = -1, p2p = -1;
  cudaMallocManaged(&m, 4096);
  cudaMemRangeGetAttribute(&read, sizeof read, cudaMemRangeAttributeReadMostly, m, 4096);
  const bool itself = cudaDeviceGetP2PAttribute(&p2p, cudaDevP2PAttrAccessSupported, 0, 0) != cudaSuccess;
  cudaGraph_t g;  // that error, at which nobody looks, is not the graph's
  cudaGraphCreate(&g, 0);
  cudaGraphNode_t alloc, fill, kernel, copy, free_;
  cudaMemAllocNodeParams ap = {};
  ap.poolProps = props;
  ap.bytesize = 64;
  cudaGraphAddMemAllocNode(&alloc, g, nullptr, 0, &ap);
  cudaMemsetParams ms = {};
  ms.dst = ap.dptr, ms.elementSize = 4, ms.width = 16, ms.height = 1;
  cudaGraphAddMemsetNode(&fill, g, &alloc, 1, &ms);
  void *args[] = {&ap.dptr};
  cudaKernelNodeParams kp = {};
  kp.func = (void *)inc, kp.gridDim = 1, kp.blockDim = 8, kp.kernelParams = args;
  cudaGraphAddKernelNode(&kernel, g, &fill, 1, &kp);
  cudaGraphAddMemcpyNode1D(&copy, g, &kernel, 1, &n8, ap.dptr, sizeof(int), cudaMemcpyDeviceToHost);
  cudaGraphAddMemFreeNode(&free_, g, &copy, 1, ap.dptr);
  cudaGraphExec_t e;
  cudaGraphInstantiate(&e, g, 0);
  for (int i = 0; i < 2; i++) cudaGraphLaunch(e, s);
  cudaStreamSynchronize(s);
  size_t nodes = 0, before = 0;
  cudaGraphGetNodes(g, nullptr, &nodes);
  cudaGraphNodeGetDependencies(kernel, nullptr, &before);
  cudaGraphDebugDotPrint(g, "/dev/null", 0);
  printf("pool %d %d, range %d, node %d of %zu nodes, P2P of itself: %d, attributes %s\n", made, h, read, n8, nodes, itself,
         supported == 1 && l2 >= 0 && shared > 48 * 1024 && before == 1 ? "ok" : "WRONG");
}
