// Reads what a copy to shared memory brings before it waits for it.
#include <cuda_pipeline.h>

__global__ void early(const float *in, float *out) {
  __shared__ float buffer[64];
  __pipeline_memcpy_async(&buffer[threadIdx.x], &in[threadIdx.x], sizeof(float));
  __pipeline_commit();
  out[threadIdx.x] = buffer[threadIdx.x];
  __pipeline_wait_prior(0);
}

int main() {
  float *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(float));
  cudaMallocManaged(&out, 64 * sizeof(float));
  early<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
}
// tells: early, block 0: thread 0 reads buffer\[0\] at .*fault_copy_too_early.cu:8, which nobody has written
// exit: 1
