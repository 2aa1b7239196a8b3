// nvcc: with own_names.cu
static __device__ int counter;
__device__ int last;
__constant__ int factor = 50;

__global__ void count() { counter = factor, last = 2; }
int countOfOther() {
  count<<<1, 1>>>();
  int counted, from;
  cudaMemcpyFromSymbol(&counted, counter, sizeof counted);
  cudaMemcpyFromSymbol(&from, last, sizeof from);
  return counted + from;
}
