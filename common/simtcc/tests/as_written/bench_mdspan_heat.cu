// prints: heat: 0 of 1536 differ, warmest 12 20, sum of squares 55, picked 7 of 9, row-wise and column-wise agree
// libcu++ in kernels: mdspan in both layouts, span, array, tuple, optional, pair, numeric_limits, swap; templates of functors.
// flags: -std=c++20 --expt-relaxed-constexpr --extended-lambda
#include <cuda/std/array>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cstdio>
#include <vector>
using grid_t = cuda::std::mdspan<double, cuda::std::extents<int, cuda::std::dynamic_extent, 48>>;
using columns_t = cuda::std::mdspan<double, cuda::std::dextents<int, 2>, cuda::std::layout_left>;
template <typename Grid> __global__ void step(Grid from, Grid to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= from.extent(1) || y >= from.extent(0)) return;
  const bool edge = x == 0 || y == 0 || x + 1 == from.extent(1) || y + 1 == from.extent(0);
  to(y, x) = edge ? from(y, x) : from(y, x) + 0.2 * (from(y - 1, x) + from(y + 1, x) + from(y, x - 1) + from(y, x + 1) - 4 * from(y, x));
}
__device__ cuda::std::optional<int> even_half(int v) { if (v % 2) return cuda::std::nullopt; return v / 2; }
__device__ cuda::std::tuple<double, int, int> warmest(grid_t g) {
  auto best = cuda::std::make_tuple(cuda::std::numeric_limits<double>::lowest(), 0, 0);
  for (int y = 0; y < g.extent(0); ++y) for (int x = 0; x < g.extent(1); ++x) if (g(y, x) > cuda::std::get<0>(best)) best = cuda::std::make_tuple(g(y, x), y, x);
  return best;
}
template <typename F, size_t N> __global__ void apply(F f, cuda::std::array<int, N> values, cuda::std::span<int> out, grid_t g) {
  int sum = 0, picked = 0;
  for (int v : values) { sum += f(v); picked += even_half(v).value_or(0) > 0 ? v : 0; }
  const auto [t, y, x] = warmest(g);
  cuda::std::pair<int, int> at(x, y);
  cuda::std::swap(at.first, at.second);
  static_assert(cuda::std::is_same_v<cuda::std::remove_cvref_t<decltype(t)>, double>);
  out[0] = sum; out[1] = picked + static_cast<int>(values.size()) * 100; out[2] = at.first; out[3] = at.second;
  out.subspan(4, 1)[0] = int(out.size());
}
int main() {
  const int h = 32, w = 48, steps = 12;
  double *mem; int *out;
  cudaMallocManaged(&mem, 4 * h * w * sizeof(double)); cudaMallocManaged(&out, 9 * sizeof(int));
  std::vector<double> a(h * w), b(h * w);
  grid_t from(mem, h), to(mem + h * w, h);
  columns_t cfrom(mem + 2 * h * w, h, w), cto(mem + 3 * h * w, h, w);
  for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) a[y * w + x] = from(y, x) = cfrom(y, x) = (y == 12 && x == 20) ? 100 : (x * 7 + y * 3) % 5;
  for (int s = 0; s < steps; ++s) {
    step<<<dim3((w + 15) / 16, (h + 7) / 8), dim3(16, 8)>>>(from, to);
    step<<<dim3((w + 15) / 16, (h + 7) / 8), dim3(16, 8)>>>(cfrom, cto);
    cuda::std::swap(from, to), cuda::std::swap(cfrom, cto);
    for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) { const int i = y * w + x; b[i] = x == 0 || y == 0 || x + 1 == w || y + 1 == h ? a[i] : a[i] + 0.2 * (a[i - w] + a[i + w] + a[i - 1] + a[i + 1] - 4 * a[i]); }
    a.swap(b);
  }
  apply<<<1, 1>>>([] __device__(int v) { return v * v; }, cuda::std::array<int, 5>{1, 2, 3, 4, 5}, cuda::std::span<int>(out, 9), from);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int differ = 0; bool agree = true;
  for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) differ += std::abs(from(y, x) - a[y * w + x]) > 1e-9, agree &= from(y, x) == cfrom(y, x);
  printf("heat: %d of %d differ, warmest %d %d, sum of squares %d, picked %d of %d, row-wise and column-wise %s\n", differ, h * w, out[2], out[3], out[0], out[1] - 500 + 1, out[4], agree ? "agree" : "differ");
  return differ || !agree;
}
