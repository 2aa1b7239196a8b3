// prints: 0 wrong
// tells: benign race: jac, .*: the write comes after an atomic of its own thread there
// A barrier of resident blocks by a counter that the last one sets back, then a cooperative launch that adds up.
#include <cstdio>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ unsigned arrived = 0; __device__ volatile unsigned gen = 0;
__device__ void gbar(unsigned n) { __syncthreads(); if (threadIdx.x == 0) { unsigned g = gen; __threadfence(); 
    if (atomicAdd(&arrived, 1) == n - 1) {
      arrived = 0;  // the others have been here, and wait
      __threadfence();
      gen = g + 1;
    } else
      while (gen == g);
    __threadfence();
  }
  __syncthreads();
}
__global__ void jac(float *a, float *b, int n, int it) { for (int k = 0; k < it; k++) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) if (i > 0 && i < n - 1) b[i] = .5f * (a[i - 1] + a[i + 1]); gbar(gridDim.x); float *t = a; a = b; b = t; } }
__global__ void coop(const float *in, float *part, float *out, int n) { cg::grid_group g = cg::this_grid(); cg::thread_block b = cg::this_thread_block(); extern __shared__ double sd[]; double s = 0; for (int i = g.thread_rank(); i < n; i += g.size()) s += in[i]; sd[b.thread_rank()] = s; cg::sync(b); cg::thread_block_tile<32> t = cg::tiled_partition<32>(b); for (int i = t.size() / 2; i > 0; i >>= 1) { if (t.thread_rank() < i) s += sd[b.thread_rank() + i], sd[b.thread_rank()] = s; cg::sync(t); } cg::sync(b); if (b.thread_rank() == 0) { s = 0; for (int i = 0; i < b.size(); i += t.size()) s += sd[i]; part[b.group_index().x] = s; } cg::sync(g); if (g.thread_rank() == 0) { float q = 0; for (int i = 0; i < gridDim.x; i++) q += part[i]; *out = q; } }
int main() { int n = 2000, bad = 0; float *a, *b, *o; cudaMallocManaged(&a, n * 4); cudaMallocManaged(&b, n * 4); cudaMallocManaged(&o, 4); for (int i = 0; i < n; i++) a[i] = b[i] = i == 0 || i == n - 1 ? 1 : 0; jac<<<4, 128>>>(a, b, n, 10); cudaDeviceSynchronize(); float r[2][2000]; for (int i = 0; i < n; i++) r[0][i] = r[1][i] = i == 0 || i == n - 1; for (int k = 0; k < 10; k++) for (int i = 1; i < n - 1; i++) r[(k + 1) % 2][i] = .5f * (r[k % 2][i - 1] + r[k % 2][i + 1]); for (int i = 0; i < n; i++) bad += a[i] != r[0][i]; float *p; cudaMalloc(&p, 400); for (int i = 0; i < n; i++) a[i] = 1; void *args[] = {&a, &p, &o, &n}; int sup; cudaDeviceGetAttribute(&sup, cudaDevAttrCooperativeLaunch, 0); int nb; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, coop, 128, 128 * 8); cudaLaunchCooperativeKernel((void *)coop, 8, 128, args, 128 * 8, 0); cudaDeviceSynchronize(); bad += *o != n; printf("%d wrong\n", bad); return bad; }
