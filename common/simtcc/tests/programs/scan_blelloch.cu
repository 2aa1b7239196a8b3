#include <cstdio>

#define CONFLICT_FREE_OFFSET(n) ((n) >> 5)

__global__ void prescan(float *g_odata, float *g_idata, int n) {
  extern __shared__ float temp[];
  int thid = threadIdx.x, offset = 1;
  int ai = thid, bi = thid + (n / 2);
  temp[ai + CONFLICT_FREE_OFFSET(ai)] = g_idata[ai];
  temp[bi + CONFLICT_FREE_OFFSET(bi)] = g_idata[bi];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
      temp[b + CONFLICT_FREE_OFFSET(b)] += temp[a + CONFLICT_FREE_OFFSET(a)];
    }
    offset *= 2;
  }
  if (thid == 0) temp[n - 1 + CONFLICT_FREE_OFFSET(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
      a += CONFLICT_FREE_OFFSET(a), b += CONFLICT_FREE_OFFSET(b);
      float t = temp[a];
      temp[a] = temp[b];
      temp[b] += t;
    }
  }
  __syncthreads();
  g_odata[ai] = temp[ai + CONFLICT_FREE_OFFSET(ai)];
  g_odata[bi] = temp[bi + CONFLICT_FREE_OFFSET(bi)];
}

int main() {
  const int n = 256;
  float h[n], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i % 3;
  cudaMalloc(&in, sizeof h), cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  prescan<<<1, n / 2, (n + (n >> 5)) * sizeof(float)>>>(out, in, n);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", h[0], h[1], h[3], h[255]);
}
// prints: 0 0 3 255
