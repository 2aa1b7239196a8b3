// Atomics, barriers and names of libcu++ by their headers in cuda/std.
// prints: 256 64
// prints: PASS
#include <cuda/std/atomic>
#include <cuda/barrier>
#include <cuda/std/barrier>
#include <cuda/std/latch>
#include <cuda/std/semaphore>
#include <cuda/std/bitset>
#include <cuda/std/numbers>
#include <cuda/std/cstdlib>
#include <cuda/std/memory>
#include <cuda/std/ranges>
#include <cuda/cmath>
#include <cstdio>
struct Shared { cuda::std::atomic<int> n; cuda::std::atomic<float> f, top; };
__global__ void k(Shared *s, int *hist, int *o) { s->n.fetch_add(1, cuda::std::memory_order_relaxed); s->n++; s->f.fetch_add(.5f); s->top.fetch_max(float(threadIdx.x)); s->top.fetch_min(62.5f); cuda::std::atomic_ref<int> r(hist[threadIdx.x % 4]); r.fetch_add(2); __shared__ cuda::barrier<cuda::thread_scope_block> b; if (threadIdx.x == 0) init(&b, blockDim.x); __syncthreads(); __shared__ int x[64]; x[threadIdx.x] = threadIdx.x; b.arrive_and_wait(); o[blockIdx.x * 64 + threadIdx.x] = x[63 - threadIdx.x] + (int)(cuda::std::numbers::pi_v<float>); cuda::std::bitset<32> bs(threadIdx.x); o[blockIdx.x * 64 + threadIdx.x] += (int)bs.count() * 1000; }
int main() { Shared *s; int *h, *o, bad = 0; cudaMallocManaged(&s, sizeof *s); new (s) Shared{}; s->n = 0; s->f = 0.f; s->top = 0.f; cudaMallocManaged(&h, 16); cudaMallocManaged(&o, 512); cudaMemset(h, 0, 16); static_assert(cuda::ceil_div(10, 3) == 4 && cuda::round_up(10, 4) == 12); k<<<2, 64>>>(s, h, o); cudaDeviceSynchronize(); bad += s->n.load() != 256 || s->f.load() != 64.f || s->top.load() > 62.5f || s->top.load() < 62.f; for (int i = 0; i < 4; i++) bad += h[i] != 64; for (int i = 0; i < 64; i++) bad += o[i] != 63 - i + 3 + 1000 * __builtin_popcount(i); printf("%d %g\n", s->n.load(), s->f.load()); puts(bad ? "FAIL" : "PASS"); return bad; }
