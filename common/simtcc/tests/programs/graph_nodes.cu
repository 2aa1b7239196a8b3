// A graph of nodes that are made one by one; parameters that change; a graph within a graph.
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void scale(float *values, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}
__global__ void sum(const float *values, int n, float *result) {
  __shared__ float part[128];
  float mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += values[i];
  part[threadIdx.x] = mine;
  for (int reach = 64; reach > 0; reach /= 2) {
    __syncthreads();
    if (threadIdx.x < reach) part[threadIdx.x] += part[threadIdx.x + reach];
  }
  if (threadIdx.x == 0) *result += part[0];
}
void tell(void *result) { printf("%g\n", *static_cast<float *>(result)); }

int main() {
  int n = 1000;
  float factor = 3, host = 0, *values, *result, *in;
  cudaMallocHost(&in, n * sizeof(float));
  for (int i = 0; i < n; ++i) in[i] = 0.5f;
  cudaMalloc(&values, n * sizeof(float));
  cudaMalloc(&result, sizeof(float));
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);

  cudaMemcpy3DParms copy = {0};
  copy.srcPtr = make_cudaPitchedPtr(in, n * sizeof(float), n, 1);
  copy.dstPtr = make_cudaPitchedPtr(values, n * sizeof(float), n, 1);
  copy.extent = make_cudaExtent(n * sizeof(float), 1, 1);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemsetParams fill = {0};
  fill.dst = result;
  fill.elementSize = 4;
  fill.width = fill.height = 1;
  fill.value = 0x3f800000;  // 1.0f
  cudaGraphNode_t copyNode, fillNode, scaleNode, sumNode, backNode, tellNode;
  cudaGraphAddMemcpyNode(&copyNode, graph, NULL, 0, &copy);
  cudaGraphAddMemsetNode(&fillNode, graph, NULL, 0, &fill);

  void *scaleArguments[] = {&values, &n, &factor};
  cudaKernelNodeParams kernel = {0};
  kernel.func = (void *)scale;
  kernel.gridDim = dim3(8);
  kernel.blockDim = dim3(128);
  kernel.kernelParams = scaleArguments;
  cudaGraphAddKernelNode(&scaleNode, graph, &copyNode, 1, &kernel);
  factor = 100;  // the node has what it was

  void *sumArguments[] = {&values, &n, &result};
  kernel.func = (void *)sum;
  kernel.gridDim = dim3(1);
  kernel.kernelParams = sumArguments;
  const cudaGraphNode_t before[] = {scaleNode, fillNode};
  cudaGraphAddKernelNode(&sumNode, graph, before, 2, &kernel);
  cudaGraphAddMemcpyNode1D(&backNode, graph, &sumNode, 1, &host, result, sizeof host,
                           cudaMemcpyDeviceToHost);
  cudaHostNodeParams call = {0};
  call.fn = tell;
  call.userData = &host;
  cudaGraphAddHostNode(&tellNode, graph, &backNode, 1, &call);

  size_t count = 0;
  cudaGraphGetNodes(graph, NULL, &count);
  std::vector<cudaGraphNode_t> nodes(count);
  cudaGraphGetNodes(graph, nodes.data(), &count);
  int kernels = 0;
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type;
    cudaGraphNodeGetType(node, &type);
    kernels += type == cudaGraphNodeTypeKernel;
  }
  printf("%zu nodes, %d kernels\n", count, kernels);

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 2; ++i) cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);

  // Other arguments: of the executable only.
  cudaKernelNodeParams now;
  cudaGraphKernelNodeGetParams(scaleNode, &now);
  printf("factor %g in blocks of %u\n", *(float *)now.kernelParams[2], now.blockDim.x);
  factor = 5;
  kernel.func = (void *)scale;
  kernel.gridDim = dim3(8);
  kernel.kernelParams = scaleArguments;
  cudaGraphExecKernelNodeSetParams(executable, scaleNode, &kernel);
  cudaGraphLaunch(executable, stream);

  // The graph twice within another one, which still multiplies by 3.
  cudaGraph_t outer;
  cudaGraphCreate(&outer, 0);
  cudaGraphNode_t one, two;
  cudaGraphAddChildGraphNode(&one, outer, NULL, 0, graph);
  cudaGraphAddChildGraphNode(&two, outer, &one, 1, graph);
  cudaGraphExec_t all;
  cudaGraphInstantiate(&all, outer, 0);
  cudaGraphLaunch(all, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(all);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(outer);
  cudaGraphDestroy(graph);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
// prints: 6 nodes, 2 kernels
// prints: 1501
// prints: 1501
// prints: factor 3 in blocks of 128
// prints: 2501
// prints: 1501
// prints: 1501
// prints: cudaSuccess
