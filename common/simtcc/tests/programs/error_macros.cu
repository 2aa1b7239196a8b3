#include <cstdio>
#include <cstdlib>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = false) {
  if (code != cudaSuccess) {
    printf("GPUassert: %s line %d\n", cudaGetErrorString(code), line);
    if (abort) exit(code);
  }
}

__global__ void nothing(int *p) { (void)p; }

int main() {
  int *d;
  gpuErrchk(cudaMalloc(&d, 100 * sizeof(int)));
  nothing<<<1, 2048>>>(d);
  gpuErrchk(cudaPeekAtLastError());
  gpuErrchk(cudaGetLastError());
  gpuErrchk(cudaGetLastError());
  nothing<<<0, 32>>>(d);
  gpuErrchk(cudaGetLastError());
  nothing<<<1, 32, 100000>>>(d);
  gpuErrchk(cudaGetLastError());
  int h[200];
  gpuErrchk(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  gpuErrchk(cudaMemset(d, 0, 400));
  gpuErrchk(cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost));
  gpuErrchk(cudaMalloc(&d, size_t(1) << 50));
  gpuErrchk(cudaDeviceSynchronize());
}
// prints: GPUassert: invalid configuration argument line 18
// prints: GPUassert: invalid configuration argument line 19
// prints: GPUassert: invalid configuration argument line 22
// prints: GPUassert: invalid argument line 24
// prints: GPUassert: invalid argument line 26
// prints: GPUassert: out of memory line 29
