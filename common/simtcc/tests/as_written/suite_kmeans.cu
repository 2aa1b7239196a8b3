// args: -k 4 -m 20 --threshold 0.001
// says: ^converged: memberships 0 differ
// Clusters: getopt_long, constant centres in two dimensions, a 2-D array by rows of pointers, shared privatised sums.
#include <stdio.h>
#include <stdlib.h>
#include <float.h>
#include <math.h>
#include <getopt.h>
#define NFEATURES 3
#define MAXK 16
#define CUDA_ERRCK() { cudaError_t err = cudaGetLastError(); if (err) { printf("%s in %s at %d\n", cudaGetErrorString(err), __FUNCTION__, __LINE__); abort(); } }
__constant__ float c_clusters[MAXK * NFEATURES];
__global__ void invert_mapping(float *input, float *output, int npoints, int nfeatures) {
  int point_id = threadIdx.x + blockDim.x * blockIdx.x;
  if (point_id < npoints)
    for (int i = 0; i < nfeatures; i++) output[point_id + npoints * i] = input[point_id * nfeatures + i];
}
__global__ void assign(const float *__restrict__ features, int n, int k, int *membership, int *delta, float *sums, int *counts) {
  extern __shared__ float s_sums[];
  int *s_counts = (int *)(s_sums + k * NFEATURES);
  for (int i = threadIdx.x; i < k * NFEATURES; i += blockDim.x) s_sums[i] = 0.f;
  for (int i = threadIdx.x; i < k; i += blockDim.x) s_counts[i] = 0;
  __syncthreads();
  const unsigned point_id = blockIdx.x * blockDim.x + threadIdx.x;
  bool changed = false;
  if (point_id < n) {
    int index = -1;
    float min_dist = FLT_MAX;
    for (int i = 0; i < k; i++) {
      float ans = 0.0;
      for (int j = 0; j < NFEATURES; j++) {
        float diff = features[point_id + j * n] - c_clusters[i * NFEATURES + j];
        ans += diff * diff;
      }
      if (ans < min_dist) min_dist = ans, index = i;
    }
    changed = membership[point_id] != index;
    membership[point_id] = index;
    for (int j = 0; j < NFEATURES; j++) atomicAdd(s_sums + index * NFEATURES + j, features[point_id + j * n]);
    atomicAdd(&s_counts[index], 1);
  }
  int moved = __syncthreads_count(changed);
  if (threadIdx.x == 0) atomicAdd(delta, moved);
  for (int i = threadIdx.x; i < k * NFEATURES; i += blockDim.x) atomicAdd(sums + i, s_sums[i]);
  for (int i = threadIdx.x; i < k; i += blockDim.x) atomicAdd(counts + i, s_counts[i]);
}
int main(int argc, char **argv) {
  int opt, k = 2, iterations = 10, n = 500, loop = 0, delta;
  float threshold = 0.01f;
  static struct option longopts[] = {{"threshold", required_argument, NULL, 't'}, {NULL, 0, NULL, 0}};
  while ((opt = getopt_long(argc, argv, "k:m:t:", longopts, NULL)) != EOF) {
    if (opt == 'k') k = atoi(optarg);
    else if (opt == 'm') iterations = atoi(optarg);
    else if (opt == 't') threshold = strtof(optarg, NULL);
    else return 2;
  }
  float **features = (float **)malloc(n * sizeof(float *)), *buf = (float *)malloc(n * NFEATURES * sizeof(float)), clusters[MAXK][NFEATURES];
  for (int i = 0; i < n; i++) {
    features[i] = buf + i * NFEATURES;
    for (int j = 0; j < NFEATURES; j++) features[i][j] = (i * 7 % k) * 10 + (float)(rand() % 1000) / 200;
  }
  for (int c = 0; c < k; c++) for (int j = 0; j < NFEATURES; j++) clusters[c][j] = features[c][j];
  float *d_in, *d_feat, *d_sums, sums[MAXK * NFEATURES];
  int *d_member, *d_delta, *d_counts, counts[MAXK];
  cudaMalloc(&d_in, n * NFEATURES * 4); cudaMalloc(&d_feat, n * NFEATURES * 4); cudaMalloc(&d_sums, sizeof sums);
  cudaMalloc(&d_member, n * 4); cudaMalloc(&d_delta, 4); cudaMalloc(&d_counts, sizeof counts);
  cudaMemcpy(d_in, features[0], n * NFEATURES * 4, cudaMemcpyHostToDevice);
  cudaMemset(d_member, 0xff, n * 4);
  invert_mapping<<<(n + 127) / 128, 128>>>(d_in, d_feat, n, NFEATURES);
  CUDA_ERRCK();
  do {
    cudaMemcpyToSymbol(c_clusters, clusters, k * NFEATURES * sizeof(float));
    cudaMemset(d_sums, 0, sizeof sums); cudaMemset(d_counts, 0, sizeof counts); cudaMemset(d_delta, 0, 4);
    assign<<<(n + 127) / 128, 128, k * NFEATURES * sizeof(float) + k * sizeof(int)>>>(d_feat, n, k, d_member, d_delta, d_sums, d_counts);
    CUDA_ERRCK();
    cudaMemcpy(&delta, d_delta, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, d_sums, k * NFEATURES * 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(counts, d_counts, k * 4, cudaMemcpyDeviceToHost);
    if (delta == 0) break;
    for (int c = 0; c < k; c++) for (int j = 0; j < NFEATURES; j++) if (counts[c] > 0) clusters[c][j] = sums[c * NFEATURES + j] / counts[c];
  } while (delta > threshold * n && ++loop < iterations);
  int *member = (int *)malloc(n * 4), differ = 0;
  cudaMemcpy(member, d_member, n * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) {
    int best = -1; float dist = FLT_MAX;
    for (int c = 0; c < k; c++) { float d = 0; for (int j = 0; j < NFEATURES; j++) d += powf(features[i][j] - clusters[c][j], 2); if (d < dist) dist = d, best = c; }
    differ += best != member[i];
  }
  printf("%s: memberships %d differ, %d loops\n", loop < iterations ? "converged" : "stopped", differ, loop);
  return differ != 0;
}
