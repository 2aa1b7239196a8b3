// says: ^magnetisation agrees with its spins: 1$
// A checkerboard of spins with cuRAND's states on the device, signed chars and a template for the colour.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#define TCRIT 2.26918531421f
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))

__global__ void init_states(curandStatePhilox4_32_10_t *states, unsigned long long seed, int n) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  if (id < n) curand_init(seed, id, 0, &states[id]);
}
__global__ void init_spins(signed char *lattice, curandStatePhilox4_32_10_t *states, int n) {
  const int tid = threadIdx.x + blockDim.x * blockIdx.x;
  if (tid >= n) return;
  curandStatePhilox4_32_10_t local = states[tid];
  const float4 r = curand_uniform4(&local);
  lattice[tid] = r.x < 0.5f ? -1 : 1;
  states[tid] = local;
}
template <bool is_black>
__global__ void update_lattice(signed char *lattice, const signed char *__restrict__ op_lattice, curandStatePhilox4_32_10_t *states,
                               const float inv_temp, const int nx, const int ny) {
  const int tid = blockDim.x * blockIdx.x + threadIdx.x;
  const int i = tid / ny, j = tid % ny;
  if (i >= nx || j >= ny) return;
  int ipp = (i + 1 < nx) ? i + 1 : 0, inn = (i - 1 >= 0) ? i - 1 : nx - 1;
  int jpp = (j + 1 < ny) ? j + 1 : 0, jnn = (j - 1 >= 0) ? j - 1 : ny - 1;
  int joff = is_black ? ((i % 2) ? jpp : jnn) : ((i % 2) ? jnn : jpp);
  signed char nn_sum = op_lattice[inn * ny + j] + op_lattice[i * ny + j] + op_lattice[ipp * ny + j] + op_lattice[i * ny + joff];
  signed char lij = lattice[i * ny + j];
  float acceptance_ratio = exp(-2.0f * inv_temp * nn_sum * lij);
  if (curand_uniform(&states[tid]) < acceptance_ratio) lattice[i * ny + j] = -lij;
}
__global__ void magnetisation(const signed char *a, int n, unsigned long long *sum) {
  long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += a[i];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffffu, mine, offset);
  if ((threadIdx.x & (warpSize - 1)) == 0) atomicAdd(sum, static_cast<unsigned long long>(mine));
}
int main() {
  const int nx = 24, ny = 16, n = nx * ny, iterations = 4;
  signed char *black, *white;
  curandStatePhilox4_32_10_t *states;
  unsigned long long *sum;
  cudaMalloc((void **)&black, n * sizeof(*black));
  cudaMalloc((void **)&white, n * sizeof(*white));
  cudaMalloc((void **)&states, n * sizeof(*states));
  cudaMallocManaged(&sum, sizeof(*sum));
  *sum = 0;
  int blocks = DIV_UP(n, 128);
  init_states<<<blocks, 128>>>(states, 1234ULL, n);
  init_spins<<<blocks, 128>>>(black, states, n);
  init_spins<<<blocks, 128>>>(white, states, n);
  for (int i = 0; i < iterations; i++) {
    update_lattice<true><<<blocks, 128>>>(black, white, states, 1.0f / (0.5f * TCRIT), nx, ny);
    update_lattice<false><<<blocks, 128>>>(white, black, states, 1.0f / (0.5f * TCRIT), nx, ny);
  }
  magnetisation<<<2, 64>>>(black, n, sum);
  magnetisation<<<2, 64>>>(white, n, sum);
  cudaDeviceSynchronize();
  signed char *h = (signed char *)malloc(2 * n);
  cudaMemcpy(h, black, n, cudaMemcpyDeviceToHost);
  cudaMemcpy(h + n, white, n, cudaMemcpyDeviceToHost);
  long long want = 0;
  bool spins = true;
  for (int i = 0; i < 2 * n; i++) want += h[i], spins &= h[i] == 1 || h[i] == -1;
  printf("magnetisation agrees with its spins: %d\n", spins && want == (long long)*sum);
  free(h);
  cudaDeviceReset();
  return 0;
}
