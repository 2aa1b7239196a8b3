// Where a launch may stand and how it may look: kernel<<<1, 1>>>() in a comment is none.
#include <cstdio>
#include <functional>

/* another<<<2, 2>>>(x); */
__global__ void mark(int *x, int value) { x[blockIdx.x * blockDim.x + threadIdx.x] += value; }
template <int N>
__global__ void add(int *x) { x[threadIdx.x] += N; }
namespace inner {
__global__ void times(int *x, int k = 2) { x[threadIdx.x] *= k; }
}

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define CHECKED(...)                                                        \
  do {                                                                      \
    __VA_ARGS__;                                                            \
    if (cudaGetLastError() != cudaSuccess) printf("failed: <<<%d>>>\n", 1); \
  } while (0)

template <typename Kernel, typename... Arguments>
void launchAny(Kernel kernel, int threads, Arguments... arguments) {
  kernel<<<1, threads>>>(arguments...);
}
template <void (*kernel)(int *, int)>
struct Launcher {
  static void go(int *x) { kernel<<<dim3(1), dim3(32, 1, 1)>>>(x, 1); }
};

int show(int *d) {
  int h;
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  return h;
}

int main() {
  int *d;
  cudaMalloc(&d, 32 * sizeof(int));
  cudaMemset(d, 0, 32 * sizeof(int));
  const char *text = "not a launch: mark<<<1, 32>>>(d, 1)";
  const char *raw = R"(mark<<<1, 32>>>(d, 1);)";
  mark<<<1, 32>>>(d, 1);
  mark <<< 1, 32 >>> (d, 1);
  mark<<<
      1,   // blocks
      32   // threads
  >>>(
      d, 1);
  ::mark<<<1, 32, 0>>>(d, 1);
  (mark)<<<1, 32, 0, 0>>>(d, 1);
  LAUNCH(mark, 1, 32, d, 1);
  CHECKED(mark<<<1, 32>>>(d, 1));
  CHECKED((add<(8 > 3) ? 1 : 2><<<1, 32>>>(d)));
  if (d) add<3><<<1, 1 << 5>>>(d); else mark<<<1, 1>>>(d, 100);
  for (int i = 0; i < 2; ++i) add<1><<<1, 32 >> 0>>>(d);
  auto lambda = [=](int value) { mark<<<1, 32>>>(d, value); };
  lambda(1);
  std::function<void()> later = [&] { inner::times<<<1, 32>>>(d); };
  later();
  launchAny(mark, 32, d, 1);
  launchAny(add<5>, 32, d);
  Launcher<mark>::go(d);
  void (*pointer)(int *, int) = mark;
  pointer<<<1, 32>>>(d, 1);
  void (*table[])(int *) = {add<1>, add<2>};
  table[1]<<<1, 32>>>(d);
  mark<<<1, 32>>>(d, 1), mark<<<1, 32>>>(d, 1);
  printf("%d %zu\n", show(d), sizeof "<<<" + (text[0] + raw[0] - 'n' - 'm'));
}
// prints: 40 4
