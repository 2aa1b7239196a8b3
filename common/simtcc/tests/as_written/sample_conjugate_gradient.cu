// says: ^&&&& sample PASSED$
// A solver in one cooperative kernel, sized by the occupancy calls, with managed memory and a double sum by atomics.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <stdio.h>
#include <stdlib.h>
namespace cg = cooperative_groups;
#define THREADS_PER_BLOCK 128

void genTridiag(int *I, int *J, float *val, int N, int nz) {
  int at = 0;
  for (int i = 0; i < N; i++) {
    I[i] = at;
    for (int j = i - 1; j <= i + 1; j++)
      if (j >= 0 && j < N) J[at] = j, val[at++] = j == i ? 10.0f + (float)rand() / RAND_MAX : (float)0.5;
  }
  I[N] = nz;
}
__device__ void gpuSpMV(int *I, int *J, float *val, int num_rows, float alpha, float *x, float *y, const cg::grid_group &grid) {
  for (int i = grid.thread_rank(); i < num_rows; i += grid.size()) {
    float output = 0.0f;
    for (int j = I[i]; j < I[i + 1]; j++) output += alpha * val[j] * x[J[j]];
    y[i] = output;
  }
}
__device__ void gpuDotProduct(float *a, float *b, double *result, int size, const cg::thread_block &cta, const cg::grid_group &grid) {
  extern __shared__ double tmp[];
  double temp_sum = 0.0;
  for (int i = grid.thread_rank(); i < size; i += grid.size()) temp_sum += (double)(a[i] * b[i]);
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  temp_sum = cg::reduce(tile32, temp_sum, cg::plus<double>());
  if (tile32.thread_rank() == 0) tmp[tile32.meta_group_rank()] = temp_sum;
  cg::sync(cta);
  if (tile32.meta_group_rank() == 0) {
    temp_sum = tile32.thread_rank() < tile32.meta_group_size() ? tmp[tile32.thread_rank()] : 0.0;
    temp_sum = cg::reduce(tile32, temp_sum, cg::plus<double>());
    if (tile32.thread_rank() == 0) atomicAdd(result, temp_sum);
  }
  cg::sync(cta);
}
extern "C" __global__ void gpuConjugateGradient(int *I, int *J, float *val, float *x, float *Ax, float *p, float *r, double *dot_result,
                                                int nnz, int N, float tol) {
  cg::thread_block cta = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  int max_iter = 200;
  float alpha = 1.0, r0 = 0.0, r1, beta, a;
  gpuSpMV(I, J, val, N, alpha, x, Ax, grid);
  cg::sync(grid);
  for (int i = grid.thread_rank(); i < N; i += grid.size()) r[i] += -alpha * Ax[i];
  cg::sync(grid);
  gpuDotProduct(r, r, dot_result, N, cta, grid);
  cg::sync(grid);
  r1 = *dot_result;
  int k = 1;
  while (r1 > tol * tol && k <= max_iter) {
    beta = k > 1 ? r1 / r0 : 0.f;
    for (int i = grid.thread_rank(); i < N; i += grid.size()) p[i] = k > 1 ? r[i] + beta * p[i] : r[i];
    cg::sync(grid);
    gpuSpMV(I, J, val, N, alpha, p, Ax, grid);
    if (grid.thread_rank() == 0) *dot_result = 0.0;
    cg::sync(grid);
    gpuDotProduct(p, Ax, dot_result, N, cta, grid);
    cg::sync(grid);
    a = r1 / *dot_result;
    for (int i = grid.thread_rank(); i < N; i += grid.size()) x[i] += a * p[i], r[i] -= a * Ax[i];
    r0 = r1;
    cg::sync(grid);
    if (grid.thread_rank() == 0) *dot_result = 0.0;
    cg::sync(grid);
    gpuDotProduct(r, r, dot_result, N, cta, grid);
    cg::sync(grid);
    r1 = *dot_result;
    k++;
  }
}
int main(int argc, char **argv) {
  int N = 512, nz = (N - 2) * 3 + 4, *I, *J;
  float *val, *x, *rhs, *r, *p, *Ax;
  const float tol = 1e-5f;
  double *dot_result;
  cudaDeviceProp deviceProp;
  int devID = findCudaDevice(argc, (const char **)argv);
  checkCudaErrors(cudaGetDeviceProperties(&deviceProp, devID));
  if (!deviceProp.managedMemory || !deviceProp.cooperativeLaunch) {
    fprintf(stderr, "waived\n");
    exit(EXIT_WAIVED);
  }
  checkCudaErrors(cudaMallocManaged(&I, sizeof(int) * (N + 1)));
  checkCudaErrors(cudaMallocManaged((void **)&J, sizeof(int) * nz));
  checkCudaErrors(cudaMallocManaged((void **)&val, sizeof(float) * nz));
  genTridiag(I, J, val, N, nz);
  for (float **v : {&x, &rhs, &r, &p, &Ax}) checkCudaErrors(cudaMallocManaged((void **)v, sizeof(float) * N));
  checkCudaErrors(cudaMallocManaged((void **)&dot_result, sizeof(double)));
  *dot_result = 0.0;
  for (int i = 0; i < N; i++) r[i] = rhs[i] = 1.0, x[i] = 0.0;
  void *kernelArgs[] = {(void *)&I, (void *)&J, (void *)&val, (void *)&x, (void *)&Ax, (void *)&p,
                        (void *)&r, (void *)&dot_result, (void *)&nz, (void *)&N, (void *)&tol};
  int sMemSize = sizeof(double) * ((THREADS_PER_BLOCK / 32) + 1), numBlocksPerSm = 0;
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocksPerSm, gpuConjugateGradient, THREADS_PER_BLOCK, sMemSize));
  dim3 dimGrid(min(4, deviceProp.multiProcessorCount * numBlocksPerSm), 1, 1), dimBlock(THREADS_PER_BLOCK, 1, 1);
  checkCudaErrors(cudaLaunchCooperativeKernel((void *)gpuConjugateGradient, dimGrid, dimBlock, kernelArgs, sMemSize, NULL));
  checkCudaErrors(cudaDeviceSynchronize());
  float err = 0.0;
  for (int i = 0; i < N; i++) {
    float rsum = 0.0;
    for (int j = I[i]; j < I[i + 1]; j++) rsum += val[j] * x[J[j]];
    err = fmaxf(err, fabsf(rsum - rhs[i]));
  }
  printf("GPU Final, residual = %e, error amount = %f\n", sqrt(*dot_result), err);
  printf("&&&& sample %s\n", (sqrt(*dot_result) < tol * 2 && err < 1e-4) ? "PASSED" : "FAILED");
  return !(err < 1e-4);
}
