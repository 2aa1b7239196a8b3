#include <cstdio>
#include <vector>

__global__ void spmv(int rows, const int *__restrict__ rowStart, const int *__restrict__ column, const float *__restrict__ value,
                     const float *__restrict__ x, float *__restrict__ y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float dot = 0;
    for (int k = rowStart[row]; k < rowStart[row + 1]; ++k) dot += value[k] * __ldg(&x[column[k]]);
    y[row] = dot;
  }
}

template <typename T>
T *toDevice(const std::vector<T> &host) {
  T *device;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

int main() {
  const int n = 100;
  std::vector<int> start{0}, column;
  std::vector<float> value, x(n, 2), y(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i % 4; ++j) column.push_back((i + j) % n), value.push_back(1 + j);
    start.push_back(column.size());
  }
  float *dy = toDevice(y);
  spmv<<<(n + 31) / 32, 32>>>(n, toDevice(start), toDevice(column), toDevice(value), toDevice(x), dy);
  cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", y[0], y[1], y[2], y[99]);
}
// prints: 2 6 12 20
