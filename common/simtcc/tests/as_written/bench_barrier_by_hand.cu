// A hand-made barrier of the grid, in more blocks than a small GPU has multiprocessors.
// args: 108 64
// prints: no error 100
#include <cstdio>
#include <cstdlib>
__device__ unsigned arrived = 0; __device__ volatile unsigned gen = 0;
__device__ void gridBarrier() { __syncthreads(); if (threadIdx.x == 0) { unsigned g = gen; __threadfence(); if (atomicAdd(&arrived, 1) == gridDim.x - 1) { arrived = 0; __threadfence(); gen = g + 1; } else while (gen == g); __threadfence(); } __syncthreads(); }
__global__ void jac(float *a, float *b, int n, int it) { for (int k = 0; k < it; k++) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) b[i] = .5f * (a[i ? i - 1 : 0] + a[i < n - 1 ? i + 1 : i]); gridBarrier(); float *t = a; a = b; b = t; } }
int main(int c, char **v) { int G = atoi(v[1]), B = atoi(v[2]), n = 50000; float *a, *b; cudaMallocManaged(&a, n * 4); cudaMallocManaged(&b, n * 4); for (int i = 0; i < n; i++) a[i] = i; jac<<<G, B>>>(a, b, n, 6); printf("%s %g\n", cudaGetErrorString(cudaDeviceSynchronize()), a[100]); }
