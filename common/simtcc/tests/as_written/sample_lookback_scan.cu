// prints: scan: 0 of 10000 wrong, total 5000 5000
// prints: tail 0 wrong, order kept
// A scan in one pass by looking back: tiles take numbers by an atomic, flags and sums go by volatile words after __threadfence, a warp looks at 32 predecessors at once.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>
enum : uint32_t { FLAG_INVALID = 0, FLAG_AGGREGATE = 1, FLAG_PREFIX = 2 };
constexpr int kThreads = 128, kItems = 4, kTile = kThreads * kItems;
struct TileState { volatile uint32_t flag; volatile uint32_t aggregate, prefix; };
__device__ unsigned int g_ticket;
__device__ __forceinline__ uint32_t lane_id() { uint32_t r; asm volatile("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__device__ __forceinline__ uint32_t warp_scan(uint32_t v) {
#pragma unroll
  for (int o = 1; o < 32; o <<= 1) { uint32_t u = __shfl_up_sync(0xffffffffu, v, o); if (lane_id() >= o) v += u; }
  return v;
}
__global__ void __launch_bounds__(kThreads) scan(const uint32_t *__restrict__ in, uint32_t *__restrict__ out, TileState *state, int n) {
  __shared__ uint32_t s_tile, s_exclusive, s_warps[kThreads / 32];
  if (threadIdx.x == 0) s_tile = atomicAdd(&g_ticket, 1u);
  __syncthreads();
  const uint32_t tile = s_tile;
  uint32_t items[kItems], sum = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = tile * kTile + threadIdx.x * kItems + i;
    items[i] = at < n ? __ldg(in + at) : 0;
    sum += items[i];
  }
  const uint32_t inclusive = warp_scan(sum);
  if (lane_id() == 31) s_warps[threadIdx.x / 32] = inclusive;
  __syncthreads();
  uint32_t before = inclusive - sum, total = 0;
  for (int w = 0; w < kThreads / 32; ++w) { if (w < threadIdx.x / 32) before += s_warps[w]; total += s_warps[w]; }
  if (threadIdx.x < 32) {
    uint32_t exclusive = 0;
    if (tile == 0) {
      if (threadIdx.x == 0) { state[0].prefix = total; __threadfence(); state[0].flag = FLAG_PREFIX; }
    } else {
      if (threadIdx.x == 0) { state[tile].aggregate = total; __threadfence(); state[tile].flag = FLAG_AGGREGATE; }
      for (int look = int(tile) - 1 - int(threadIdx.x);; look -= 32) {
        uint32_t flag = FLAG_PREFIX, value = 0;
        if (look >= 0) {
          while ((flag = state[look].flag) == FLAG_INVALID) __nanosleep(20);
          __threadfence();
          value = flag == FLAG_PREFIX ? state[look].prefix : state[look].aggregate;
        }
        const unsigned prefixes = __ballot_sync(0xffffffffu, flag == FLAG_PREFIX);
        const int stop = __ffs(prefixes) - 1;  // the nearest that knows all
        if (prefixes && int(threadIdx.x) > stop) value = 0;
        exclusive += __reduce_add_sync(0xffffffffu, value);
        if (prefixes) break;
      }
      if (threadIdx.x == 0) { state[tile].prefix = exclusive + total; __threadfence(); state[tile].flag = FLAG_PREFIX; }
    }
    if (threadIdx.x == 0) s_exclusive = exclusive;
  }
  __syncthreads();
  uint32_t running = s_exclusive + before;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    running += items[i];
    const int at = tile * kTile + threadIdx.x * kItems + i;
    if (at < n) out[at] = running;
  }
}
int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 10000, tiles = (n + kTile - 1) / kTile;
  std::vector<uint32_t> host(n), got(n), want(n);
  for (int i = 0; i < n; ++i) host[i] = (i * 2654435761u >> 7) % 2;
  std::partial_sum(host.begin(), host.end(), want.begin());
  uint32_t *in, *out; TileState *state;
  cudaMalloc(&in, n * 4); cudaMalloc(&out, n * 4); cudaMalloc(&state, tiles * sizeof(TileState));
  cudaMemcpy(in, host.data(), n * 4, cudaMemcpyHostToDevice);
  cudaStream_t stream; cudaEvent_t start, stop; float ms;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEventCreate(&start); cudaEventCreateWithFlags(&stop, cudaEventDefault);
  for (int repeat = -1; repeat < 2; ++repeat) {  // one to warm up
    unsigned zero = 0;
    cudaMemcpyToSymbolAsync(g_ticket, &zero, sizeof zero, 0, cudaMemcpyHostToDevice, stream);
    cudaMemsetAsync(state, 0, tiles * sizeof(TileState), stream);
    if (repeat == 0) cudaEventRecord(start, stream);
    scan<<<tiles, kThreads, 0, stream>>>(in, out, state, n);
  }
  cudaEventRecord(stop, stream); cudaEventSynchronize(stop); cudaEventElapsedTime(&ms, start, stop);
  if (cudaError_t e = cudaStreamSynchronize(stream)) return printf("%s\n", cudaGetErrorString(e)), 1;
  cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost);
  int wrong = 0, tail = 0; bool order = true;
  for (int i = 0; i < n; ++i) wrong += got[i] != want[i], tail += i >= tiles / 2 * kTile && got[i] != want[i], order &= i == 0 || got[i] >= got[i - 1];
  printf("scan: %d of %d wrong, total %u %d\n", wrong, n, got.back(), n / 2);
  printf("tail %d wrong, order %s\n", tail, order ? "kept" : "lost");
  cudaEventDestroy(start); cudaEventDestroy(stop); cudaStreamDestroy(stream);
  return wrong != 0;
}
