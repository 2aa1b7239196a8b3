// A kernel of a graph that races is found when the graph is launched.
#include <cstdio>

__global__ void reverse(int *values) {
  __shared__ int copy[64];
  copy[threadIdx.x] = values[threadIdx.x];
  values[threadIdx.x] = copy[63 - threadIdx.x];
}

int main() {
  int *values;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(values, 0, 64 * sizeof(int), stream);
  reverse<<<1, 64, 0, stream>>>(values);
  cudaStreamEndCapture(stream, &graph);
  printf("captured\n");
  fflush(stdout);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  printf("the program goes on\n");
}
// prints: captured
// prints: the program goes on
// tells: reverse, block 0: race in shared memory on copy\[32\]: thread 32 writes it at .*fault_graph.cu:6, thread 31 reads it
// exit: 1
