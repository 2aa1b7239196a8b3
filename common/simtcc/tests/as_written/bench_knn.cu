// args: -n 300 -q 20 -v
// says: ^distances agree
// Nearest neighbours with sorted arrays in registers, templates of templates, getopt and a functor as a type.
#include <algorithm>
#include <cfloat>
#include <cstdio>
#include <cstdlib>
#include <getopt.h>
#include <numeric>
#include <vector>
#include <assert.h>

#define CHECK_CUDA(x) do { cudaError_t err = x; if (err != cudaSuccess) { \
  std::fprintf(stderr, "CUDA error %d (%s) in %s:%d\n", int(err), cudaGetErrorString(err), __FILE__, __LINE__); \
  std::abort(); } } while (false)

template <int DIM> struct alignas(DIM * sizeof(float)) Point {
  float v[DIM];
  __host__ __device__ const float &operator[](int i) const { return v[i]; }
  __host__ __device__ float &operator[](int i) { return v[i]; }
};
struct L2 {
  template <int D> __host__ __device__ __forceinline__ static float distance(const Point<D> &a, const Point<D> &b) {
    float s = 0;
#pragma unroll
    for (int i = 0; i < D; i++) { float d = a[i] - b[i]; s += d * d; }
    return s;
  }
};
struct L1 {
  template <int D> __host__ __device__ __forceinline__ static float distance(const Point<D> &a, const Point<D> &b) {
    float s = 0;
#pragma unroll
    for (int i = 0; i < D; i++) s += fabsf(a[i] - b[i]);
    return s;
  }
};
template <int K> struct Best {
  float d[K]; int id[K];
  __device__ Best() {
#pragma unroll
    for (int i = 0; i < K; ++i) { d[i] = FLT_MAX; id[i] = -1; }
  }
  __device__ void insert(float dist, int which) {
    if (dist >= d[K - 1]) return;
    int i = K - 1;
    for (; i > 0 && d[i - 1] > dist; --i) { d[i] = d[i - 1]; id[i] = id[i - 1]; }
    d[i] = dist; id[i] = which;
  }
};
template <class Metric, int DIM, int K, int TILE = 64>
__global__ void knn(const Point<DIM> *points, int n, const Point<DIM> *queries, int q, float *dist, int *ids) {
  __shared__ Point<DIM> tile[TILE];
  const int me = blockIdx.x * TILE + threadIdx.x;
  Point<DIM> mine = {};
  if (me < q) mine = queries[me];
  Best<K> best;
  for (int base = 0; base < n; base += TILE) {
    if (base + threadIdx.x < n) tile[threadIdx.x] = points[base + threadIdx.x];
    __syncthreads();
    const int count = min(TILE, n - base);
    for (int j = 0; j < count; ++j) best.insert(Metric::distance(mine, tile[j]), base + j);
    __syncthreads();
  }
  if (me >= q) return;
  for (int k = 0; k < K; k++) { dist[me * K + k] = best.d[k]; ids[me * K + k] = best.id[k]; }
}
template <class Metric> bool test(int n, int q, bool verbose) {
  constexpr int D = 4, K = 5;
  std::vector<Point<D>> p(n), r(q);
  for (auto *v : {&p, &r}) for (auto &x : *v) for (float &c : x.v) c = drand48();
  Point<D> *dp, *dq; float *dd; int *di;
  CHECK_CUDA(cudaMalloc(&dp, n * sizeof(Point<D>))); CHECK_CUDA(cudaMalloc(&dq, q * sizeof(Point<D>)));
  CHECK_CUDA(cudaMalloc(&dd, q * K * sizeof(float))); CHECK_CUDA(cudaMalloc(&di, q * K * sizeof(int)));
  CHECK_CUDA(cudaMemcpy(dp, &p.front(), n * sizeof p[0], cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(dq, &r.front(), q * sizeof r[0], cudaMemcpyHostToDevice));
  knn<Metric, D, K><<<(q + 63) / 64, 64>>>(dp, n, dq, q, dd, di);
  CHECK_CUDA(cudaPeekAtLastError());
  std::vector<float> got(q * K); std::vector<int> id(q * K);
  CHECK_CUDA(cudaMemcpy(got.data(), dd, got.size() * 4, cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaMemcpy(id.data(), di, id.size() * 4, cudaMemcpyDeviceToHost));
  bool same = true;
  for (int i = 0; i < q; i++) {
    std::vector<float> all(n);
    std::transform(p.begin(), p.end(), all.begin(), [&](const Point<D> &x) { return Metric::distance(r[i], x); });
    for (int k = 0; k < K; k++) same = same && fabsf(all[id[i * K + k]] - got[i * K + k]) < 1e-6f;
    std::partial_sort(all.begin(), all.begin() + K, all.end());
    for (int k = 0; k < K; k++) same &= std::abs(all[k] - got[i * K + k]) < 1e-6f;
    if (verbose && i == 0) printf("nearest of 0: %d at %g\n", id[0], got[0]);
  }
  for (void *x : {(void *)dp, (void *)dq, (void *)dd, (void *)di}) CHECK_CUDA(cudaFree(x));
  return same;
}
int main(int argc, char **argv) {
  int opt, n = 100, q = 10; bool verbose = false;
  while ((opt = getopt(argc, argv, "n:q:vh")) != -1) switch (opt) {
      case 'n': n = atoi(optarg); break;
      case 'q': q = atoi(optarg); break;
      case 'v': verbose = true; break;
      default: fprintf(stderr, "Usage: %s [-n points] [-q queries] [-v]\n", argv[0]); exit(EXIT_FAILURE);
    }
  assert(n > 5 && q > 0);
  const bool ok = test<L2>(n, q, verbose) && test<L1>(n, q, verbose);
  puts(ok ? "distances agree" : "DISTANCES DIFFER");
  return !ok;
}
