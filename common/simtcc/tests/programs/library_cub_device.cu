// The algorithms of CUB for a whole device, in their two calls.
// needs: /usr/include/cub/version.cuh
// prints: sum 499500 min 0 max 999 product 42
// prints: scan 0 498501 499500
// prints: sorted 1 1 by bits 1
// prints: selected 500 flagged 3 unique 10 runs 10 of 100
// prints: segments 4950 94950 histogram 250 100
// prints: best at 990: 999
// prints: kernel 0 999
#include <cub/cub.cuh>

#include <cstdio>
#include <vector>

#define CHECK(call)                                                                 \
  do {                                                                              \
    const cudaError_t error = (call);                                               \
    if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));       \
  } while (0)

// As programs do: the size first, then the work.
template <typename Call>
void run(Call call) {
  void* temporary = nullptr;
  size_t bytes = 0;
  CHECK(call(temporary, bytes));
  CHECK(cudaMalloc(&temporary, bytes));
  CHECK(call(temporary, bytes));
  CHECK(cudaFree(temporary));
}
struct Even {
  __host__ __device__ __forceinline__ bool operator()(const int& x) const { return x % 2 == 0; }
};
__global__ void ends(const unsigned* sorted, unsigned* out, int n) {
  if (threadIdx.x == 0) out[0] = sorted[0], out[1] = sorted[n - 1];
}

int main() {
  const int n = 1000;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = i * 37 % n;
  int *in, *out, *count;
  unsigned *keys, *sorted;
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&out, n * sizeof(int)));
  CHECK(cudaMalloc(&count, sizeof(int)));
  CHECK(cudaMalloc(&keys, n * sizeof(unsigned)));
  CHECK(cudaMalloc(&sorted, n * sizeof(unsigned)));
  CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(keys, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  const auto get = [](const int* from) {
    int value;
    CHECK(cudaMemcpy(&value, from, sizeof value, cudaMemcpyDeviceToHost));
    return value;
  };
  run([&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, in, out, n); });
  run([&](void* t, size_t& b) { return cub::DeviceReduce::Min(t, b, in, out + 1, n); });
  run([&](void* t, size_t& b) { return cub::DeviceReduce::Max(t, b, in, out + 2, n); });
  run([&](void* t, size_t& b) {
    return cub::DeviceReduce::Reduce(t, b, in, out + 3, 0, [] __device__(int a, int c) { return a * c; }, 42);
  });
  std::printf("sum %d min %d max %d product %d\n", get(out), get(out + 1), get(out + 2), get(out + 3));

  cub::CountingInputIterator<int> counting(0);
  run([&](void* t, size_t& b) { return cub::DeviceScan::ExclusiveSum(t, b, counting, out, n); });
  const int first = get(out), last = get(out + n - 1);
  run([&](void* t, size_t& b) { return cub::DeviceScan::InclusiveSum(t, b, counting, out, n); });
  std::printf("scan %d %d %d\n", first, last, get(out + n - 1));

  run([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortPairs(t, b, keys, sorted, in, out, n); });
  std::vector<int> back(n), values(n);
  CHECK(cudaMemcpy(back.data(), sorted, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(values.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
  bool good = true, down = true, bits = true;
  for (int i = 0; i < n; ++i) good = good && back[i] == i && values[i] == i;
  cub::DoubleBuffer<unsigned> buffers(keys, sorted);
  run([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeysDescending(t, b, buffers, n); });
  CHECK(cudaMemcpy(back.data(), buffers.Current(), n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) down = down && back[i] == n - 1 - i;
  run([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, keys, sorted, n, 0, 2); });
  CHECK(cudaMemcpy(back.data(), sorted, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 1; i < n; ++i) bits = bits && (back[i - 1] & 3) <= (back[i] & 3);
  std::printf("sorted %d %d by bits %d\n", good, down, bits);

  run([&](void* t, size_t& b) { return cub::DeviceSelect::If(t, b, in, out, count, n, Even()); });
  const int selected = get(count);
  char flags[1000] = {1, 0, 1, 1}, *deviceFlags;
  CHECK(cudaMalloc(&deviceFlags, n));
  CHECK(cudaMemcpy(deviceFlags, flags, n, cudaMemcpyHostToDevice));
  run([&](void* t, size_t& b) { return cub::DeviceSelect::Flagged(t, b, in, deviceFlags, out, count, n); });
  const int flagged = get(count);
  for (int i = 0; i < n; ++i) h[i] = i / 100;
  CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  run([&](void* t, size_t& b) { return cub::DeviceSelect::Unique(t, b, in, out, count, n); });
  const int unique = get(count);
  int* lengths;
  CHECK(cudaMalloc(&lengths, n * sizeof(int)));
  run([&](void* t, size_t& b) { return cub::DeviceRunLengthEncode::Encode(t, b, in, out, lengths, count, n); });
  std::printf("selected %d flagged %d unique %d runs %d of %d\n", selected, flagged, unique, get(count), get(lengths + 9));

  const int offsets[] = {0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000};
  int* deviceOffsets;
  CHECK(cudaMalloc(&deviceOffsets, sizeof offsets));
  CHECK(cudaMemcpy(deviceOffsets, offsets, sizeof offsets, cudaMemcpyHostToDevice));
  run([&](void* t, size_t& b) {
    return cub::DeviceSegmentedReduce::Sum(t, b, counting, out, 10, deviceOffsets, deviceOffsets + 1);
  });
  const int segment = get(out), lastSegment = get(out + 9);
  run([&](void* t, size_t& b) { return cub::DeviceHistogram::HistogramEven(t, b, counting, out, 5, 0, 1000, n); });
  const int quarter = get(out + 3);
  run([&](void* t, size_t& b) { return cub::DeviceHistogram::HistogramEven(t, b, in, out, 11, 0, 10, n); });
  std::printf("segments %d %d histogram %d %d\n", segment, lastSegment, quarter, get(out + 4));

  cub::KeyValuePair<int, int>*best, found;
  CHECK(cudaMalloc(&best, sizeof found));
  for (int i = 0; i < n; ++i) h[i] = i == 990 ? 999 : i % 900;
  CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  run([&](void* t, size_t& b) { return cub::DeviceReduce::ArgMax(t, b, in, best, n); });
  CHECK(cudaMemcpy(&found, best, sizeof found, cudaMemcpyDeviceToHost));
  std::printf("best at %d: %d\n", found.key, found.value);
  run([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, buffers, n); });
  ends<<<1, 32>>>(sorted, (unsigned*)out, n);  // there before CUB was called, and written by it
  ends<<<1, 32>>>(buffers.Current(), (unsigned*)out, n);
  std::printf("kernel %d %d\n", get(out), get(out + 1));
}
