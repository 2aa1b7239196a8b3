// How programs of many authors write things.
// flags: -std=c++17 -DTILE=16 -DN=64
// nvcc: --extended-lambda --define-macro TILE=16 --define-macro N=64
// prints: typed 2016 2016.0 aligned 16 pitched 130
// prints: functor 126 lambda 4032 member 9 crtp 5
// prints: table 10 20 pointer 7 8 enum 3 bindings 3
// prints: tiles 1 double 2016 fields 5 7 union 1
// prints: vectors 2080 volatile 496 mapped 64 chained 4
// prints: macro 1 args 3 text ok 7 overload 1 2 default 12
#include <cassert>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>
using namespace std;

#define CUDA_CHECK(expression)                                                                        \
  do {                                                                                                \
    const cudaError_t status = (expression);                                                          \
    if (status != cudaSuccess) {                                                                      \
      fprintf(stderr, "%s:%d %s: %s\n", __FILE__, __LINE__, #expression, cudaGetErrorString(status)); \
      exit(1);                                                                                        \
    }                                                                                                 \
  } while (0)
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define IDX2(i, j, ld) (((i) * (ld)) + (j))

// Dynamic shared memory of a template's type.
template <class T>
struct SharedMemory {
  __device__ inline operator T *() {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
};
template <class T>
__global__ void sumOf(const T *in, T *out, int n) {
  T *part = SharedMemory<T>();
  part[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : T(0);
  __syncthreads();
#pragma unroll
  for (int s = N / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (!threadIdx.x) *out = part[0];
}
typedef struct __align__(16) {
  float x, y, z;
} Body;
__global__ void pitched(char *base, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float *row = (float *)(base + y * pitch);
  row[x] = x + y * 10.0f;
}
template <typename F>
__global__ void forEach(int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) f(i);
}
struct Doubler {
  int *x;
  __host__ __device__ void operator()(int i) const { x[i] *= 2; }
};
template <typename Derived>
struct Shape {
  __host__ __device__ int area() const { return static_cast<const Derived *>(this)->areaOf(); }
};
struct Rectangle : Shape<Rectangle> {
  int w = 1, h = 1;
  __host__ __device__ Rectangle(int w_, int h_) : w(w_), h(h_) {}
  __host__ __device__ int areaOf() const { return w * h; }
};
class Solver {
 public:
  Solver() { CUDA_CHECK(cudaMallocManaged(&value, sizeof(int))); *value = 0; }
  ~Solver() { cudaFree(value); }
  void run();
  int *value;
};
__global__ void solve(int *value, Rectangle r) { *value = r.area(); }
void Solver::run() {
  solve<<<1, 1>>>(value, Rectangle(3, 3));
  CUDA_CHECK(cudaDeviceSynchronize());
}
struct Parameters {
  int table[4];
  float scale;
};
__constant__ Parameters parameters;
__constant__ int offsets[2][2] = {{1, 2}, {3, 4}};
__device__ int twice(int x) { return 2 * x; }
__device__ int plusOne(int x) { return x + 1; }
typedef int (*Operation)(int);
__device__ Operation operations[] = {twice, plusOne};
__device__ Operation chosen = plusOne;
enum class Mode : int { slow = 1, fast = 3 };
__device__ __forceinline__ constexpr int modeOf(Mode m) { return static_cast<int>(m); }
struct Pair {
  int first, second;
};
__device__ Pair minmax(int a, int b) { return a < b ? Pair{a, b} : Pair{b, a}; }
template <Mode mode>
__global__ void tables(int *out, Operation f) {
  static_assert(mode == Mode::fast, "");
  out[0] = parameters.table[1] * offsets[0][0];
  out[1] = int(parameters.table[2] * parameters.scale);
  out[2] = f(6);
  out[3] = operations[0](4);
  if constexpr (mode == Mode::fast) out[4] = modeOf(mode);
  auto [low, high] = minmax(5, 3);
  out[5] = low;
}
__global__ __launch_bounds__(TILE *TILE, 2) void transposeTile(float *__restrict__ out, const float *__restrict__ in, int n) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = __ldg(&in[IDX2(y, x, n)]);
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  out[IDX2(y, x, n)] = tile[threadIdx.x][threadIdx.y];
}
__device__ double addDouble(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address, old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
struct Fields {
  unsigned low : 4, high : 28;
};
union Both {
  float f;
  unsigned u;
};
__global__ void others(double *sum, Fields *fields, int *isOne) {
  addDouble(sum, double(threadIdx.x));
  if (threadIdx.x == 0) {
    fields->low = 5, fields->high = 7;
    Both b;
    b.f = 1.0f;
    *isOne = b.u == 0x3f800000u;
  }
}
__global__ void vectors(const float4 *in, float *out) {
  const float4 v = in[threadIdx.x];
  atomicAdd(out, v.x + v.y + v.z + v.w);
}
__global__ void volatileWarp(int *out) {
  volatile __shared__ int part[32];
  part[threadIdx.x] = threadIdx.x;
  __syncwarp();
  for (int s = 16; s; s >>= 1) {
    const int other = threadIdx.x < s ? part[threadIdx.x + s] : 0;
    __syncwarp();
    part[threadIdx.x] = part[threadIdx.x] + other;
    __syncwarp();
  }
  if (threadIdx.x == 0) out[0] = part[0];
}
__global__ void count(int *mapped) { atomicAdd(mapped, 1); }
__global__ void add(int *x, int by = 1) { *x += by; }
__global__ void pick(int *x, int) { *x = 1; }
__global__ void pick(int *x, float) { *x = 2; }

int main(int argc, char *argv[]) {
  const auto begin = chrono::high_resolution_clock::now();
  vector<int> h(N);
  for (int i = 0; i < N; ++i) h[i] = i;
  vector<double> hd(h.begin(), h.end());
  int *d, *out;
  double *dd, *outd, resultD;
  CUDA_CHECK(cudaMalloc((void **)&d, N * sizeof(*d)));
  CUDA_CHECK(cudaMalloc((void **)&out, sizeof(int) * 8));
  CUDA_CHECK(cudaMalloc(&dd, N * sizeof(double)));
  CUDA_CHECK(cudaMalloc(&outd, sizeof(double)));
  CUDA_CHECK(cudaMemcpy(d, &h[0], N * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(dd, &hd[0], N * sizeof(double), cudaMemcpyHostToDevice));
  sumOf<int><<<1, N, N * sizeof(int)>>>(d, out, N);
  sumOf<double><<<1, N, N * sizeof(double)>>>(dd, outd, N);
  int result[8];
  CUDA_CHECK(cudaMemcpy(result, out, sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&resultD, outd, sizeof(double), cudaMemcpyDeviceToHost));
  char *image;
  size_t pitch;
  CUDA_CHECK(cudaMallocPitch((void **)&image, &pitch, 100 * sizeof(float), 10));
  pitched<<<dim3(7, 2), dim3(16, 8)>>>(image, pitch, 100, 10);
  vector<float> rows(1000);
  CUDA_CHECK(cudaMemcpy2D(rows.data(), 400, image, pitch, 400, 10, cudaMemcpyDeviceToHost));
  printf("typed %d %.1f aligned %zu pitched %g\n", result[0], resultD, sizeof(Body), rows[4 * 100 + 90]);

  forEach<<<2, 16>>>(N, Doubler{d});
  CUDA_CHECK(cudaMemcpy(result, d + 63, sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemset(out, 0, 32));
  forEach<<<2, 16>>>(N, [=] __device__(int i) { atomicAdd(out, d[i]); });
  CUDA_CHECK(cudaMemcpy(result + 1, out, sizeof(int), cudaMemcpyDeviceToHost));
  auto solver = make_unique<Solver>();
  solver->run();
  printf("functor %d lambda %d member %d crtp %d\n", result[0], result[1], *solver->value, Rectangle(1, 5).area());

  Parameters p = {{5, 10, 40, 0}, 0.5f};
  CUDA_CHECK(cudaMemcpyToSymbol(parameters, &p, sizeof(p)));
  Operation f;
  CUDA_CHECK(cudaMemcpyFromSymbol(&f, chosen, sizeof(f)));
  tables<Mode::fast><<<1, 1>>>(out, f);
  CUDA_CHECK(cudaMemcpy(result, out, 6 * sizeof(int), cudaMemcpyDeviceToHost));
  printf("table %d %d pointer %d %d enum %d bindings %d\n", result[0], result[1], result[2], result[3], result[4], result[5]);

  float *a, *b;
  CUDA_CHECK(cudaMallocManaged(&a, N * N * sizeof(float)));
  CUDA_CHECK(cudaMallocManaged(&b, N * N * sizeof(float)));
  for (int i = 0; i < N * N; i++) a[i] = i;
  const dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (N + TILE - 1) / TILE);
  transposeTile<<<grid, block>>>(b, a, N);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  bool good = true;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) good &= b[i * N + j] == a[j * N + i];
  Fields *fields, hostFields;
  CUDA_CHECK(cudaMalloc(&fields, sizeof(Fields)));
  CUDA_CHECK(cudaMemset(fields, 0, sizeof(Fields)));
  CUDA_CHECK(cudaMemset(outd, 0, sizeof(double)));
  others<<<1, 64>>>(outd, fields, out);
  CUDA_CHECK(cudaMemcpy(&hostFields, fields, sizeof(Fields), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&resultD, outd, sizeof(double), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(result, out, sizeof(int), cudaMemcpyDeviceToHost));
  printf("tiles %d double %g fields %u %u union %d\n", good, resultD, hostFields.low, hostFields.high, result[0]);

  float *sum;
  CUDA_CHECK(cudaMalloc(&sum, sizeof(float)));
  CUDA_CHECK(cudaMemset(sum, 0, sizeof(float)));
  vectors<<<1, 16>>>(reinterpret_cast<const float4 *>(a), sum);
  float total;
  CUDA_CHECK(cudaMemcpy(&total, sum, sizeof(float), cudaMemcpyDeviceToHost));
  volatileWarp<<<1, 32>>>(out);
  CUDA_CHECK(cudaMemcpy(result, out, sizeof(int), cudaMemcpyDeviceToHost));
  int *pinned, *mapped;
  CUDA_CHECK(cudaHostAlloc((void **)&pinned, sizeof(int), cudaHostAllocMapped));
  *pinned = 0;
  CUDA_CHECK(cudaHostGetDevicePointer((void **)&mapped, pinned, 0));
  count<<<2, 32>>>(mapped);
  CUDA_CHECK(cudaDeviceSynchronize());
  cudaStream_t streams[4];
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaMemset(out, 0, 32));
  CUDA_CHECK(cudaEventRecord(start));
  for (auto &stream : streams) {
    CUDA_CHECK(cudaStreamCreate(&stream));
    count<<<1, 1, 0, stream>>>(out);
  }
  CUDA_CHECK(cudaEventRecord(stop, 0));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float milliseconds = -1;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CUDA_CHECK(cudaMemcpy(result + 1, out, sizeof(int), cudaMemcpyDeviceToHost));
  printf("vectors %g volatile %d mapped %d chained %d\n", total + 64, result[0], *pinned, result[1]);

  CUDA_CHECK(cudaMemset(out, 0, 32));
  LAUNCH(count, 1, 1, out);
  CUDA_CHECK(cudaMemcpy(result, out, sizeof(int), cudaMemcpyDeviceToHost));
  const string text = to_string(7);
  int value = 3;
  void *arguments[] = {&out, &value};
  CUDA_CHECK(cudaMemset(out, 0, 32));
  CUDA_CHECK(cudaLaunchKernel((const void *)add, dim3(1), dim3(1), arguments, 0, nullptr));
  CUDA_CHECK(cudaMemcpy(result + 1, out, sizeof(int), cudaMemcpyDeviceToHost));
  pick<<<1, 1>>>(out + 1, 1);
  pick<<<1, 1>>>(out + 2, 1.0f);
  value = 11;
  CUDA_CHECK(cudaMemcpy(out, &value, sizeof(int), cudaMemcpyHostToDevice));
  add<<<1, 1>>>(out);
  CUDA_CHECK(cudaMemcpy(result + 2, out, 3 * sizeof(int), cudaMemcpyDeviceToHost));
  printf("macro %d args %d text %s %s overload %d %d default %d\n", result[0], result[1], argc == 1 && milliseconds >= 0 ? "ok" : argv[0],
         text.c_str(), result[3], result[4], result[2]);
  return chrono::high_resolution_clock::now() < begin;
}
