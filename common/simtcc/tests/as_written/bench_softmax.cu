// args: 3
// says: PASS
#include <chrono>
#include <cmath>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <iostream>
#include <limits>
#include <random>
#include <vector>
namespace cg = cooperative_groups;

template <typename T, int kTile>
__global__ void softmax_tiled(int numSlice, int sliceSize, const T *__restrict__ src, T *__restrict__ dest) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<kTile>(block);
  const int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (row >= numSlice) return;
  T m = -INFINITY;
  for (int j = tile.thread_rank(); j < sliceSize; j += tile.size()) m = max(m, src[row * sliceSize + j]);
  m = cg::reduce(tile, m, cg::greater<T>{});
  T sum = 0;
  for (int j = tile.thread_rank(); j < sliceSize; j += tile.size()) sum += expf(src[row * sliceSize + j] - m);
  sum = cg::reduce(tile, sum, cg::plus<T>());
  for (int j = tile.thread_rank(); j < sliceSize; j += tile.size())
    dest[row * sliceSize + j] = expf(src[row * sliceSize + j] - m) / sum;
}

template <typename T>
__global__ void softmax_naive(const int numSlice, const int sliceSize, const T *src, T *dest) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= numSlice) return;
  T max_ = src[i * sliceSize];
  for (int j = 0; j < sliceSize; j++) max_ = (max_ < src[i * sliceSize + j]) ? src[i * sliceSize + j] : max_;
  T sum = 0;
  for (int j = 0; j < sliceSize; j++) sum += dest[i * sliceSize + j] = __expf(src[i * sliceSize + j] - max_);
  for (int j = 0; j < sliceSize; j++) dest[i * sliceSize + j] /= sum;
}

int main(int argc, char *argv[]) {
  if (argc != 2) {
    std::cout << "Usage: " << argv[0] << " <repeat>" << std::endl;
    return 1;
  }
  const int repeat = std::stoi(argv[1]), rows = 37, cols = 101;
  std::mt19937 gen(123);
  std::uniform_real_distribution<float> dis(0.f, 4.f);
  std::vector<float> h(rows * cols), a(h.size()), b(h.size());
  for (auto &v : h) v = dis(gen);
  float *d_in, *d_out;
  cudaMalloc((void **)&d_in, sizeof(float) * h.size());
  cudaMalloc((void **)&d_out, sizeof(float) * h.size());
  cudaMemcpy(d_in, h.data(), sizeof(float) * h.size(), cudaMemcpyHostToDevice);
  auto run = [&](auto &&launch, std::vector<float> &result) {
    cudaDeviceSynchronize();
    auto start = std::chrono::steady_clock::now();
    for (int n = 0; n < repeat; n++) launch();
    cudaDeviceSynchronize();
    auto end = std::chrono::steady_clock::now();
    auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count();
    printf("Average kernel execution time: %f (ms)\n", (time * 1e-6f) / repeat);
    cudaMemcpy(result.data(), d_out, sizeof(float) * result.size(), cudaMemcpyDeviceToHost);
  };
  run([&] { softmax_naive<<<(rows + 63) / 64, 64>>>(rows, cols, d_in, d_out); }, a);
  run([&] { softmax_tiled<float, 8><<<(rows + 15) / 16, 128>>>(rows, cols, d_in, d_out); }, b);
  bool ok = true;
  for (int i = 0; i < rows && ok; i++) {
    float m = -std::numeric_limits<float>::infinity(), s = 0;
    for (int j = 0; j < cols; j++) m = std::max(m, h[i * cols + j]);
    for (int j = 0; j < cols; j++) s += std::exp(h[i * cols + j] - m);
    for (int j = 0; j < cols; j++) {
      const float want = std::exp(h[i * cols + j] - m) / s;
      if (fabsf(want - a[i * cols + j]) > 1e-4f || fabsf(want - b[i * cols + j]) > 1e-4f) ok = false;
    }
  }
  printf("%s\n", ok ? "PASS" : "FAIL");
  cudaFree(d_in);
  cudaFree(d_out);
  return ok ? 0 : 1;
}
