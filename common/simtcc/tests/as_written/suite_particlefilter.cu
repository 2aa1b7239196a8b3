// says: ^XE: [0-9.]+ YE: [0-9.]+ weights sum to 1\.000$
// Particles: a linear congruential generator on the device, Box-Muller in double, a prefix sum by one thread, likelihood with long expressions.
#include <stdlib.h>
#include <stdio.h>
#include <math.h>
#include <limits.h>
#include <time.h>
#include <sys/time.h>
#define PI 3.1415926535897932
#define BLOCK_X 128
long M = INT_MAX;
int A = 1103515245, C = 12345;
const int threads_per_block = 128;
__host__ __device__ double randu(int *seed, int index) {
  int m = INT_MAX, a = 1103515245, c = 12345;
  unsigned num = (unsigned)a * (unsigned)seed[index] + c;
  seed[index] = num % m;
  return fabs(seed[index] / ((double)m));
}
__device__ double d_randn(int *seed, int index) {
  double u = randu(seed, index), v = randu(seed, index);
  double cosine = cos(2 * PI * v), rt = -2 * log(u);
  return sqrt(rt) * cosine;
}
__device__ double dev_round_double(double value) {
  int newValue = (int)(value);
  if (value - newValue < .5f) return newValue;
  else return newValue++;
}
__global__ void likelihood_kernel(double *arrayX, double *arrayY, double *xj, double *yj, double *weights, int *seed, double *partial_sums, double targetX, double targetY, int n) {
  int block_id = blockIdx.x, i = blockDim.x * block_id + threadIdx.x;
  __shared__ double buffer[BLOCK_X];
  if (i < n) {
    arrayX[i] = xj[i];
    arrayY[i] = yj[i];
    weights[i] = 1 / ((double)(n));
    arrayX[i] = arrayX[i] + 1.0 + 5.0 * d_randn(seed, i);
    arrayY[i] = arrayY[i] - 2.0 + 2.0 * d_randn(seed, i);
  }
  buffer[threadIdx.x] = 0.0;
  __syncthreads();
  if (i < n) {
    double dx = dev_round_double(arrayX[i]) - targetX, dy = dev_round_double(arrayY[i]) - targetY;
    weights[i] = weights[i] * exp(-(dx * dx + dy * dy) / 50);
    buffer[threadIdx.x] = weights[i];
  }
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) buffer[threadIdx.x] += buffer[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial_sums[blockIdx.x] = buffer[0];
  __syncthreads();
}
__global__ void sum_kernel(double *partial_sums, int blocks) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i == 0) {
    double sum = 0.0;
    for (int x = 0; x < blocks; x++) sum += partial_sums[x];
    partial_sums[0] = sum;
  }
}
__device__ void cdfCalc(double *CDF, double *weights, int n) {
  CDF[0] = weights[0];
  for (int x = 1; x < n; x++) CDF[x] = weights[x] + CDF[x - 1];
}
__global__ void normalize_weights_kernel(double *weights, int n, double *partial_sums, double *CDF, double *u, int *seed) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  __shared__ double u1, sumWeights;
  if (0 == threadIdx.x) sumWeights = partial_sums[0];
  __syncthreads();
  if (i < n) weights[i] = weights[i] / sumWeights;
  __syncthreads();
  if (i == 0) {
    cdfCalc(CDF, weights, n);
    u[0] = (1 / ((double)(n))) * randu(seed, i);
  }
  __syncthreads();
  if (0 == threadIdx.x) u1 = u[0];
  __syncthreads();
  if (i < n) u[i] = u1 + i / ((double)(n));
}
__global__ void find_index_kernel(double *arrayX, double *arrayY, double *CDF, double *u, double *xj, double *yj, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int index = -1, x;
    for (x = 0; x < n; x++)
      if (CDF[x] >= u[i]) { index = x; break; }
    if (index == -1) index = n - 1;
    xj[i] = arrayX[index];
    yj[i] = arrayY[index];
  }
  __syncthreads();
}
int main() {
  const int n = 100;
  double *d[7], host[n], xe = 0, ye = 0, sum = 0;
  int *seed, hs[n];
  for (int i = 0; i < 7; i++) cudaMalloc((void **)&d[i], sizeof(double) * n);
  cudaMalloc((void **)&seed, sizeof(int) * n);
  for (int i = 0; i < n; i++) hs[i] = 1000 + i * i, host[i] = 20;
  cudaMemcpy(seed, hs, sizeof hs, cudaMemcpyHostToDevice);
  cudaMemcpy(d[2], host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(d[3], host, sizeof host, cudaMemcpyHostToDevice);
  int num_blocks = ceil((double)n / (double)threads_per_block);
  for (int k = 1; k < 4; k++) {
    likelihood_kernel<<<num_blocks, threads_per_block>>>(d[0], d[1], d[2], d[3], d[4], seed, d[5], 20 + k, 20 - 2 * k, n);
    sum_kernel<<<num_blocks, threads_per_block>>>(d[5], num_blocks);
    normalize_weights_kernel<<<num_blocks, threads_per_block>>>(d[4], n, d[5], d[6], d[5], seed);
    find_index_kernel<<<num_blocks, threads_per_block>>>(d[0], d[1], d[6], d[5], d[2], d[3], n);
  }
  cudaThreadSynchronize();
  double ax[n], ay[n];
  cudaMemcpy(ax, d[0], sizeof ax, cudaMemcpyDeviceToHost);
  cudaMemcpy(ay, d[1], sizeof ay, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, d[4], sizeof host, cudaMemcpyDeviceToHost);
  for (int x = 0; x < n; x++) xe += ax[x] * host[x], ye += ay[x] * host[x], sum += host[x];
  printf("XE: %lf YE: %lf weights sum to %.3f\n", xe, ye, sum);
  return !(fabs(xe - 23) < 4 && fabs(ye - 14) < 4);
}
