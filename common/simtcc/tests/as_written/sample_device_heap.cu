// says: ^Container: 0 errors, placement: 0, malloc per thread: 0, more than the heap has: 0 0 1$
// new and delete in kernels, placement new in shared memory, a class hierarchy, cudaLimitMallocHeapSize.
#include <cstdio>
#include <new>
#define CHECK(e) if ((e) != cudaSuccess) { printf("line %d\n", __LINE__); return 2; }
template <class T> class Container {
 public:
  __device__ Container() {}
  __device__ virtual ~Container() {}
  __device__ virtual void push(T e) = 0;
  __device__ virtual bool pop(T &e) = 0;
};
template <class T> class Stack : public Container<T> {
 public:
  __device__ Stack(int maxSize) : top(0), data(new T[maxSize]) {}
  __device__ ~Stack() { delete[] data; }
  __device__ virtual void push(T e) { data[atomicAdd(&top, 1)] = e; }
  __device__ virtual bool pop(T &e) {
    const int i = atomicSub(&top, 1);
    if (i <= 0) { atomicAdd(&top, 1); return false; }
    e = data[i - 1];
    return true;
  }
 private:
  int top;
  T *data;
};
__device__ Container<int> *container;
__global__ void create(int n) { container = new Stack<int>(n); }
__global__ void fill() { container->push(blockIdx.x * blockDim.x + threadIdx.x); }
__global__ void drain(int *seen) {
  int value;
  if (container->pop(value)) atomicAdd(&seen[value], 1);
}
__global__ void destroy() { delete container; container = nullptr; }

struct Accumulator {
  int sum;
  unsigned long long product;
  __device__ Accumulator() : sum(0), product(1) {}
  __device__ ~Accumulator() {}
  __device__ void operator+=(int x) { atomicAdd(&sum, x); atomicMax(&product, (unsigned long long)x); }
};
__global__ void placement(int *out) {
  __shared__ __align__(16) char storage[sizeof(Accumulator)];
  __shared__ Accumulator *a;
  if (threadIdx.x == 0) a = new (storage) Accumulator;
  __syncthreads();
  *a += threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) { *out = a->sum + (int)a->product; a->~Accumulator(); }
}
__global__ void mallocs(int *out) {
  __shared__ int *block;
  if (threadIdx.x == 0) block = (int *)malloc(blockDim.x * sizeof(int));
  __syncthreads();
  if (block == NULL) return;
  block[threadIdx.x] = threadIdx.x;
  char *own = (char *)malloc(24), *none = (char *)malloc(0);
  memset(own, threadIdx.x, 24);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = block[blockDim.x - 1 - threadIdx.x] + own[23];
  free(own);
  free(none);
  __syncthreads();
  if (threadIdx.x == 0) free(block);
}
__global__ void tooMuch(int *out) {
  void *all = malloc(40 << 20), *most = malloc(30 << 20), *more = malloc(4 << 20);
  *(volatile char *)most = 1;
  free(most);
  void *again = malloc(4 << 20);
  out[0] = all != NULL, out[1] = more != NULL, out[2] = again != NULL;
  free(again);
}
int main() {
  const int n = 256;
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 * 1024 * 1024));
  int *seen, host[n], errors = 0, *d, placed, perThread = 0;
  CHECK(cudaMalloc(&seen, n * sizeof(int)));
  CHECK(cudaMalloc(&d, n * sizeof(int)));
  CHECK(cudaMemset(seen, 0, n * sizeof(int)));
  create<<<1, 1>>>(n);
  fill<<<n / 64, 64>>>();
  drain<<<n / 64, 64>>>(seen);
  destroy<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(host, seen, sizeof host, cudaMemcpyDeviceToHost));
  for (int x : host) errors += x != 1;
  placement<<<1, 100>>>(d);
  CHECK(cudaMemcpy(&placed, d, sizeof(int), cudaMemcpyDeviceToHost));
  mallocs<<<4, 64>>>(d);
  CHECK(cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost));
  for (int x : host) perThread += x != 63;
  tooMuch<<<1, 1>>>(d);
  CHECK(cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost));
  printf("Container: %d errors, placement: %d, malloc per thread: %d, more than the heap has: %d %d %d\n", errors, placed - (4950 + 99), perThread, host[0], host[1], host[2]);
}
