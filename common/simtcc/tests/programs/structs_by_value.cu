#include <cstdio>

struct Parameters {
  float scale;
  int offsets[4];
  double shift;
};
class View {
 public:
  __host__ __device__ View(float *data, int n) : data_(data), n_(n) {}
  __device__ float &operator[](int i) { return data_[i]; }
  __host__ __device__ int size() const { return n_; }

 private:
  float *data_;
  int n_;
};

__global__ void shift(View view, const Parameters p, const __grid_constant__ Parameters q) {
  int i = threadIdx.x;
  if (i < view.size()) view[i] = p.scale * i + q.offsets[i % 4] + (float)p.shift;
}

int main() {
  float *d, h[8];
  cudaMalloc((void **)&d, sizeof h);
  Parameters p = {2.0f, {10, 20, 30, 40}, 0.5};
  shift<<<1, 32>>>(View(d, 8), p, p);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (float x : h) printf("%g ", x);
  printf("\n");
}
// prints: 10.5 22.5 34.5 46.5 18.5 30.5 42.5 54.5 
