// flags: -std=c++17 --extended-lambda
// says: ^variadic 105.5 generic 53 span 31 last 10 functional 21 atomics 32$
// C++17 and libcu++: folds, generic lambdas, template templates, tuples, spans, cuda::atomic with orders, proclaim_return_type, a static member of a class template.
#include <cuda/atomic>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cstdio>
template <typename... Ts> __global__ void sum_all(double *out, Ts... xs) { *out = (double(xs) + ... + 0.0); }
template <typename F, typename... A> __global__ void apply(int n, F f, A... a) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) f(i, a...);
}
template <int N> struct Poly {
  static __device__ __host__ constexpr int eval(int x) {
    if constexpr (N == 0) return 1;
    else return x * Poly<N - 1>::eval(x) + N;
  }
};
template <template <class> class Op, class T> __global__ void fold(const T *x, T *out, int n) {
  T v = x[0];
  for (int i = 1; i < n; i++) v = Op<T>{}(v, x[i]);
  *out = v;
}
template <class T> struct Larger { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
__device__ cuda::atomic<int, cuda::thread_scope_device> counter{0};
__global__ void library(int *o, cuda::std::span<int> s) {
  cuda::std::array<int, 4> a{1, 2, 3, 4};
  cuda::std::tuple<int, float> t{3, 2.5f};
  cuda::std::optional<int> q;
  if (threadIdx.x == 0) q = 5;
  counter.fetch_add(1, cuda::memory_order_relaxed);
  auto [first, second] = t;
  o[threadIdx.x] = a[threadIdx.x % 4] + first + q.value_or(int(second)) + (s.size() > threadIdx.x ? s[threadIdx.x] : cuda::std::numeric_limits<int>::max() % 7);
}
__global__ void count(int *out) {
  if (threadIdx.x == 0) *out = counter.load(cuda::std::memory_order_acquire);
}
int main() {
  double *d;
  int *o;
  cudaMallocManaged(&d, 8);
  cudaMallocManaged(&o, 512);
  for (int i = 0; i < 128; i++) o[i] = i;
  sum_all<<<1, 1>>>(d, 1, 4.5f, 3u, 'a');
  apply<<<2, 16>>>(32, [o] __host__ __device__(int i, auto... more) { o[i] = i + (more + ...); }, 1, 2L);
  auto generic = [=] __device__(int i) { o[i] += Poly<3>::eval(2); };
  apply<<<1, 32>>>(32, generic);
  cudaDeviceSynchronize();
  const int g = o[31];
  library<<<1, 32>>>(o + 32, cuda::std::span<int>(o, 16));
  fold<Larger><<<1, 1>>>(o + 32, o + 64, 16);
  auto f = cuda::proclaim_return_type<int>([] __device__(int x) { return 2 * x + 1; });
  apply<<<1, 1>>>(1, [=] __device__(int) { o[65] = f(10); });
  count<<<1, 32>>>(o + 66);
  cudaDeviceSynchronize();
  printf("variadic %g generic %d span %d last %d functional %d atomics %d\n", *d, g, o[32], o[63], o[65], o[66]);
}
