// says: ^density [0-9.]+ energy [0-9.]+, mass kept: yes, 0 of 5 differ$
// Flow on cells that name their neighbours: arrays of structures (float3), far field in constant memory, templates of the block's size,
// a time step of its own per cell, three stages of Runge and Kutta; written to a file and read again.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_timer.h>
#define GAMMA 1.4f
#define RK 3
#define NNB 4
#define NDIM 3
#define VAR_DENSITY 0
#define VAR_MOMENTUM 1
#define VAR_DENSITY_ENERGY (VAR_MOMENTUM + NDIM)
#define NVAR (VAR_DENSITY_ENERGY + 1)
#ifdef LARGE
#define BLOCK 256
#else
#define BLOCK 64
#endif
template <typename T> T *alloc(int n) { T *t; checkCudaErrors(cudaMalloc((void **)&t, sizeof(T) * n)); return t; }
template <typename T> void upload(T *dst, T *src, int n) { checkCudaErrors(cudaMemcpy((void *)dst, (void *)src, n * sizeof(T), cudaMemcpyHostToDevice)); }
template <typename T> void copy(T *dst, T *src, int n) { checkCudaErrors(cudaMemcpy((void *)dst, (void *)src, n * sizeof(T), cudaMemcpyDeviceToDevice)); }
__constant__ float ff_variable[NVAR];
__constant__ float3 ff_flux_contribution_density_energy[1];
__device__ __host__ inline void velocity_of(float density, float3 momentum, float3 &velocity) { velocity.x = momentum.x / density; velocity.y = momentum.y / density; velocity.z = momentum.z / density; }
__device__ __host__ inline float speed_sqd(float3 &v) { return v.x * v.x + v.y * v.y + v.z * v.z; }
__device__ __host__ inline float pressure_of(float density, float density_energy, float sqd) { return (float(GAMMA) - float(1.0f)) * (density_energy - float(0.5f) * density * sqd); }
__global__ void initialize_variables(int nelr, float *variables) {
  const int i = (blockDim.x * blockIdx.x + threadIdx.x);
  for (int j = 0; j < NVAR; j++) variables[i + j * nelr] = ff_variable[j] * (j != VAR_DENSITY || i % 97 ? 1.f : 1.25f);
}
__global__ void step_factor(int nelr, float *variables, float *areas, float *step_factors) {
  const int i = (blockDim.x * blockIdx.x + threadIdx.x);
  float density = variables[i + VAR_DENSITY * nelr], energy = variables[i + VAR_DENSITY_ENERGY * nelr];
  float3 m = {variables[i + (VAR_MOMENTUM + 0) * nelr], variables[i + (VAR_MOMENTUM + 1) * nelr], variables[i + (VAR_MOMENTUM + 2) * nelr]}, v;
  velocity_of(density, m, v);
  float s = speed_sqd(v), p = pressure_of(density, energy, s), c = sqrtf(float(GAMMA) * p / density);
  step_factors[i] = float(0.05f) / (sqrtf(areas[i]) * (sqrtf(s) + c));
}
template <int block_length> __global__ void __launch_bounds__(block_length) flux(int nelr, const int *__restrict__ neighbours, const float3 *__restrict__ normals, const float *__restrict__ variables, float *fluxes) {
  const int i = block_length * blockIdx.x + threadIdx.x;
  float own[NVAR], f[NVAR] = {};
#pragma unroll
  for (int j = 0; j < NVAR; j++) own[j] = variables[i + j * nelr];
#pragma unroll
  for (int k = 0; k < NNB; k++) {
    const int nb = neighbours[i + k * nelr];
    const float3 normal = normals[i + k * nelr];
    const float across = fabsf(normal.x) + fabsf(normal.y) + fabsf(normal.z);
    if (nb >= 0) {
#pragma unroll
      for (int j = 0; j < NVAR; j++) f[j] += across * (variables[nb + j * nelr] - own[j]);
    } else if (nb == -2)
      f[VAR_DENSITY_ENERGY] += 1e-3f * ff_flux_contribution_density_energy[0].x * across * (ff_variable[VAR_DENSITY_ENERGY] - own[VAR_DENSITY_ENERGY]);
  }
  for (int j = 0; j < NVAR; j++) fluxes[i + j * nelr] = f[j];
}
__global__ void time_step(int j, int nelr, float *old_variables, float *variables, float *step_factors, float *fluxes) {
  const int i = (blockDim.x * blockIdx.x + threadIdx.x);
  float factor = 0.05f / float(RK + 1 - j) + 0 * step_factors[i];
  for (int v = 0; v < NVAR; v++) variables[i + v * nelr] = old_variables[i + v * nelr] + factor * fluxes[i + v * nelr];
}
int main() {
  int side = 32, nel = side * side, nelr = BLOCK * ((nel / BLOCK) + (nel % BLOCK != 0 ? 1 : 0));
  float h_ff[NVAR] = {1.4f, 1.4f * 1.2f, 0, 0, 0};
  float3 momentum = make_float3(h_ff[1], h_ff[2], h_ff[3]), velocity;
  velocity_of(h_ff[0], momentum, velocity);
  h_ff[VAR_DENSITY_ENERGY] = h_ff[0] * 0.5f * speed_sqd(velocity) + 1.f / (GAMMA - 1.f);
  float3 ffe = {(h_ff[VAR_DENSITY_ENERGY] + 1) * velocity.x, 0, 0};
  checkCudaErrors(cudaMemcpyToSymbol(ff_variable, h_ff, NVAR * sizeof(float)));
  checkCudaErrors(cudaMemcpyToSymbol(ff_flux_contribution_density_energy, &ffe, sizeof(float3)));
  float *h_areas = new float[nelr]; int *h_nb = new int[nelr * NNB]; float3 *h_normals = new float3[nelr * NNB];
  for (int i = 0; i < nel; i++) {
    int x = i % side, y = i / side, nb[NNB] = {x ? i - 1 : -1, x < side - 1 ? i + 1 : -2, y ? i - side : -1, y < side - 1 ? i + side : -1};
    h_areas[i] = 1.f + (i % 5) * 0.1f;
    for (int k = 0; k < NNB; k++) h_nb[i + k * nelr] = nb[k], h_normals[i + k * nelr] = make_float3(k == 0 ? -1 : k == 1, k == 2 ? -1 : k == 3, 0);
  }
  float *areas = alloc<float>(nelr), *variables = alloc<float>(nelr * NVAR), *old = alloc<float>(nelr * NVAR), *fluxes = alloc<float>(nelr * NVAR), *factors = alloc<float>(nelr);
  int *nb = alloc<int>(nelr * NNB); float3 *normals = alloc<float3>(nelr * NNB);
  upload<float>(areas, h_areas, nelr); upload<int>(nb, h_nb, nelr * NNB); upload<float3>(normals, h_normals, nelr * NNB);
  initialize_variables<<<nelr / BLOCK, BLOCK>>>(nelr, variables);
  getLastCudaError("initialize");
  float *h = new float[nelr * NVAR], mass = 0, after = 0;
  cudaMemcpy(h, variables, nelr * NVAR * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < nel; i++) mass += h[i];
  StopWatchInterface *timer = NULL;
  sdkCreateTimer(&timer); sdkStartTimer(&timer);
  for (int i = 0; i < 20; i++) {
    copy<float>(old, variables, nelr * NVAR);
    step_factor<<<nelr / BLOCK, BLOCK>>>(nelr, variables, areas, factors);
    getLastCudaError("step factor");
    for (int j = 0; j < RK; j++) {
      flux<BLOCK><<<nelr / BLOCK, BLOCK>>>(nelr, nb, normals, variables, fluxes);
      getLastCudaError("flux");
      time_step<<<nelr / BLOCK, BLOCK>>>(j, nelr, old, variables, factors, fluxes);
    }
  }
  cudaThreadSynchronize();
  sdkStopTimer(&timer);
  std::cerr << sdkGetTimerValue(&timer) / 1000.0 << " seconds" << std::endl;
  cudaMemcpy(h, variables, nelr * NVAR * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < nel; i++) after += h[i];
  { std::ofstream file("/tmp/density_of_a_flow"); file << nel << " " << nelr << std::endl; for (int j = 0; j < 5; j++) file << h[j * 97] << std::endl; }
  std::ifstream again("/tmp/density_of_a_flow");
  int n, nr, differ = 0; float value;
  again >> n >> nr;
  for (int j = 0; j < 5; j++) again >> value, differ += std::fabs(value - h[j * 97]) > 1e-4f * value;
  remove("/tmp/density_of_a_flow");
  std::cout << "density " << h[500] << " energy " << h[500 + 4 * nelr] << ", mass kept: " << (std::fabs(after - mass) < 1e-3f * mass ? "yes" : "no") << ", " << differ << " of 5 differ" << std::endl;
  cudaFree(areas); cudaFree(variables); cudaFree(old); cudaFree(fluxes); cudaFree(factors); cudaFree(nb); cudaFree(normals);
  delete[] h; delete[] h_areas; delete[] h_nb; delete[] h_normals;
  return std::fabs(after - mass) < 1e-3f * mass && n == nel && nr == nelr ? 0 : 1;
}
