// cuComplex.h: a transform of Fourier in shared memory, and the functions of double.
#include <cuComplex.h>

#include <cmath>
#include <cstdio>

const int n = 64;

__global__ void transform(cuFloatComplex *x) {
  __shared__ cuFloatComplex part[n];
  const int t = threadIdx.x;
  part[t] = x[__brev(t) >> 26];
  for (int length = 2; length <= n; length *= 2) {
    __syncthreads();
    if (t >= n / 2) continue;
    const int half = length / 2, k = t % half, i = t / half * length + k;
    float sine, cosine;
    sincospif(-2.0f * k / length, &sine, &cosine);
    const cuFloatComplex even = part[i], odd = cuCmulf(part[i + half], make_cuFloatComplex(cosine, sine));
    part[i] = cuCaddf(even, odd);
    part[i + half] = cuCsubf(even, odd);
  }
  __syncthreads();
  x[t] = part[t];
}

int main() {
  cuFloatComplex *x;
  cudaMallocManaged(&x, n * sizeof(cuFloatComplex));
  for (int i = 0; i < n; ++i) x[i] = make_cuComplex(cosf(float(M_PI) * 6 * i / n), 0);
  transform<<<1, n>>>(x);
  cudaDeviceSynchronize();
  printf("%.2f %.2f %.2f\n", cuCrealf(x[3]), cuCabsf(x[n - 3]), cuCabsf(x[5]));
  const cuDoubleComplex z = make_cuDoubleComplex(3, 4), w = cuCdiv(cuCmul(z, cuConj(z)), z);
  printf("%g %g %g\n", cuCabs(z), cuCreal(w), cuCimag(w));
}
// prints: 32.00 32.00 0.00
// prints: 5 3 -4
