// says: ^DCT and back: PSNR above 40 dB: yes$
// 8 x 8 transforms of an image: constant tables, 24-bit multiplications, pitched copies, volatile rows in one warp.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define BLOCK_SIZE 8
#define IMAD(a, b, c) (__mul24((a), (b)) + (c))
#define C_norm 0.3535533905932737f
__constant__ short Q[64];
__constant__ float DCTv8matrix[BLOCK_SIZE * BLOCK_SIZE];
inline __device__ void transform(volatile float *d, int step, bool inverse) {
  float v[8], r[8];
#pragma unroll
  for (int i = 0; i < 8; i++) v[i] = d[i * step];
  for (int k = 0; k < 8; k++) {
    r[k] = 0.f;
#pragma unroll
    for (int i = 0; i < 8; i++) r[k] += v[i] * (inverse ? DCTv8matrix[i * 8 + k] : DCTv8matrix[k * 8 + i]);
  }
#pragma unroll
  for (int i = 0; i < 8; i++) d[i * step] = r[i];
}
__global__ void blocks8x8(float *dst, const float *src, int stride, bool inverse) {
  __shared__ float block[4 * 8 * (32 + 1)];
  const int ox = (blockIdx.x << 5), oy = (blockIdx.y << 5), tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
  float *tile = block + tz * 8 * 33 + ty * 8;
  src += IMAD(oy + tz * 8, stride, ox + ty * 8 + tx);
  dst += IMAD(oy + tz * 8, stride, ox + ty * 8 + tx);
  for (int i = 0; i < 8; i++) tile[i * 33 + tx] = inverse ? src[i * stride] * Q[i * 8 + tx] : src[i * stride];
  __syncwarp();
  transform(tile + tx * 33, 1, inverse);
  __syncwarp();
  transform(tile + tx, 33, inverse);
  for (int i = 0; i < 8; i++) dst[i * stride] = inverse ? tile[i * 33 + tx] : rintf(tile[i * 33 + tx] / Q[i * 8 + tx]);
}
int main(int argc, char **argv) {
  const int w = 64, h = 64;
  float img[h][w], back[h][w], table[64];
  short q[64];
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < 8; i++) {
      table[k * 8 + i] = k ? 0.5f * cosf((2 * i + 1) * k * M_PI / 16) : C_norm;
      q[k * 8 + i] = 1 + (k + i) / 4;
    }
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) img[y][x] = 100 + 50 * sinf(x * 0.2f) * cosf(y * 0.1f) + rand() % 8 - 128;
  cudaMemcpyToSymbol(DCTv8matrix, table, sizeof table);
  cudaMemcpyToSymbol(Q, q, sizeof q);
  float *src, *dst;
  size_t pitch;
  cudaMallocPitch((void **)&src, &pitch, w * sizeof(float), h);
  cudaMallocPitch((void **)&dst, &pitch, w * sizeof(float), h);
  cudaMemcpy2D(src, pitch, img, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
  dim3 threads(8, 4, 4), grid(w / 32, h / 32);
  blocks8x8<<<grid, threads>>>(dst, src, (int)(pitch / sizeof(float)), false);
  blocks8x8<<<grid, threads>>>(src, dst, (int)(pitch / sizeof(float)), true);
  cudaMemcpy2D(back, w * sizeof(float), src, pitch, w * sizeof(float), h, cudaMemcpyDeviceToHost);
  double mse = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) mse += (img[y][x] - back[y][x]) * (img[y][x] - back[y][x]);
  mse /= w * h;
  const double psnr = 10 * log10(255. * 255 / mse);
  printf("DCT and back: PSNR above 40 dB: %s\n", psnr > 40 && psnr < 90 ? "yes" : "no");
  return psnr <= 40;
}
