#include <cstdio>
#include <cmath>

#define SOFTENING 1e-3f

struct Body {
  float4 position;
  float3 velocity;
};

__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai) {
  float3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
  float inv = rsqrtf(distSqr);
  float s = bj.w * inv * inv * inv;
  ai.x += r.x * s, ai.y += r.y * s, ai.z += r.z * s;
  return ai;
}

__global__ void step(Body *bodies, int n, float dt) {
  extern __shared__ float4 positions[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 mine = bodies[i].position;
  float3 a = make_float3(0, 0, 0);
  for (int tile = 0; tile < n; tile += blockDim.x) {
    positions[threadIdx.x] = bodies[tile + threadIdx.x].position;
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) a = bodyBodyInteraction(mine, positions[k], a);
    __syncthreads();
  }
  bodies[i].velocity.x += a.x * dt;
  bodies[i].velocity.y += a.y * dt;
  bodies[i].velocity.z += a.z * dt;
}

int main() {
  const int n = 64;
  Body h[n];
  for (int i = 0; i < n; ++i) {
    h[i].position = make_float4(i, -i, 0, 1);
    h[i].velocity = make_float3(0, 0, 0);
  }
  Body *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  step<<<n / 32, 32, 32 * sizeof(float4)>>>(d, n, 0.5f);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += h[i].velocity.x + h[i].velocity.y;
  printf("%d %d\n", std::fabs(sum) < 1e-3f, h[0].velocity.x > 0.25f);
}
// prints: 1 1
