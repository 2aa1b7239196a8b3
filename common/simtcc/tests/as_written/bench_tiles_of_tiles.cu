// prints: tiles of tiles: 0 wrong, tiles of several warps: 0 wrong, pairs of halves: 1024 2048
// Groups cut from groups, handed to functions that do not know from what; tiles of 64 to 512 threads in many blocks; atomics on pairs of halves.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <cstdio>
namespace cg = cooperative_groups;
#define CHECK(call) if (cudaError_t e = (call)) { printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); return 1; }

__device__ int ranks(cg::thread_block_tile<4> t) { return t.meta_group_size() * 100 + t.meta_group_rank(); }
template <typename Tile> __device__ int pieces(const Tile &t) { return t.meta_group_size(); }
__global__ void nested(int *out) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto quad = cg::tiled_partition<4>(warp);
  cg::thread_block_tile<8> eight = cg::tiled_partition<8>(block);
  out[block.thread_rank()] = ranks(quad) + 10000 * pieces(eight);
}
template <int TILE> __global__ void sums(const int *x, int *out, int n) {
  __shared__ cg::block_tile_memory<512> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<TILE>(block);
  int s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
  s = cg::reduce(tile, s, cg::plus<int>());
  if (tile.thread_rank() == 0) atomicAdd(out, s);
}
__global__ void pairs(half2 *sum) { atomicAdd(sum, __floats2half2_rn(1.f, 2.f)); }

int main() {
  const int n = 1 << 16;
  int *x, *out, wrong[2] = {};
  half2 *sum;
  CHECK(cudaMallocManaged(&x, n * sizeof(int)));
  CHECK(cudaMallocManaged(&out, 256 * sizeof(int)));
  CHECK(cudaMallocManaged(&sum, sizeof(half2)));
  for (int i = 0; i < n; i++) x[i] = i % 3;
  nested<<<1, 128>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 128; i++) wrong[0] += out[i] != 160800 + i % 32 / 4;
  int want = 0;
  for (int i = 0; i < n; i++) want += x[i];
  void (*const all[])(const int *, int *, int) = {sums<64>, sums<128>, sums<256>, sums<512>, sums<32>};
  for (auto kernel : all) {
    *out = 0;
    kernel<<<40, 512>>>(x, out, n);
    CHECK(cudaDeviceSynchronize());
    wrong[1] += *out != want;
  }
  *sum = __float2half2_rn(0.f);
  pairs<<<16, 64>>>(sum);
  CHECK(cudaDeviceSynchronize());
  printf("tiles of tiles: %d wrong, tiles of several warps: %d wrong, pairs of halves: %g %g\n", wrong[0], wrong[1], __low2float(*sum), __high2float(*sum));
}
