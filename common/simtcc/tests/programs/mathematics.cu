// Functions that C does not have: right to the last digits that are compared.
#include <cstdio>

__global__ void evaluate(double *out) {
  const double x[] = {2, 3, 6, 24};
  const float f[] = {2, 3, 6, 24};
  int i = 0;
  out[i++] = norm(3, x) + norm4d(2, 3, 6, 24) + rnorm3d(2, 3, 6);
  out[i++] = normf(4, f) + rnormf(3, f) + rnorm4df(2, 3, 6, 24);
  out[i++] = erfinv(0.5);
  out[i++] = erfinv(-0.999);
  out[i++] = erfcinv(1e-20);
  out[i++] = erfcinvf(1.5f);
  out[i++] = erfcx(30.0);
  out[i++] = normcdfinv(0.975);
  out[i++] = __dp2a_lo(0x00030002, 0x01ff0405, 1) + 1000 * __dp2a_hi(0x00030002, 0x01ff0405, 1);
  out[i++] = __dp2a_lo(0xffff0002u, 0x00000405u, 1u);
  out[i++] = (double)(ullmax(3ull, 4ull) * 10 + ullmin(3ull, 4ull));
}

int main() {
  double *out, h[11];
  cudaMalloc(&out, sizeof h);
  evaluate<<<1, 1>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  for (double x : h) printf("%.9g ", x);
  printf("\n");
}
// prints: 32.1428571 25.1828575 0.476936276 -2.32675377 6.60158062 -0.476936281 0.0187958889 1.95996398 2023 262151 43 
