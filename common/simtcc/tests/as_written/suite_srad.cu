// says: ^Computation Done: checksum agrees$
// Speckle removal: index vectors on the device, a block reduction whose last step depends on the block, several kernels a turn, int as fp by define.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#define fp float
#define NUMBER_THREADS 64
struct params_common { long Ne; int Nr, Nc; fp lambda; };
typedef struct params_common Params;
__global__ void extract(long d_Ne, fp *d_I) {
  int ei = (blockIdx.x * NUMBER_THREADS) + threadIdx.x;
  if (ei < d_Ne) d_I[ei] = exp(d_I[ei] / 255);
}
__global__ void prepare(long d_Ne, fp *d_I, fp *d_sums, fp *d_sums2) {
  int ei = (blockIdx.x * NUMBER_THREADS) + threadIdx.x;
  if (ei < d_Ne) {
    d_sums[ei] = d_I[ei];
    d_sums2[ei] = d_I[ei] * d_I[ei];
  }
}
__global__ void reduce(long d_Ne, int d_no, int d_mul, fp *d_sums, fp *d_sums2) {
  int bx = blockIdx.x, tx = threadIdx.x, ei = (bx * NUMBER_THREADS) + tx, nf = NUMBER_THREADS - (gridDim.x * NUMBER_THREADS - d_no), df = 0, i;
  __shared__ fp d_psum[NUMBER_THREADS], d_psum2[NUMBER_THREADS];
  if (ei < d_no) {
    d_psum[tx] = d_sums[ei * d_mul];
    d_psum2[tx] = d_sums2[ei * d_mul];
  }
  __syncthreads();
  if (nf == NUMBER_THREADS || bx != (gridDim.x - 1)) {
    for (i = 2; i <= NUMBER_THREADS; i = 2 * i) {
      if ((tx + 1) % i == 0) {
        d_psum[tx] = d_psum[tx] + d_psum[tx - i / 2];
        d_psum2[tx] = d_psum2[tx] + d_psum2[tx - i / 2];
      }
      __syncthreads();
    }
    if (tx == (NUMBER_THREADS - 1)) {
      d_sums[bx * d_mul * NUMBER_THREADS] = d_psum[tx];
      d_sums2[bx * d_mul * NUMBER_THREADS] = d_psum2[tx];
    }
  } else {
    for (i = 2; i <= NUMBER_THREADS; i = 2 * i)
      if (nf >= i) df = i;
    for (i = 2; i <= df; i = 2 * i) {
      if ((tx + 1) % i == 0 && tx < df) {
        d_psum[tx] = d_psum[tx] + d_psum[tx - i / 2];
        d_psum2[tx] = d_psum2[tx] + d_psum2[tx - i / 2];
      }
      __syncthreads();
    }
    if (tx == (df - 1)) {
      for (i = (bx * NUMBER_THREADS) + df; i < (bx * NUMBER_THREADS) + nf; i++) {
        d_psum[tx] = d_psum[tx] + d_sums[i * d_mul];
        d_psum2[tx] = d_psum2[tx] + d_sums2[i * d_mul];
      }
      d_sums[bx * d_mul * NUMBER_THREADS] = d_psum[tx];
      d_sums2[bx * d_mul * NUMBER_THREADS] = d_psum2[tx];
    }
  }
}
__global__ void diffuse(Params p, const int *iN, const int *iS, const int *jE, const int *jW, fp q0sqr, const fp *I, fp *out) {
  int ei = blockIdx.x * NUMBER_THREADS + threadIdx.x, row = (ei + 1) % p.Nr - 1, col = (ei + 1) / p.Nr + 1 - 1;
  if ((ei + 1) % p.Nr == 0) { row = p.Nr - 1; col = col - 1; }
  if (ei < p.Ne) {
    fp Jc = I[ei], dN = I[iN[row] + p.Nr * col] - Jc, dS = I[iS[row] + p.Nr * col] - Jc, dW = I[row + p.Nr * jW[col]] - Jc, dE = I[row + p.Nr * jE[col]] - Jc;
    fp G2 = (dN * dN + dS * dS + dW * dW + dE * dE) / (Jc * Jc), L = (dN + dS + dW + dE) / Jc, num = (0.5 * G2) - ((1.0 / 16.0) * (L * L)), den = 1 + (0.25 * L);
    fp qsqr = num / (den * den);
    den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
    fp c = 1.0 / (1.0 + den);
    c = c < 0 ? 0 : c > 1 ? 1 : c;
    out[ei] = Jc + 0.25f * p.lambda * c * (dN + dS + dW + dE);
  }
}
int main() {
  Params p = {0, 20, 17, 0.5f};
  p.Ne = p.Nr * p.Nc;
  int n = p.Ne, mem = sizeof(fp) * n, *h[4], *d[4];
  for (int i = 0; i < 4; i++) cudaMallocHost(&h[i], sizeof(int) * 32), cudaMalloc((void **)&d[i], sizeof(int) * 32);
  for (int i = 0; i < 32; i++) h[0][i] = i ? i - 1 : 0, h[1][i] = i < p.Nr - 1 ? i + 1 : p.Nr - 1, h[2][i] = i < p.Nc - 1 ? i + 1 : p.Nc - 1, h[3][i] = i ? i - 1 : 0;
  for (int i = 0; i < 4; i++) cudaMemcpy(d[i], h[i], sizeof(int) * 32, cudaMemcpyHostToDevice);
  fp *image = (fp *)malloc(mem), *d_I, *d_out, *d_sums, *d_sums2, total, total2;
  double want = 0, want2 = 0, after = 0;
  for (int i = 0; i < n; i++) image[i] = rand() % 255, want += exp(image[i] / 255), want2 += exp(image[i] / 255) * exp(image[i] / 255);
  cudaMalloc((void **)&d_I, mem); cudaMalloc((void **)&d_out, mem); cudaMalloc((void **)&d_sums, mem); cudaMalloc((void **)&d_sums2, mem);
  cudaMemcpy(d_I, image, mem, cudaMemcpyHostToDevice);
  int blocks_x = n / NUMBER_THREADS + (n % NUMBER_THREADS != 0);
  extract<<<blocks_x, NUMBER_THREADS>>>(n, d_I);
  bool ok = true;
  for (int iter = 0; iter < 2; iter++) {
    prepare<<<blocks_x, NUMBER_THREADS>>>(n, d_I, d_sums, d_sums2);
    int blocks2 = blocks_x, no = n, mul = 1;
    while (blocks2 != 0) {
      reduce<<<blocks2, NUMBER_THREADS>>>(n, no, mul, d_sums, d_sums2);
      no = blocks2;
      if (blocks2 == 1) blocks2 = 0;
      else mul = mul * NUMBER_THREADS, blocks2 = blocks2 / NUMBER_THREADS + (blocks2 % NUMBER_THREADS != 0);
    }
    cudaMemcpy(&total, d_sums, sizeof(fp), cudaMemcpyDeviceToHost);
    cudaMemcpy(&total2, d_sums2, sizeof(fp), cudaMemcpyDeviceToHost);
    if (iter == 0) ok = fabs(total - want) < 1e-3 * want && fabs(total2 - want2) < 1e-3 * want2;
    fp mean = total / n, q0sqr = (total2 / n - mean * mean) / (mean * mean);
    diffuse<<<blocks_x, NUMBER_THREADS>>>(p, d[0], d[1], d[2], d[3], q0sqr, d_I, d_out);
    cudaMemcpy(d_I, d_out, mem, cudaMemcpyDeviceToDevice);
  }
  cudaMemcpy(image, d_I, mem, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) after += image[i];
  ok &= fabs(after - want) < 0.1 * want;
  printf("Computation Done: checksum %s\n", ok ? "agrees" : "DIFFERS");
  return !ok;
}
