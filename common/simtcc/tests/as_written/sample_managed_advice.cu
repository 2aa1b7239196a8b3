// says: ^list of 10: sum 285, matrix: ok$
// Unified memory: a class with its own new, linked lists and strings that the device walks, advice, prefetching, __managed__.
#include <cstdio>
#include <cstring>
#include <cstdlib>
class Managed {
 public:
  void *operator new(size_t len) {
    void *ptr;
    cudaMallocManaged(&ptr, len);
    cudaDeviceSynchronize();
    return ptr;
  }
  void *operator new[](size_t len) { return operator new(len); }
  void operator delete(void *ptr) {
    cudaDeviceSynchronize();
    cudaFree(ptr);
  }
  void operator delete[](void *ptr) { operator delete(ptr); }
};
struct Node : public Managed {
  int value;
  Node *next;
  Node(int v, Node *n) : value(v), next(n) {}
};
class Matrix : public Managed {
  size_t rows_, cols_;
  double *data_;

 public:
  Matrix(size_t r, size_t c) : rows_(r), cols_(c) { cudaMallocManaged(&data_, r * c * sizeof(double)); }
  ~Matrix() { cudaFree(data_); }
  __host__ __device__ double &operator()(size_t i, size_t j) { return data_[i * cols_ + j]; }
  __host__ __device__ const double &operator()(size_t i, size_t j) const { return data_[i * cols_ + j]; }
  __host__ __device__ size_t rows() const { return rows_; }
  void prefetch(int device, cudaStream_t s) const {
#if CUDART_VERSION >= 13000
    cudaMemLocation location = {};
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    cudaMemPrefetchAsync(data_, rows_ * cols_ * sizeof(double), location, 0, s);
    cudaMemAdvise(data_, rows_ * cols_ * sizeof(double), cudaMemAdviseSetReadMostly, location);
#else
    cudaMemPrefetchAsync(data_, rows_ * cols_ * sizeof(double), device, s);
#endif
  }
};
__managed__ int total;
__device__ __managed__ double scale[2] = {2.0, 0.5};
__global__ void walk(const Node *n) {
  for (; n; n = n->next) atomicAdd(&total, n->value * n->value);
}
__global__ void multiply(const Matrix *a, const Matrix &b, Matrix *c) {
  const size_t i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (size_t k = 0; k < a->rows(); ++k) s += (*a)(i, k) * b(k, j);
  (*c)(i, j) = s * scale[0] * scale[1];
}
int main() {
  Node *list = nullptr;
  for (int i = 0; i < 10; i++) list = new Node(i, list);
  walk<<<1, 1>>>(list);
  cudaStream_t s;
  cudaStreamCreate(&s);
  const size_t n = 32;
  Matrix *a = new Matrix(n, n), *b = new Matrix(n, n), *c = new Matrix(n, n);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) (*a)(i, j) = i + j, (*b)(i, j) = double(i) - j;
  int device = -1;
  cudaGetDevice(&device);
  a->prefetch(device, s);
  multiply<<<dim3(2, 2), dim3(16, 16), 0, s>>>(a, *b, c);
  c->prefetch(cudaCpuDeviceId, s);
  cudaStreamSynchronize(s);
  cudaDeviceSynchronize();
  bool ok = true;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double want = 0;
      for (size_t k = 0; k < n; k++) want += (*a)(i, k) * (*b)(k, j);
      ok &= want == (*c)(i, j);
    }
  printf("list of 10: sum %d, matrix: %s\n", total, ok ? "ok" : "wrong");
  while (list) {
    Node *next = list->next;
    delete list;
    list = next;
  }
  delete a;
  delete b;
  delete c;
  return ok ? 0 : -1;
}
