// Clusters of blocks: by an attribute of the kernel and of the launch, shared memory of other blocks, their atomics, in
// two dimensions, and of launches without any.
#include <cooperative_groups.h>

#include <cstdio>
namespace cg = cooperative_groups;

// Each cluster sums up a row; its first block reads what the others have.
__global__ void __cluster_dims__(4, 1, 1) sumRows(const int *x, int columns, int *sums) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ int part;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  const int row = blockIdx.x / 4;
  for (int i = cluster.thread_rank(); i < columns; i += cluster.num_threads()) atomicAdd(&part, x[row * columns + i]);
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned r = 0; r < cluster.num_blocks(); ++r) sum += *cluster.map_shared_rank(&part, r);
    sums[row] = sum;
  }
  cluster.sync();  // or a block might end while its part is read
}
// Bins in the shared memory of all blocks of a cluster.
__global__ void histogram(const int *x, int n, int *bins, int each) {
  extern __shared__ int mine[];
  const auto cluster = cg::this_cluster();
  if (threadIdx.x < each) mine[threadIdx.x] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(cluster.map_shared_rank(mine, x[i] / each) + x[i] % each, 1);
  cluster.sync();
  if (threadIdx.x < each) atomicAdd(&bins[cluster.block_rank() * each + threadIdx.x], mine[threadIdx.x]);
}
// Every block gives its number to the next one of its cluster, which has written nothing there.
__global__ void passOn(int *from) {
  __shared__ int given;
  const auto cluster = cg::this_cluster();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  int *const there = cluster.map_shared_rank(&given, next);
  cluster.sync();
  if (threadIdx.x == 0) *there = blockIdx.y * gridDim.x + blockIdx.x;
  cluster.sync();
  if (threadIdx.x == 0) from[blockIdx.y * gridDim.x + blockIdx.x] = given;
}

static cudaError_t launch(cudaLaunchConfig_t &config, unsigned x, unsigned y, cudaLaunchAttribute *attribute) {
  attribute->id = cudaLaunchAttributeClusterDimension;
  attribute->val.clusterDim.x = x, attribute->val.clusterDim.y = y, attribute->val.clusterDim.z = 1;
  config.attrs = attribute, config.numAttrs = 1;
  return cudaSuccess;
}

int main() {
  const int rows = 3, columns = 1000, n = rows * columns;
  int *x, *sums, *bins, *from;
  cudaMallocManaged(&x, n * sizeof(int)), cudaMallocManaged(&sums, rows * sizeof(int));
  cudaMallocManaged(&bins, 64 * sizeof(int)), cudaMallocManaged(&from, 24 * sizeof(int));
  for (int i = 0; i < n; ++i) x[i] = i * 7 % 64;
  sumRows<<<4 * rows, 64>>>(x, columns, sums);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < columns; ++i) sums[row] -= x[row * columns + i];
    wrong += sums[row] != 0;
  }
  cudaLaunchAttribute attribute;
  cudaLaunchConfig_t config{};
  config.gridDim = 8, config.blockDim = 64, config.dynamicSmemBytes = 32 * sizeof(int);
  launch(config, 2, 1, &attribute);
  for (int i = 0; i < 64; ++i) bins[i] = 0;
  wrong += cudaLaunchKernelEx(&config, histogram, (const int *)x, n, bins, 32) != cudaSuccess;
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) --bins[x[i]];
  for (int i = 0; i < 64; ++i) wrong += bins[i] != 0;
  config.gridDim = dim3(6, 4), config.blockDim = 32;
  launch(config, 3, 2, &attribute);
  wrong += cudaLaunchKernelEx(&config, passOn, from) != cudaSuccess;
  cudaDeviceSynchronize();
  int most = 0, active = 0;
  wrong += cudaOccupancyMaxPotentialClusterSize(&most, passOn, &config) != cudaSuccess || most != 8;
  wrong += cudaOccupancyMaxActiveClusters(&active, passOn, &config) != cudaSuccess || active < 1;
  // Block (0, 1) of the second cluster of a row is (3, 1): its rank is 3, and (5, 0), of rank 2, gave it its number.
  printf("%d wrong, %d from %d, %d from %d\n", wrong, 3 * 1 + 6, from[9], 0, from[0]);
  passOn<<<2, 32>>>(from);  // clusters of one block
  cudaDeviceSynchronize();
  launch(config, 4, 1, &attribute);
  printf("alone %d %d, not divided %d\n", from[0], from[1], cudaLaunchKernelEx(&config, passOn, from));
}
// prints: 0 wrong, 9 from 5, 0 from 8
// prints: alone 0 1, not divided 9
