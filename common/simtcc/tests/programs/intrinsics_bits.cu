#include <cstdio>

__global__ void bits(unsigned *out) {
  int i = 0;
  out[i++] = __popc(0xf0f0u);
  out[i++] = __popcll(0xffffffff00000001ull);
  out[i++] = __clz(1);
  out[i++] = __clzll(1ll << 40);
  out[i++] = __ffs(8);
  out[i++] = __ffsll(0);
  out[i++] = __brev(1u);
  out[i++] = (unsigned)(__brevll(2ull) >> 32);
  out[i++] = __byte_perm(0x33221100u, 0x77665544u, 0x7531u);
  out[i++] = __funnelshift_l(0x80000000u, 1u, 1);
  out[i++] = __umulhi(0x80000000u, 6u);
  out[i++] = (unsigned)__mulhi(-2, 3);
  out[i++] = (unsigned)__mul24(-5, 7);
  out[i++] = __umul24(0x1000002u, 3u);
  out[i++] = __sad(3, -4, 5u);
  out[i++] = __usad(10u, 3u, 1u);
  out[i++] = (unsigned)__hadd(-3, 4);
  out[i++] = __uhadd(0xffffffffu, 1u);
  out[i++] = (unsigned)__dp4a(0x01020304, 0x01010101, 100);
  out[i++] = (unsigned)min(-1, 2);
  out[i++] = umax(3u, 9u);
  out[i++] = (unsigned)__umul64hi(1ull << 63, 10ull);
}

int main() {
  unsigned *d, h[22];
  cudaMalloc(&d, sizeof h);
  bits<<<1, 1>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (unsigned x : h) printf("%x ", x);
  printf("\n");
}
// prints: 8 21 1f 17 4 0 80000000 40000000 77553311 3 3 ffffffff ffffffdd 6 c 8 0 80000000 6e ffffffff 9 5 
