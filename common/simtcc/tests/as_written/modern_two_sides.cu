// Functions for both sides that ask for __CUDA_ARCH__: bodies, macros, classes, operators, constructors, launches.
// prints: PASS
#include <nv/target>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>
#ifdef __CUDA_ARCH__
#define POPC(x) __popc(x)
#define SIDE 1
#else
#define POPC(x) (100 + __builtin_popcount(x))
#define SIDE 0
#endif
#define HD __host__ __device__
__global__ void tiny(int *p) { *p = 5; }
HD constexpr int square(int x) {
#ifdef __CUDA_ARCH__
  return x * x + 1;
#else
  return x * x;
#endif
}
HD inline int bits(unsigned x) { return POPC(x); }
HD void run(int *p) {
#ifndef __CUDA_ARCH__
  tiny<<<1, 1>>>(p);
  cudaDeviceSynchronize();
#else
  *p = 7;
#endif
}
template <class T> struct Vec {
  T *data; int n, side;
  HD Vec(T *d, int k) : data(d), n(k) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    side = 2;
#else
    side = 3;
#endif
  }
  HD T operator[](int i) const { return SIDE ? data[i] : -data[i]; }
  HD operator bool() const { return SIDE; }
  HD ~Vec() {
#ifdef __CUDA_ARCH__
    __syncwarp();
#else
    n = 0; std::vector<int> v(3); n += (int)v.size();
#endif
  }
};
HD int lane() {
#ifdef __CUDA_ARCH__
  return threadIdx.x & 31;
#else
  return -1;
#endif
}
HD int target() { NV_IF_ELSE_TARGET(NV_IS_DEVICE, (int a = 1, b = 2; return a + b;), (return 4;)) }
HD int dispatched() { NV_DISPATCH_TARGET(NV_PROVIDES_SM_100, (return 100;), NV_PROVIDES_SM_80, (return 80;), NV_IS_HOST, (return 5;)) }
int onlyHost() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return std::string("ab").size();
#endif
}
HD void check(bool ok) {
#ifdef __CUDA_ARCH__
  if (!ok) asm("trap;");
#else
  if (!ok) { fprintf(stderr, "host check\n"); exit(3); }
#endif
}
template <class F> __global__ void apply(int *o, F f) { o[threadIdx.x] = f(threadIdx.x); }
struct Functor { HD int operator()(int i) const { return i + 10 * SIDE + bits(3); } };
__global__ void k(int *o) { Vec<int> v(o, 4); check(true); int s = lane() + bits(7) + (v ? 100 : 0) + v.side * 1000 + target() * 100000 + dispatched() * 1000000 + square(2) * 10000; __syncwarp(); if (threadIdx.x == 40) run(o + 1); else if (threadIdx.x == 33) o[0] = s; }
int main() {
  int *o, bad = 0; cudaMallocManaged(&o, 1024); k<<<1, 64>>>(o); cudaDeviceSynchronize();
  bad += o[0] != 1 + 3 + 100 + 2000 + 50000 + 300000 + 80000000; bad += target() != 4 || dispatched() != 5; bad += o[1] != 7; run(o); bad += o[0] != 5; int x = 4; Vec<int> v(&x, 1); bad += v.side != 3 || v[0] != -4 || v; bad += bits(7) != 103; bad += lane() != -1; bad += onlyHost() != 2; volatile int three = 3; bad += square(three) != 9; check(true);
  apply<<<1, 4>>>(o, Functor()); cudaDeviceSynchronize(); bad += o[3] != 3 + 10 + 2; bad += Functor()(3) != 3 + 102;
  puts(bad ? "FAIL" : "PASS"); return bad;
}
