#include <gtest/gtest.h>

#include <vector>

__global__ void scale(float *x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;  // without the condition, the test fails: out of bounds
}

TEST(Scale, MultipliesEveryElement) {
  const int n = 1000;
  std::vector<float> h(n, 2.0f);
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d, 3.0f, n);
  ASSERT_EQ(cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost), cudaSuccess);
  for (const float x : h) EXPECT_EQ(x, 6.0f);
  cudaFree(d);
}
