// A thread's own copies have come when it has waited; those of others only after a barrier.
#include <cuda_pipeline.h>

__global__ void mirror(const float *in, float *out) {
  __shared__ float buffer[64];
  __pipeline_memcpy_async(&buffer[threadIdx.x], &in[threadIdx.x], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = buffer[63 - threadIdx.x];
}

int main() {
  float *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(float));
  cudaMallocManaged(&out, 64 * sizeof(float));
  mirror<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
}
// tells: mirror, block 0: race in shared memory on buffer\[[0-9]+\]: thread
// exit: 1
