// Streams with a priority, memory of a pool, a launch with attributes.
#include <cstdio>

__global__ void add(int *sum, int value) { atomicAdd(sum, value); }

int main() {
  int least, greatest, priority;
  unsigned flags;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  cudaStream_t stream;
  cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest);
  cudaStreamGetPriority(stream, &priority);
  cudaStreamGetFlags(stream, &flags);
  printf("%d %d\n", priority == greatest, flags == cudaStreamNonBlocking);

  cudaMemPool_t pool;
  unsigned long long all = ~0ull;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
  int *sum, h;
  cudaMallocFromPoolAsync(&sum, sizeof *sum, pool, stream);
  cudaMemsetAsync(sum, 0, sizeof *sum, stream);

  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t configuration = {0};
  configuration.gridDim = 2;
  configuration.blockDim = dim3(4, 2);
  configuration.stream = stream;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  cudaLaunchKernelEx(&configuration, add, sum, 3);
  cudaMemcpyAsync(&h, sum, sizeof h, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(sum, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", h);
  cudaStreamDestroy(stream);

  unsigned *pinned;
  cudaHostAlloc((void **)&pinned, 64, cudaHostAllocMapped);
  cudaHostGetFlags(&flags, pinned);
  printf("%d\n", (flags & cudaHostAllocMapped) != 0);
  cudaFreeHost(pinned);
}
// prints: 1 1
// prints: 48
// prints: 1
