// nvcc: takes it
#include <cstdio>
cudaError_t cudaCheck(cudaError_t error) { return error; }
#define CHECK(call) cudaCheck(call)
int main() {
  auto cudaTwice = [](int x) { return 2 * x; };
  cudaIpcEventHandle_t *unused = nullptr;
  printf("%d\n", cudaTwice(1));
  CHECK(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, cudaFlushGPUDirectRDMAWritesToOwner));
}
// refused: refused_runtime_function.cu:9: error: cudaDeviceFlushGPUDirectRDMAWrites is not supported
