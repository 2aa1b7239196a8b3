// Whole declarations by __CUDA_ARCH__: each side has its own constants, types, functions, members, templates and headers.
// prints: PASS
#include <cstdio>
#include <type_traits>
#ifdef __CUDA_ARCH__
#define TILE 32
constexpr int width = 32;
typedef float real;
using index_t = unsigned;
enum Side { onHost = 10, onDevice = 20 };
static_assert(width == 32, "the device's");
#else
#include <numeric>
#include <vector>
#define TILE 64
constexpr int width = 64;
typedef double real;
using index_t = long long;
enum Side { onHost = 1, onDevice = 2 };
static_assert(width == 64, "the host's");
#endif
static const int area = width * width;                  // made of what differs
template <int n> struct Padded { int values[n]; };
using Row = Padded<width>;
int table[TILE];                                        // the host's own
#ifdef __CUDA_ARCH__
__device__ inline int whoAmI() { return 1; }
__device__ inline int twice(int x) { return 2 * x; }
template <class T> __device__ T scaled(T x) { return x * 3; }
#else
inline int whoAmI() { return 2; }
inline int twice(int x) { return x + x + 1; }
template <class T> T scaled(T x) { return x * 5; }
template <class T> T scaled(T x, T y) { return x * y; }  // an overload of the host's
int sumOf(const std::vector<int> &v) { return std::accumulate(v.begin(), v.end(), 0); }
struct HostOnly { std::vector<int> v; int size() const { return (int)v.size(); } };
#endif
__host__ __device__ constexpr int lanes() {
#ifdef __CUDA_ARCH__
  return 32;
#else
  return 1;
#endif
}
namespace cfg {
#ifndef __CUDA_ARCH__
constexpr int block = 16;
inline int hostBlock() { return block; }
#else
constexpr int block = 8;
#endif
}
struct Ops {
#ifdef __CUDA_ARCH__
  static constexpr int unroll = 4;
  __device__ int get() const { return 40 + x; }
#else
  static constexpr int unroll = 1;
  int get() const { return 10 + x; }
  int onlyHere() const { return x * unroll; }
#endif
  int x;
  __host__ __device__ int steps() const { return unroll * 100; }
};
__host__ __device__ int both() {
  if constexpr (width == 32) return 1000 + width;
  else return 2000 + width;
}
real half(real x);
real half(real x) { return x / 2; }
int hostSide() { return onHost + (int)sizeof(index_t); }
__global__ void k(int *o) {
  __shared__ int s[lanes() + 1];
  s[0] = 1;
  Ops p{2};
  o[0] = TILE; o[1] = width; o[2] = sizeof(real); o[3] = sizeof(index_t); o[4] = onDevice; o[5] = area; o[6] = sizeof(Row);
  o[7] = whoAmI(); o[8] = twice(4); o[9] = scaled(2); o[10] = sizeof s / 4; o[11] = cfg::block; o[12] = p.get(); o[13] = p.steps(); o[14] = both() + Ops::unroll;
}
int main() {
  int *o, bad = 0;
  cudaMallocManaged(&o, 64 * sizeof(int));
  k<<<1, 1>>>(o);
  cudaDeviceSynchronize();
  const int device[] = {32, 32, 4, 4, 20, 1024, 128, 1, 8, 6, 33, 8, 42, 400, 1036};
  Ops p{2};
  const int host[] = {TILE, width, sizeof(real), sizeof(index_t), onDevice, area, sizeof(Row), whoAmI(), twice(4), scaled(2), lanes() + 1, cfg::block, p.get(), p.steps(), both() + Ops::unroll};
  const int asHost[] = {64, 64, 8, 8, 2, 4096, 256, 2, 9, 10, 2, 16, 12, 100, 2065};
  for (int i = 0; i < 15; ++i) {
    if (o[i] != device[i]) ++bad, printf("device %d: %d\n", i, o[i]);
    if (host[i] != asHost[i]) ++bad, printf("host %d: %d\n", i, host[i]);
  }
  bad += sizeof(table) != 256 || half(3) != 1.5 || hostSide() != 9 || !std::is_same<real, double>::value;
#ifndef __CUDA_ARCH__  // nvcc reads it for both sides
  bad += sumOf({1, 2, 3}) != 6 || scaled(2, 3) != 6 || cfg::hostBlock() != 16 || p.onlyHere() != 2 || HostOnly{{1, 2}}.size() != 2;
#endif
  puts(bad ? "FAIL" : "PASS");
  return bad;
}
