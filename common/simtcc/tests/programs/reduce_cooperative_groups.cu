#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ int reduce_sum(cg::thread_group g, int *temp, int val) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    temp[lane] = val;
    g.sync();
    if (lane < i) val += temp[lane + i];
    g.sync();
  }
  return val;
}

__global__ void sum_block(int *sum, const int *input, int n) {
  extern __shared__ int temp[];
  auto g = cg::this_thread_block();
  int my = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) my += input[i];
  int block_sum = reduce_sum(g, temp, my);
  if (g.thread_rank() == 0) atomicAdd(sum, block_sum);
}

__global__ void sum_tiles(int *sum, const int *input, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int my = 0;
  for (int i = blockIdx.x * blockDim.x + block.thread_rank(); i < n; i += blockDim.x * gridDim.x) my += input[i];
  my = cg::reduce(tile, my, cg::plus<int>());
  if (tile.thread_rank() == 0) atomicAdd(sum, my);
  cg::sync(block);
  auto quad = cg::tiled_partition<4>(tile);
  int most = cg::reduce(quad, int(threadIdx.x), cg::greater<int>());
  if (threadIdx.x == 1) sum[1] = most;
  for (int step = tile.size() / 2; step > 0; step >>= 1) my += tile.shfl_down(my, step);
  if (tile.any(my < 0)) sum[1] = -1;
}

__device__ int atomicAggInc(int *ctr) {
  auto g = cg::coalesced_threads();
  int warp_res;
  if (g.thread_rank() == 0) warp_res = atomicAdd(ctr, g.size());
  return g.shfl(warp_res, 0) + g.thread_rank();
}

__global__ void filter(int *dst, int *nres, const int *src, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  if (src[i] > 0) dst[atomicAggInc(nres)] = src[i];
}

int main() {
  const int n = 1000;
  int h[n], *d, *sum, *dst, r[2];
  for (int i = 0; i < n; ++i) h[i] = i % 3;
  cudaMalloc(&d, sizeof h), cudaMalloc(&sum, 8), cudaMalloc(&dst, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, 8);
  sum_block<<<2, 128, 128 * sizeof(int)>>>(sum, d, n);
  cudaMemcpy(r, sum, 8, cudaMemcpyDeviceToHost);
  printf("%d\n", r[0]);
  cudaMemset(sum, 0, 8);
  sum_tiles<<<1, 128>>>(sum, d, n);
  cudaMemcpy(r, sum, 8, cudaMemcpyDeviceToHost);
  printf("%d %d\n", r[0], r[1]);
  cudaMemset(sum, 0, 8);
  filter<<<8, 128>>>(dst, sum, d, n);
  cudaMemcpy(r, sum, 8, cudaMemcpyDeviceToHost);
  printf("%d\n", r[0]);
}
// prints: 999
// prints: 999 3
// prints: 666
