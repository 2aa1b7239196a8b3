// prints: 40 shapes, 0 of 1000 differ, list of 100 sums 4950 and reversed 4950, objects 101
// Unified memory by a base class's operator new, a linked list that both sides walk, virtual functions of objects made on the device, a table of functions.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <cuda_runtime.h>
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
static void HandleError(cudaError_t err, const char *file, int line) { if (err != cudaSuccess) { printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line); exit(EXIT_FAILURE); } }
class Managed {
 public:
  void *operator new(size_t len) { void *ptr; HANDLE_ERROR(cudaMallocManaged(&ptr, len)); HANDLE_ERROR(cudaDeviceSynchronize()); return ptr; }
  void operator delete(void *ptr) { cudaDeviceSynchronize(); cudaFree(ptr); }
  void *operator new[](size_t len) { return operator new(len); }
  void operator delete[](void *ptr) { operator delete(ptr); }
};
__managed__ int objects = 0;
struct Node : Managed {
  int value; Node *next;
  __host__ __device__ Node(int v, Node *n) : value(v), next(n) {}
};
struct List : Managed {
  Node *head = nullptr;
  ~List() { while (head) { Node *n = head->next; delete head; head = n; } }
  __host__ __device__ int sum() const { int s = 0; for (Node *n = head; n; n = n->next) s += n->value; return s; }
};
__global__ void reverse(List *list, int *sum) {
  Node *before = nullptr;
  for (Node *n = list->head; n;) { Node *next = n->next; n->next = before; before = n; n = next; atomicAdd(&objects, 1); }
  list->head = before;
  *sum = list->sum();
}
class Shape {
 public:
  __device__ Shape(float x, float y) : x_(x), y_(y) {}
  __device__ virtual ~Shape() { atomicAdd(&objects, 0); }
  __device__ virtual float distance(float x, float y) const = 0;
  __device__ virtual int kind() const { return 0; }
 protected:
  float x_, y_;
};
class Circle : public Shape {
 public:
  __device__ Circle(float x, float y, float r) : Shape(x, y), r_(r) {}
  __device__ float distance(float x, float y) const override { return hypotf(x - x_, y - y_) - r_; }
  __device__ int kind() const override { return 1; }
 private:
  float r_;
};
class Box final : public Shape {
 public:
  __device__ Box(float x, float y, float w, float h) : Shape(x, y), w_(w), h_(h) {}
  __device__ float distance(float x, float y) const override { return fmaxf(fabsf(x - x_) - w_, fabsf(y - y_) - h_); }
 private:
  float w_, h_;
};
typedef float (*fold_t)(float, float);
__device__ float smaller(float a, float b) { return a < b ? a : b; }
__device__ float larger(float a, float b) { return a > b ? a : b; }
__device__ fold_t folds[2] = {smaller, larger};
__constant__ int whichFold;
__global__ void build(Shape **shapes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i % 3 == 0) shapes[i] = new Circle(i * 0.7f, i * 0.3f, 0.5f + i % 4);
  else shapes[i] = new Box(i * 0.5f, 12 - i * 0.2f, 1.f, 0.5f + i % 2);
}
__global__ void destroy(Shape **shapes, int n) { const int i = threadIdx.x; if (i < n) delete shapes[i]; }
__global__ void nearest(Shape *const *shapes, int n, const float2 *points, float *out, int m, int *kinds) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < m; p += gridDim.x * blockDim.x) {
    float best = shapes[0]->distance(points[p].x, points[p].y);
    for (int i = 1; i < n; ++i) best = folds[whichFold](best, shapes[i]->distance(points[p].x, points[p].y));
    out[p] = best;
    if (p < n) kinds[p] = shapes[p]->kind();
  }
}
int main() {
  List *list = new List; int *sum, zero = 0, first;
  for (int i = 0; i < 100; ++i) list->head = new Node(i, list->head);
  first = list->sum();
  HANDLE_ERROR(cudaMallocManaged(&sum, sizeof(int)));
  reverse<<<1, 1>>>(list, sum);
  HANDLE_ERROR(cudaDeviceSynchronize());
  objects += list->head->value == 0;
  const int n = 40, m = 1000;
  Shape **shapes; float2 *points; float *out; int *kinds, differ = 0;
  HANDLE_ERROR(cudaMalloc(&shapes, n * sizeof *shapes)); HANDLE_ERROR(cudaMallocManaged(&points, m * sizeof *points)); HANDLE_ERROR(cudaMallocManaged(&out, m * sizeof *out)); HANDLE_ERROR(cudaMallocManaged(&kinds, n * sizeof *kinds));
  HANDLE_ERROR(cudaMemcpyToSymbol(whichFold, &zero, sizeof zero));
  for (int p = 0; p < m; ++p) points[p] = make_float2(p % 40 * 0.6f, p / 40 * 0.5f);
  build<<<2, 32>>>(shapes, n);
  nearest<<<4, 64>>>(shapes, n, points, out, m, kinds);
  destroy<<<1, 64>>>(shapes, n);
  HANDLE_ERROR(cudaDeviceSynchronize());
  for (int p = 0; p < m; ++p) {
    float best = 1e30f;
    for (int i = 0; i < n; ++i) {
      const float x = points[p].x, y = points[p].y;
      best = fminf(best, i % 3 == 0 ? hypotf(x - i * 0.7f, y - i * 0.3f) - (0.5f + i % 4) : fmaxf(fabsf(x - i * 0.5f) - 1.f, fabsf(y - (12 - i * 0.2f)) - (0.5f + i % 2)));
    }
    differ += fabsf(best - out[p]) > 1e-4f;
    if (p < n) differ += kinds[p] != (p % 3 == 0);
  }
  printf("%d shapes, %d of %d differ, list of 100 sums %d and reversed %d, objects %d\n", n, differ, m, first, *sum, objects);
  delete list;
  return differ != 0;
}
