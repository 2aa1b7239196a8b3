// prints: labelled 0 wrong, scans 0 wrong, compacted 0 wrong, votes 0 wrong, shared classes 0 wrong
// Cooperative groups and warps: labelled and binary partitions, scans with operators, compaction by coalesced groups, ranks by match, reductions of bits, nth set bits, classes with constructors in shared memory.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cstdint>
namespace cg = cooperative_groups;
struct Rational {
  int p, q;
  __host__ __device__ Rational() {}
  __host__ __device__ Rational(int a, int b) : p(a), q(b) {}
  __host__ __device__ Rational operator+(const Rational &o) const { return Rational(p * o.q + o.p * q, q * o.q); }
};
template <int BLOCK> __global__ void labelled(const int *keys, int *sums, int *sizes, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * BLOCK + threadIdx.x, key = i < n ? keys[i] : -1;
  auto same = cg::labeled_partition(warp, key);
  const int sum = cg::reduce(same, i < n ? i : 0, cg::plus<int>());
  if (i < n) sums[i] = sum, sizes[i] = int(same.size());
  auto half = cg::binary_partition(warp, (threadIdx.x & 1) != 0);
  if (half.thread_rank() == 0 && half.size() != 16) sums[0] = -1;
}
__global__ void scans(const int *x, int *inclusive, int *largest, int *exclusive, int n) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  const int i = block.group_index().x * block.size() + block.thread_rank(), v = i < n ? x[i] : 0;
  inclusive[i] = cg::inclusive_scan(tile, v);
  largest[i] = cg::inclusive_scan(tile, v, cg::greater<int>());
  exclusive[i] = cg::exclusive_scan(tile, v, [](int a, int b) { return a + b; });
}
__global__ void compact(const int *x, int *out, int *count, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (x[i] % 3 == 0) {
      auto active = cg::coalesced_threads();
      int base;
      if (active.thread_rank() == 0) base = atomicAdd(count, int(active.size()));
      out[active.shfl(base, 0) + active.thread_rank()] = x[i];
    }
}
__global__ void votes(const unsigned *x, unsigned *out) {
  const unsigned lane = threadIdx.x & 31, all = 0xffffffffu, v = x[threadIdx.x];
  const unsigned peers = __match_any_sync(all, v % 5), rank = __popc(peers & ((1u << lane) - 1)), third = __fns(peers, 0, 3);
  int uniform; __match_all_sync(all, v / 1000000, &uniform);
  const unsigned bits = __reduce_or_sync(all, v) ^ __reduce_and_sync(all, v), most = __reduce_max_sync(all, v), least = __reduce_min_sync(all, v), parity = __reduce_xor_sync(all, v);
  unsigned few = 0;
  if (lane % 4 == 1) few = __activemask() & 0x22222222u;
  __syncwarp();
  out[threadIdx.x] = rank + 100 * (third != ~0u && __popc(peers) >= 3) + 1000 * uniform + 10000 * (most >= v && least <= v && (bits | ~0u)) + 100000 * (lane % 4 == 1 ? few == 0x22222222u : 1) + 0 * parity + 1000000 * __any_sync(all, lane == 7) * __all_sync(all, lane < 32);
}
template <int N> __global__ void classes(Rational *out) {
  __shared__ Rational part[N];
  __shared__ union Both { int asInts[2 * N]; float asFloats[2 * N]; __device__ Both() {} } both;
  const int t = threadIdx.x;
  part[t] = Rational(t, 1);
  both.asInts[2 * t] = t, both.asInts[2 * t + 1] = -t;
  for (int s = N / 2; s > 0; s >>= 1) { __syncthreads(); if (t < s) part[t] = part[t] + part[t + s]; }
  __syncthreads();
  if (t == 0) { out[0] = part[0]; out[1] = Rational(both.asInts[2 * (N - 1)], both.asInts[2 * N - 1]); }
}
int main() {
  const int n = 200, padded = 256; int *keys, *a, *b, *c, *count; unsigned *u, *v; Rational *r; int wrong[5] = {};
  cudaMallocManaged(&keys, padded * 4); cudaMallocManaged(&a, padded * 4); cudaMallocManaged(&b, padded * 4); cudaMallocManaged(&c, padded * 4); cudaMallocManaged(&count, 4); cudaMallocManaged(&u, 256); cudaMallocManaged(&v, 256); cudaMallocManaged(&r, 2 * sizeof *r);
  for (int i = 0; i < n; ++i) keys[i] = i * i % 7;
  labelled<128><<<2, 128>>>(keys, a, b, n); cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) { int s = 0, k = 0; for (int j = i / 32 * 32; j < i / 32 * 32 + 32 && j < n; ++j) if (keys[j] == keys[i]) s += j, ++k; wrong[0] += a[i] != s || b[i] != k; }
  scans<<<2, 128>>>(keys, a, b, c, n); cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) { int s = 0, m = 0; for (int j = i / 16 * 16; j <= i; ++j) s += keys[j], m = max(m, keys[j]); wrong[1] += a[i] != s || b[i] != m || c[i] != s - keys[i]; }
  *count = 0; compact<<<1, 64>>>(keys, a, count, n); cudaDeviceSynchronize();
  int want = 0, sum = 0, got = 0; for (int i = 0; i < n; ++i) if (keys[i] % 3 == 0) ++want, sum += keys[i];
  for (int i = 0; i < *count; ++i) got += a[i]; wrong[2] = want != *count || got != sum;
  for (int i = 0; i < 64; ++i) u[i] = i * 17 % 23;
  votes<<<1, 64>>>(u, v); cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i) { unsigned rank = 0, k = 0; for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) { const bool same = u[j] % 5 == u[i] % 5; k += same; rank += same && j < i; } wrong[3] += v[i] != rank + 100 * (k >= 3) + 1111000; }
  classes<8><<<1, 8>>>(r); cudaDeviceSynchronize();
  wrong[4] = r[0].p != 28 || r[0].q != 1 || r[1].p != 7 || r[1].q != -7;
  printf("labelled %d wrong, scans %d wrong, compacted %d wrong, votes %d wrong, shared classes %d wrong\n", wrong[0], wrong[1], wrong[2], wrong[3], wrong[4]);
  return wrong[0] + wrong[1] + wrong[2] + wrong[3] + wrong[4];
}
