// A barrier of some threads at which one does not arrive, and one whose data nobody waits for.
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void early(int *x) {
  __shared__ barrier bar;
  __shared__ int data[64];
  if (threadIdx.x == 0) init(&bar, 64);
  data[threadIdx.x] = 0;
  __syncthreads();
  data[threadIdx.x] = threadIdx.x;
  auto token = bar.arrive();
  x[threadIdx.x] = data[63 - threadIdx.x];
  bar.wait(static_cast<barrier::arrival_token &&>(token));
}
__global__ void missing(int *x) {
  if (threadIdx.x < 63) asm volatile("bar.sync 1, 64;" ::: "memory");
  x[threadIdx.x] = 1;
}
int main() {
  int *x;
  cudaMalloc(&x, 64 * sizeof(int));
  early<<<1, 64>>>(x);
  missing<<<1, 64>>>(x);
}
// exit: 1
// tells: early, block 0: race in shared memory on data\[[0-9]+\]
// tells: missing, block 0: thread 0 waits for ever at fault_part_barrier.cu:17: at this barrier 1 of the 64 that it expects never arrive
