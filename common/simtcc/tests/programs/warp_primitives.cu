#include <cstdio>

__global__ void warp(int *out) {
  const int lane = threadIdx.x & 31;
  out[lane] = __match_any_sync(0xffffffff, lane / 8) == 0xffu << (lane / 8 * 8);
  int all;
  out[lane] += __match_all_sync(0xffffffff, 5, &all) == 0xffffffff && all;
  __match_all_sync(0xffffffff, lane, &all);
  out[lane] += !all;
  const short s = __shfl_sync(0xffffffff, (short)lane, 3);
  const char c = __shfl_down_sync(0xffffffff, (char)lane, 1);
  const bool b = __shfl_xor_sync(0xffffffff, lane == 1, 1);
  const double d = __shfl_up_sync(0xffffffff, (double)lane, 2);
  const unsigned long long u = __shfl_sync(0xffffffff, 1ull << 40, 0);
  out[lane] += s == 3 && c == (lane < 31 ? lane + 1 : lane) && b == (lane == 0) && d == (lane < 2 ? lane : lane - 2) && u >> 40;
  out[lane] += __reduce_add_sync(0xffffffff, lane) == 496;
  out[lane] += __ballot_sync(0xffffffff, lane % 2) == 0xaaaaaaaa && __any_sync(0xffffffff, lane == 4) && !__all_sync(0xffffffff, lane == 4);
  if (lane < 16) out[lane] += __activemask() == 0xffff;
}

int main() {
  int *d, h[32], sum = 0;
  cudaMalloc(&d, sizeof h);
  warp<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int x : h) sum += x;
  printf("%d\n", sum);
}
// prints: 208
