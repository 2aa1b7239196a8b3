#include <cstdio>

template <typename T>
struct Pair {
  T first, second;
};
template <typename T, int Factor>
struct Scale {
  __host__ __device__ T operator()(T x) const { return x * Factor; }
};

template <typename Operation, typename T>
__global__ void apply(T *x, int n, Operation operation) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = operation(x[i]);
}
template <typename P>
__global__ void swapPairs(P *pairs) {
  P p = pairs[threadIdx.x];
  auto t = p.first;
  p.first = p.second, p.second = t;
  pairs[threadIdx.x] = p;
}

enum class Direction { up, down };
template <Direction direction>
__global__ void step(int *x) {
  *x = direction == Direction::up ? 1 : -1;
}

template <typename T>
void run(T value) {
  T *d, h;
  cudaMalloc(&d, sizeof(T));
  cudaMemcpy(d, &value, sizeof(T), cudaMemcpyHostToDevice);
  apply<<<1, 32>>>(d, 1, Scale<T, 3>());
  apply<Scale<T, 2>><<<1, 32>>>(d, 1, Scale<T, 2>{});
  apply<Scale<T, 2>, T><<<1, 32>>>(d, 1, Scale<T, 2>{});
  cudaMemcpy(&h, d, sizeof(T), cudaMemcpyDeviceToHost);
  printf("%g\n", double(h));
  cudaFree(d);
}

int main() {
  run(1);
  run(1.5f);
  run(0.25);
  Pair<Pair<int>> h[2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  swapPairs<Pair<Pair<int>>><<<1, 2>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  step<Direction::down><<<1, 2>>>(&d->first.first);
  printf("%d %d %d\n", h[0].first.first, h[1].first.second, h[1].second.second);
}
// prints: 12
// prints: 18
// prints: 3
// prints: 3 8 6
// tells: benign race: step<.Direction.1>, block 0: 
