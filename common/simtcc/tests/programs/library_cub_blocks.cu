// What blocks and warps do together in CUB, by its own headers: really executed, counted and searched.
// needs: /usr/include/cub/version.cuh
// prints: int 130816 float 130816 max 511 last 510
// prints: warp sum 496 scan 496 max 31 of eight 28
// prints: sorted 1 pairs 1 striped 0 128
// prints: histogram 64 64 heads 8 broadcast 7
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/cub.cuh>

#include <cstdio>

constexpr int threads = 128, items = 4, n = threads * items;

template <typename T, cub::BlockReduceAlgorithm algorithm>
__global__ void reduce(const T* in, T* out) {
  using Load = cub::BlockLoad<T, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = cub::BlockStore<T, threads, items, cub::BLOCK_STORE_TRANSPOSE>;
  using Reduce = cub::BlockReduce<T, threads, algorithm>;
  using Scan = cub::BlockScan<T, threads, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  } temp;
  T mine[items];
  Load(temp.load).Load(in, mine);
  __syncthreads();
  const T sum = Reduce(temp.reduce).Sum(mine);
  __syncthreads();
  const T largest = Reduce(temp.reduce).Reduce(mine, cub::Max());
  __syncthreads();
  Scan(temp.scan).InclusiveScan(mine, mine, cub::Max());
  __syncthreads();
  Store(temp.store).Store(out + 2, mine);
  if (threadIdx.x == 0) out[0] = sum, out[1] = largest;
}

__global__ void warps(int* out) {
  __shared__ typename cub::WarpReduce<int>::TempStorage reduce[4];
  __shared__ typename cub::WarpScan<int>::TempStorage scan[4];
  __shared__ typename cub::WarpReduce<int, 8>::TempStorage eights[16];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int sum = cub::WarpReduce<int>(reduce[warp]).Sum(lane);
  int scanned;
  cub::WarpScan<int>(scan[warp]).InclusiveSum(lane, scanned);
  __syncwarp();
  const int largest = cub::WarpReduce<int>(reduce[warp]).Reduce(lane, cub::Max());
  const int eight = cub::WarpReduce<int, 8>(eights[threadIdx.x / 8]).Sum(lane % 8);
  if (threadIdx.x == 0) out[0] = sum, out[2] = largest, out[3] = eight;
  if (threadIdx.x == 127) out[1] = scanned;
}

__global__ void sorts(const unsigned* in, unsigned* out, int* facts) {
  using Sort = cub::BlockRadixSort<unsigned, threads, items>;
  using PairSort = cub::BlockRadixSort<unsigned, threads, items, int>;
  using Exchange = cub::BlockExchange<unsigned, threads, items>;
  using Heads = cub::BlockDiscontinuity<int, threads>;
  using Histogram = cub::BlockHistogram<unsigned char, threads, items, 8>;
  __shared__ union {
    Sort::TempStorage sort;
    PairSort::TempStorage pairs;
    Exchange::TempStorage exchange;
    Heads::TempStorage heads;
    Histogram::TempStorage histogram;
  } temp;
  __shared__ unsigned counts[8];
  unsigned keys[items], again[items];
  int values[items];
  for (int i = 0; i < items; ++i) again[i] = keys[i] = in[threadIdx.x * items + i], values[i] = int(keys[i]) * 2;
  Sort(temp.sort).SortBlockedToStriped(keys);
  for (int i = 0; i < items; ++i) out[i * threads + threadIdx.x] = keys[i];
  __syncthreads();
  PairSort(temp.pairs).SortDescending(again, values);
  int good = 1;
  for (int i = 0; i < items; ++i) good &= values[i] == int(again[i]) * 2;
  good = __syncthreads_and(good);
  Exchange(temp.exchange).BlockedToStriped(again);
  if (threadIdx.x == 0) facts[0] = good, facts[1] = int(n - 1 - again[0]), facts[2] = int(n - 1 - again[1]);
  __syncthreads();
  int heads[1], item[1] = {int(threadIdx.x / 16)};
  Heads(temp.heads).FlagHeads(heads, item, cub::Inequality());
  const int count = __syncthreads_count(heads[0]);
  unsigned char samples[items];
  for (int i = 0; i < items; ++i) samples[i] = (unsigned char)((threadIdx.x + i) % 8);
  Histogram(temp.histogram).Histogram(samples, counts);
  __syncthreads();
  if (threadIdx.x == 0) facts[3] = int(counts[0]), facts[4] = int(counts[7]), facts[5] = count;
  if (threadIdx.x < 32) {
    const int seven = cub::ShuffleIndex<32>(int(threadIdx.x), 7, 0xffffffffu);
    if (threadIdx.x == 0) facts[6] = seven;
  }
}

int main() {
  int *a, *b, host[n + 2];
  float *x, *y, hostX[n + 2];
  cudaMalloc(&a, n * sizeof(int)), cudaMalloc(&b, (n + 2) * sizeof(int));
  cudaMalloc(&x, n * sizeof(float)), cudaMalloc(&y, (n + 2) * sizeof(float));
  for (int i = 0; i < n; ++i) host[i] = i, hostX[i] = float(i);
  cudaMemcpy(a, host, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(x, hostX, n * sizeof(float), cudaMemcpyHostToDevice);
  reduce<int, cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, threads>>>(a, b);
  reduce<float, cub::BLOCK_REDUCE_RAKING><<<1, threads>>>(x, y);
  cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(hostX, y, sizeof hostX, cudaMemcpyDeviceToHost);
  std::printf("int %d float %g max %d last %g\n", host[0], hostX[0], host[1], hostX[n]);
  warps<<<1, threads>>>(b);
  cudaMemcpy(host, b, 16, cudaMemcpyDeviceToHost);
  std::printf("warp sum %d scan %d max %d of eight %d\n", host[0], host[1], host[2], host[3]);
  unsigned keys[n];
  for (int i = 0; i < n; ++i) keys[i] = unsigned(i * 37 % n);
  cudaMemcpy(a, keys, sizeof keys, cudaMemcpyHostToDevice);
  int *facts, found[7];
  cudaMalloc(&facts, sizeof found);
  sorts<<<1, threads>>>((unsigned*)a, (unsigned*)b, facts);
  cudaMemcpy(keys, b, sizeof keys, cudaMemcpyDeviceToHost);
  cudaMemcpy(found, facts, sizeof found, cudaMemcpyDeviceToHost);
  bool sorted = true;
  for (int i = 0; i < n; ++i) sorted = sorted && keys[i] == unsigned(i);
  std::printf("sorted %d pairs %d striped %d %d\n", sorted, found[0], found[1], found[2]);
  std::printf("histogram %d %d heads %d broadcast %d\n", found[3], found[4], found[5], found[6]);
}
