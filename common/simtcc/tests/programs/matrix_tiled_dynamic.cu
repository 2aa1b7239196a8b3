#include <cstdio>
#include <vector>

// A tile of A and a tile of B in one dynamic shared array.
__global__ void multiply(const float *a, const float *b, float *c, int n) {
  extern __shared__ float tiles[];
  const int width = blockDim.x;
  float *tileA = tiles, *tileB = tiles + width * width;
  const int row = blockIdx.y * width + threadIdx.y, column = blockIdx.x * width + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += width) {
    tileA[threadIdx.y * width + threadIdx.x] = a[row * n + t + threadIdx.x];
    tileB[threadIdx.y * width + threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < width; ++k)
      sum += tileA[threadIdx.y * width + k] * tileB[k * width + threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 32, width = 8;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = i % 7, b[i] = i % 5;
  float *da, *db, *dc;
  cudaMalloc(&da, n * n * sizeof(float));
  cudaMalloc(&db, n * n * sizeof(float));
  cudaMalloc(&dc, n * n * sizeof(float));
  cudaMemcpy(da, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(width, width);
  dim3 grid(n / width, n / width);
  size_t shared = 2 * width * width * sizeof(float);
  multiply<<<grid, block, shared>>>(da, db, dc, n);
  cudaMemcpy(c.data(), dc, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      wrong += sum != c[i * n + j];
    }
  printf("%d wrong\n", wrong);
}
// prints: 0 wrong
