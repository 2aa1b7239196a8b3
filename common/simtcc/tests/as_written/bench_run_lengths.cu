// says: ^[0-9]+ runs, decoded: identical
// Runs of bytes: ballots, popc, a scan over blocks with a flag each (decoupled look-back) whose state and sum are one volatile word, byte stores.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
enum : unsigned { EMPTY = 0, AGGREGATE = 1, PREFIX = 2 };
constexpr int kBlock = 128;

__device__ __forceinline__ unsigned lane_id() {
  unsigned r;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}
__device__ __forceinline__ unsigned lanemask_lt() {
  unsigned r;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
  return r;
}
__global__ void find_heads(const uint8_t *in, int n, uint8_t *values, int *starts, volatile unsigned long long *states, unsigned *ticket) {
  __shared__ unsigned warp_sums[kBlock / 32], s_tile, s_before;
  if (threadIdx.x == 0) s_tile = atomicAdd(ticket, 1);
  __syncthreads();
  const unsigned tile = s_tile;
  const int i = tile * kBlock + threadIdx.x;
  const bool head = i < n && (i == 0 || in[i] != in[i - 1]);
  const unsigned ballot = __ballot_sync(0xffffffff, head), warp = threadIdx.x >> 5;
  if (lane_id() == 0) warp_sums[warp] = __popc(ballot);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned total = 0;
    for (int w = 0; w < kBlock / 32; w++) {
      const unsigned c = warp_sums[w];
      warp_sums[w] = total;
      total += c;
    }
    unsigned before = 0;
    if (tile == 0) {
      states[0] = ((unsigned long long)PREFIX << 32) | total;
    } else {
      states[tile] = ((unsigned long long)AGGREGATE << 32) | total;
      for (int back = tile - 1;;) {
        unsigned long long state;
        do state = states[back]; while (state >> 32 == EMPTY);
        before += (unsigned)state;
        if (state >> 32 == PREFIX) break;
        --back;
      }
      states[tile] = ((unsigned long long)PREFIX << 32) | (before + total);
    }
    s_before = before;
  }
  __syncthreads();
  if (head) {
    const unsigned at = s_before + warp_sums[warp] + __popc(ballot & lanemask_lt());
    values[at] = in[i];
    starts[at] = i;
  }
}
int main() {
  const int n = 1000, tiles = (n + kBlock - 1) / kBlock;
  uint8_t *in, h[n], back[n], *values;
  int *starts;
  unsigned long long *states;
  unsigned *ticket;
  srand(5);
  for (int i = 0, v = 0; i < n; i++) h[i] = rand() % 4 ? v : v = rand() % 256;
  cudaMalloc(&in, n); cudaMalloc(&values, n); cudaMalloc(&starts, n * sizeof(int));
  cudaMalloc(&states, tiles * sizeof(*states)); cudaMalloc(&ticket, sizeof(*ticket));
  cudaMemset(states, 0, tiles * sizeof(*states)); cudaMemset(ticket, 0, sizeof(*ticket));
  cudaMemcpy(in, h, n, cudaMemcpyHostToDevice);
  find_heads<<<tiles, kBlock>>>(in, n, values, starts, states, ticket);
  unsigned long long last;
  cudaMemcpy(&last, states + tiles - 1, sizeof last, cudaMemcpyDeviceToHost);
  const unsigned runs = (unsigned)last;
  uint8_t *hv = new uint8_t[runs];
  int *hs = new int[runs + 1];
  cudaMemcpy(hv, values, runs, cudaMemcpyDeviceToHost);
  cudaMemcpy(hs, starts, runs * sizeof(int), cudaMemcpyDeviceToHost);
  hs[runs] = n;
  for (unsigned r = 0; r < runs; r++) memset(back + hs[r], hv[r], hs[r + 1] - hs[r]);
  printf("%u runs, decoded: %s\n", runs, memcmp(back, h, n) ? "DIFFERENT" : "identical");
  delete[] hv;
  delete[] hs;
  return memcmp(back, h, n) != 0;
}
