#include <cstdio>
#include <cstdint>

// A generator of its own in every thread.
struct Random {
  uint32_t state;
  __device__ explicit Random(uint32_t seed) : state(seed * 747796405u + 2891336453u) {}
  __device__ uint32_t next() {
    state = state * 747796405u + 2891336453u;
    uint32_t word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
  }
  __device__ float uniform() { return next() * (1.0f / 4294967296.0f); }
};

__global__ void throwDarts(unsigned long long *hits, int perThread) {
  Random random(blockIdx.x * blockDim.x + threadIdx.x);
  unsigned mine = 0;
  for (int i = 0; i < perThread; ++i) {
    const float x = random.uniform(), y = random.uniform();
    mine += x * x + y * y < 1.0f;
  }
  for (int offset = warpSize / 2; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffff, mine, offset);
  if (threadIdx.x % warpSize == 0) atomicAdd(hits, (unsigned long long)mine);
}

int main() {
  unsigned long long *d, h;
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  throwDarts<<<4, 128>>>(d, 64);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  const double pi = 4.0 * h / (4 * 128 * 64);
  printf("%s\n", pi > 3.05 && pi < 3.23 ? "near pi" : "far from pi");
}
// prints: near pi
