// prints: sums 0 wrong, products 0 wrong
// prints: histogram 0 wrong, lock 64, exchanged 63
// prints: guarded 100 of 128, rounded 3 2 2 -3, packed 0 wrong, together 496
// PTX by hand: long integers with carries, red and atom of both memories, predicates, conversions, packed halves of a word.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
struct u128 { unsigned long long lo, hi; };
__device__ __forceinline__ u128 add(u128 a, u128 b) {
  u128 c;
  asm volatile("add.cc.u64 %0, %1, %2;" : "=l"(c.lo) : "l"(a.lo), "l"(b.lo));
  asm volatile("addc.u64 %0, %1, %2;" : "=l"(c.hi) : "l"(a.hi), "l"(b.hi));  // the carry of the statement before
  return c;
}
__device__ __forceinline__ unsigned long long mulWide(unsigned a0, unsigned a1, unsigned b, unsigned &top) {  // 64 by 32
  unsigned r0, r1 = 0;
  asm("mul.lo.u32 %0, %3, %5;\n\tmul.hi.u32 %1, %3, %5;\n\tmad.lo.cc.u32 %1, %4, %5, %1;\n\tmadc.hi.u32 %2, %4, %5, 0;"
      : "=r"(r0), "+r"(r1), "=r"(top) : "r"(a0), "r"(a1), "r"(b));
  unsigned long long r;
  asm("mov.b64 %0, {%1, %2};" : "=l"(r) : "r"(r0), "r"(r1));
  return r;
}
__global__ void longs(const u128 *a, u128 *sum, unsigned long long *product, unsigned *top, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  sum[i] = add(a[i], a[(i + 1) % n]);
  product[i] = mulWide(unsigned(a[i].lo), unsigned(a[i].lo >> 32), unsigned(a[i].hi), top[i]);
}
__global__ void counts(const int *in, int n, int *bins, int *lock, int *shown) {
  __shared__ int own[8];
  if (threadIdx.x < 8) own[threadIdx.x] = 0;
  __syncthreads();
  const unsigned base = unsigned(__cvta_generic_to_shared(own));
  for (int i = threadIdx.x; i < n; i += blockDim.x) asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(base + 4 * (in[i] & 7)) : "memory");
  __syncthreads();
  int mine = 0;
  if (threadIdx.x < 8) {
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(mine) : "r"(base + 4 * threadIdx.x));
    asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1;" ::"l"(bins + threadIdx.x), "r"(mine) : "memory");
  }
  int old, before;
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(lock), "r"(0), "r"(64) : "memory");
  asm volatile("atom.global.max.s32 %0, [%1], %2;" : "=r"(before) : "l"(shown), "r"(int(threadIdx.x)) : "memory");
}
__global__ void words(const float *x, int n, float *out, int *rounded, unsigned *packed, int *total) {
  const int i = threadIdx.x;
  float v = -1;
  asm volatile("{\n\t.reg .pred p;\n\tsetp.lt.s32 p, %2, %3;\n\t@p ld.global.nc.f32 %0, [%1];\n\t}" : "+f"(v) : "l"(x + i), "r"(i), "r"(n));
  out[i] = v;
  if (i == 0) {
    asm("cvt.rpi.s32.f32 %0, %1;" : "=r"(rounded[0]) : "f"(2.5f));
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(rounded[1]) : "f"(2.5f));
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(rounded[2]) : "f"(2.9f));
    asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(rounded[3]) : "f"(-2.1f));
  }
  unsigned short low, high;
  asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(0x10002u * i));
  asm("{ .reg .pred q; setp.ge.u32 q, %1, %2; selp.b32 %0, %1, %2, q; }" : "=r"(packed[i]) : "r"(unsigned(low)), "r"(unsigned(high)));
  int sum;
  asm("redux.sync.add.s32 %0, %1, %2;" : "=r"(sum) : "r"(i & 31), "r"(0xffffffff));
  if (i == 0) *total = sum;
}
int main() {
  const int n = 100;
  u128 *a, *s;
  unsigned long long *p;
  unsigned *t;
  int *m;
  float *x, *y;
  cudaMallocManaged(&a, n * sizeof *a), cudaMallocManaged(&s, n * sizeof *s), cudaMallocManaged(&p, n * sizeof *p);
  cudaMallocManaged(&t, 128 * sizeof *t), cudaMallocManaged(&m, 256 * sizeof *m), cudaMallocManaged(&x, 512), cudaMallocManaged(&y, 512);
  unsigned long long seed = 0x9e3779b97f4a7c15ull;
  for (int i = 0; i < n; i++) a[i].lo = seed *= 0x5851f42d4c957f2dull, a[i].hi = seed *= 0x5851f42d4c957f2dull, x[i] = float(i), m[i] = i * i % 11;
  for (int i = n; i < 256; i++) m[i] = 0;
  longs<<<1, 128>>>(a, s, p, t, n);
  cudaDeviceSynchronize();
  int sums = 0, products = 0;
  for (int i = 0; i < n; i++) {
    const u128 b = a[(i + 1) % n];
    const unsigned __int128 sum = ((unsigned __int128)a[i].hi << 64 | a[i].lo) + ((unsigned __int128)b.hi << 64 | b.lo);
    const unsigned __int128 product = (unsigned __int128)a[i].lo * unsigned(a[i].hi);
    sums += s[i].lo != (unsigned long long)sum || s[i].hi != (unsigned long long)(sum >> 64);
    products += p[i] != (unsigned long long)product || t[i] != unsigned(product >> 64);
  }
  printf("sums %d wrong, products %d wrong\n", sums, products);
  counts<<<1, 64>>>(m, n, m + 128, m + 140, m + 141);
  cudaDeviceSynchronize();
  int bins[8] = {}, wrong = 0;
  for (int i = 0; i < n; i++) bins[m[i] & 7]++;
  for (int i = 0; i < 8; i++) wrong += bins[i] != m[128 + i];
  printf("histogram %d wrong, lock %d, exchanged %d\n", wrong, m[140], m[141]);
  words<<<1, 128>>>(x, n, y, m, t, m + 8);
  cudaDeviceSynchronize();
  int loaded = 0, packed = 0;
  for (int i = 0; i < 128; i++) loaded += y[i] == float(i), packed += t[i] != 2u * i;
  printf("guarded %d of 128, rounded %d %d %d %d, packed %d wrong, together %d\n", loaded, m[0], m[1], m[2], m[3], packed, m[8]);
}
