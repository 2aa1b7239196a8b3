#include <cstdio>

__device__ double atomicMultiply(double *address, double value) {
  unsigned long long int *bits = (unsigned long long int *)address, old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value * __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d, unsigned short *s) {
  const int t = threadIdx.x;
  atomicAdd(&i[0], t), atomicSub(&i[1], t), atomicMax(&i[2], t), atomicMin(&i[3], -t);
  atomicAnd(&u[0], ~(1u << t)), atomicOr(&u[1], 1u << t), atomicXor(&u[2], 1u << t % 2), atomicInc(&u[3], 10), atomicDec(&u[4], 100);
  atomicAdd(l, 1ull << 33), atomicAdd(f, 0.5f), atomicAdd(d, 0.25), atomicAdd_block(&i[4], 1), atomicAdd_system(&i[5], 2);
  if (t == 9) atomicExch(&i[6], 42), atomicCAS(s, (unsigned short)0, (unsigned short)77);
  __threadfence();
  if (t == 0)
    for (int k = 0; k < 3; ++k) atomicMultiply(d + 1, 2.0);
}

int main() {
  int *i;
  unsigned *u;
  unsigned long long *l, hl;
  float *f, hf;
  double *d, hd[2] = {0, 1};
  unsigned short *s, hs;
  cudaMalloc(&i, 28), cudaMalloc(&u, 20), cudaMalloc(&l, 8), cudaMalloc(&f, 4), cudaMalloc(&d, 16), cudaMalloc(&s, 2);
  cudaMemset(i, 0, 28), cudaMemset(u, 0xff, 4), cudaMemset(u + 1, 0, 16), cudaMemset(l, 0, 8), cudaMemset(f, 0, 4), cudaMemset(s, 0, 2);
  cudaMemcpy(d, hd, 16, cudaMemcpyHostToDevice);
  atomics<<<1, 32>>>(i, u, l, f, d, s);
  int hi[7];
  unsigned hu[5];
  cudaMemcpy(hi, i, 28, cudaMemcpyDeviceToHost), cudaMemcpy(hu, u, 20, cudaMemcpyDeviceToHost);
  cudaMemcpy(&hl, l, 8, cudaMemcpyDeviceToHost), cudaMemcpy(&hf, f, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(hd, d, 16, cudaMemcpyDeviceToHost), cudaMemcpy(&hs, s, 2, cudaMemcpyDeviceToHost);
  for (int x : hi) printf("%d ", x);
  for (unsigned x : hu) printf("%x ", x);
  printf("%llx %g %g %g %d\n", hl, hf, hd[0], hd[1], hs);
}
// prints: 496 -496 31 -31 32 64 42 0 ffffffff 0 a 45 4000000000 16 8 8 77
