// says: ^opened [0-9]+ centres, cost [0-9.]+, 0 of 4 threads differ$
// Facility location: pthreads with barriers around one kernel per step, pinned host memory, a macro that times calls, coordinates transposed on the host.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>
#define THREADS_PER_BLOCK 128
#define NPROC 4
#define CUDA_SAFE_CALL(call) do { cudaError_t err = call; if (cudaSuccess != err) { fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__, cudaGetErrorString(err)); exit(EXIT_FAILURE); } } while (0)
typedef struct { float weight; float *coord; long assign; float cost; } Point;
typedef struct { long num; int dim; Point *p; } Points;
typedef struct { int id; double part; } Arg;
static Points points; static bool *switch_membership; static int *center_table, centers = 1; static float *coord_d, *coord_h, *work_mem_h, *work_mem_d; static Point *p; static int *center_table_d; static bool *switch_membership_d;
static pthread_barrier_t barrier; static double costs[NPROC]; static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; static int tried = 0;
__device__ float d_dist(int p1, int p2, int num, int dim, float *coord_d) {
  float retval = 0.0;
  for (int i = 0; i < dim; i++) { float tmp = coord_d[(i * num) + p1] - coord_d[(i * num) + p2]; retval += tmp * tmp; }
  return retval;
}
__global__ void kernel_compute_cost(int num, int dim, long x, Point *p, int K, int stride, float *coord_d, float *work_mem_d, int *center_table_d, bool *switch_membership_d) {
  const int bid = blockIdx.x + gridDim.x * blockIdx.y;
  const int tid = blockDim.x * bid + threadIdx.x;
  if (tid < num) {
    float *lower = &work_mem_d[tid * stride];
    float x_cost = d_dist(tid, x, num, dim, coord_d) * p[tid].weight;
    if (x_cost < p[tid].cost) {
      switch_membership_d[tid] = 1;
      lower[K] += x_cost - p[tid].cost;
    } else lower[center_table_d[p[tid].assign]] += p[tid].cost - x_cost;
  }
}
static double gain(long x, float z) {
  int stride = centers + 1, count = 0;
  for (int i = 0; i < points.num; i++) if (points.p[i].assign == i) center_table[i] = count++;
  CUDA_SAFE_CALL(cudaMemcpy(center_table_d, center_table, points.num * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_SAFE_CALL(cudaMemcpy(p, points.p, points.num * sizeof(Point), cudaMemcpyHostToDevice));
  CUDA_SAFE_CALL(cudaMemset((void *)switch_membership_d, 0, points.num * sizeof(bool)));
  CUDA_SAFE_CALL(cudaMemset((void *)work_mem_d, 0, stride * points.num * sizeof(float)));
  int num_blocks = (int)((float)(points.num + THREADS_PER_BLOCK - 1) / (float)THREADS_PER_BLOCK), num_blocks_y = (num_blocks + 65535) / 65536, num_blocks_x = (num_blocks + num_blocks_y - 1) / num_blocks_y;
  dim3 grid_size(num_blocks_x, num_blocks_y, 1);
  kernel_compute_cost<<<grid_size, THREADS_PER_BLOCK>>>(points.num, points.dim, x, p, centers, stride, coord_d, work_mem_d, center_table_d, switch_membership_d);
  cudaDeviceSynchronize();
  CUDA_SAFE_CALL(cudaGetLastError());
  CUDA_SAFE_CALL(cudaMemcpy(work_mem_h, work_mem_d, stride * points.num * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_SAFE_CALL(cudaMemcpy(switch_membership, switch_membership_d, points.num * sizeof(bool), cudaMemcpyDeviceToHost));
  double cost = z;
  for (int i = 0; i < points.num; i++) cost += work_mem_h[i * stride + centers];
  if (cost < 0) {
    for (int i = 0; i < points.num; i++) if (switch_membership[i]) { float d = 0; for (int j = 0; j < points.dim; j++) { float t = points.p[i].coord[j] - points.p[x].coord[j]; d += t * t; } points.p[i].cost = d * points.p[i].weight; points.p[i].assign = x; }
    centers = 0;
    for (int i = 0; i < points.num; i++) { bool used = false; for (int k = 0; k < points.num && !used; k++) used = points.p[k].assign == i; if (used) points.p[i].assign = i, centers++; }
  }
  return -cost;
}
static void *search(void *arg_) {
  Arg *arg = (Arg *)arg_;
  for (int step = 0; step < 6; step++) {
    pthread_barrier_wait(&barrier);
    if (arg->id == 0) gain((step * 83 + 11) % points.num, 40.f);
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&lock); tried++; pthread_mutex_unlock(&lock);
    arg->part = 0;
    for (int i = arg->id; i < points.num; i += NPROC) arg->part += points.p[i].cost;
  }
  costs[arg->id] = arg->part;
  return NULL;
}
int main(void) {
  points.num = 300; points.dim = 5; points.p = (Point *)malloc(points.num * sizeof(Point));
  float *block = (float *)malloc(points.num * points.dim * sizeof(float));
  srand48(7);
  for (int i = 0; i < points.num; i++) {
    points.p[i].coord = block + i * points.dim; points.p[i].weight = 1; points.p[i].assign = 0;
    for (int j = 0; j < points.dim; j++) points.p[i].coord[j] = (i % 4) * 3 + (float)lrand48() / (float)0x7fffffff;
  }
  for (int i = 0; i < points.num; i++) { points.p[i].cost = 0; for (int j = 0; j < points.dim; j++) { float t = points.p[i].coord[j] - points.p[0].coord[j]; points.p[i].cost += t * t; } }
  switch_membership = (bool *)malloc(points.num * sizeof(bool)); center_table = (int *)calloc(points.num, sizeof(int));
  CUDA_SAFE_CALL(cudaMallocHost((void **)&work_mem_h, points.num * 16 * sizeof(float)));
  CUDA_SAFE_CALL(cudaMallocHost((void **)&coord_h, points.num * points.dim * sizeof(float)));
  for (int i = 0; i < points.dim; i++) for (int j = 0; j < points.num; j++) coord_h[points.num * i + j] = points.p[j].coord[i];
  CUDA_SAFE_CALL(cudaMalloc((void **)&work_mem_d, points.num * 16 * sizeof(float)));
  CUDA_SAFE_CALL(cudaMalloc((void **)&coord_d, points.num * points.dim * sizeof(float)));
  CUDA_SAFE_CALL(cudaMalloc((void **)&center_table_d, points.num * sizeof(int)));
  CUDA_SAFE_CALL(cudaMalloc((void **)&p, points.num * sizeof(Point)));
  CUDA_SAFE_CALL(cudaMalloc((void **)&switch_membership_d, points.num * sizeof(bool)));
  CUDA_SAFE_CALL(cudaMemcpy(coord_d, coord_h, points.num * points.dim * sizeof(float), cudaMemcpyHostToDevice));
  pthread_t threads[NPROC]; Arg args[NPROC];
  pthread_barrier_init(&barrier, NULL, NPROC);
  for (int i = 0; i < NPROC; i++) { args[i].id = i; pthread_create(threads + i, NULL, search, (void *)&args[i]); }
  for (int i = 0; i < NPROC; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
  double cost = 0; int differ = tried != 6 * NPROC;
  for (int i = 0; i < NPROC; i++) cost += costs[i], differ += costs[i] != args[i].part;
  for (int i = 0; i < points.num; i++) { float d = 0; for (int j = 0; j < points.dim; j++) { float t = points.p[i].coord[j] - points.p[points.p[i].assign].coord[j]; d += t * t; } differ += d - points.p[i].cost > 1e-4f || points.p[i].cost - d > 1e-4f; }
  printf("opened %d centres, cost %.3f, %d of %d threads differ\n", centers, cost, differ, NPROC);
  cudaFreeHost(work_mem_h); cudaFreeHost(coord_h); cudaFree(work_mem_d); cudaFree(coord_d); cudaFree(center_table_d); cudaFree(p); cudaFree(switch_membership_d);
  return differ != 0;
}
