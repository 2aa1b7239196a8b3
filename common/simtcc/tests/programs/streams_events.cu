#include <cstdio>

__global__ void fill(int *x, int value) { x[blockIdx.x * blockDim.x + threadIdx.x] = value; }

static void CUDART_CB done(cudaStream_t, cudaError_t status, void *data) {
  if (status == cudaSuccess) ++*static_cast<int *>(data);
}

int main() {
  const int nStreams = 4, n = 256;
  cudaStream_t streams[nStreams];
  cudaEvent_t start, stop, middle;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventCreateWithFlags(&middle, cudaEventDisableTiming);
  int *d, *h, called = 0;
  cudaMalloc(&d, nStreams * n * sizeof(int));
  cudaMallocHost(&h, nStreams * n * sizeof(int));
  for (int i = 0; i < nStreams; ++i) cudaStreamCreate(&streams[i]);
  cudaEventRecord(start, 0);
  for (int i = 0; i < nStreams; ++i) {
    fill<<<n / 64, 64, 0, streams[i]>>>(d + i * n, i);
    cudaMemcpyAsync(h + i * n, d + i * n, n * sizeof(int), cudaMemcpyDeviceToHost, streams[i]);
    cudaStreamAddCallback(streams[i], done, &called, 0);
  }
  cudaEventRecord(middle, streams[0]);
  cudaStreamWaitEvent(streams[1], middle, 0);
  cudaEventRecord(stop, 0);
  cudaEventSynchronize(stop);
  for (int i = 0; i < nStreams; ++i) cudaStreamSynchronize(streams[i]), cudaStreamDestroy(streams[i]);
  float ms = -1;
  cudaEventElapsedTime(&ms, start, stop);
  printf("%d %d %d %d\n", h[0], h[nStreams * n - 1], called, ms >= 0);
  printf("%s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, start, middle)));
  cudaEventDestroy(start), cudaEventDestroy(stop), cudaEventDestroy(middle);
  cudaFreeHost(h), cudaFree(d);
}
// prints: 0 3 4 1
// prints: cudaErrorInvalidResourceHandle
