// The part of the standard library that kernels may use.
#include <cuda/std/array>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstdio>

__global__ void use(float *out) {
  cuda::std::array<float, 4> four{1, 2, 3, 4};
  float sum = 0;
  for (float v : four) sum += v;
  const auto pair = cuda::std::make_pair(3, 4.5f);
  const auto triple = cuda::std::make_tuple(1, 2.5f, cuda::std::int8_t(7));
  sum += pair.second + cuda::std::get<2>(triple);
  if (cuda::std::is_same<float, decltype(sum)>::value && sum < cuda::std::numeric_limits<float>::max())
    out[threadIdx.x] = cuda::std::move(sum);
}

int main() {
  float *out, host[32];
  cudaMalloc(&out, sizeof host);
  use<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host[31]);
}
// prints: 21.5
