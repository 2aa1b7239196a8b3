#include <iostream>

struct complex_t {
  float x, y;
  __host__ __device__ complex_t(float a, float b) : x(a), y(b) {}
  __host__ __device__ float magnitude2() const { return x * x + y * y; }
  __host__ __device__ complex_t operator*(const complex_t &o) const {
    return complex_t(x * o.x - y * o.y, y * o.x + x * o.y);
  }
  __host__ __device__ complex_t operator+(const complex_t &o) const { return complex_t(x + o.x, y + o.y); }
};

template <int MaxIterations>
__device__ __forceinline__ int escape(complex_t c) {
  complex_t z(0, 0);
  for (int i = 0; i < MaxIterations; ++i) {
    if (z.magnitude2() > 4) return i;
    z = z * z + c;
  }
  return MaxIterations;
}

template <int MaxIterations>
__global__ void __launch_bounds__(256, 2) mandelbrot(unsigned char *out, uint2 size) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size.x || y >= size.y) return;
  out[y * size.x + x] = (unsigned char)escape<MaxIterations>(complex_t(-2 + 3.f * x / size.x, -1 + 2.f * y / size.y));
}

int main() {
  const uint2 size = make_uint2(40, 20);
  unsigned char *image, host[800];
  cudaMalloc(&image, 800);
  mandelbrot<50><<<{(size.x + 15) / 16, (size.y + 15) / 16}, dim3{16, 16}>>>(image, size);
  cudaMemcpy(host, image, 800, cudaMemcpyDeviceToHost);
  int inside = 0;
  for (unsigned char c : host) inside += c == 50;
  std::cout << inside << " of 800 inside\n";
}
// prints: 213 of 800 inside
