#include <cuda_runtime.h>
#include <iostream>

int main(int argc, char **argv) {
  int deviceCount = 0;
  cudaError_t error_id = cudaGetDeviceCount(&deviceCount);
  if (error_id != cudaSuccess) {
    printf("cudaGetDeviceCount returned %d\n-> %s\n", static_cast<int>(error_id), cudaGetErrorString(error_id));
    exit(EXIT_FAILURE);
  }
  for (int dev = 0; dev < deviceCount; ++dev) {
    cudaSetDevice(dev);
    cudaDeviceProp deviceProp;
    cudaGetDeviceProperties(&deviceProp, dev);
    int driverVersion = 0, runtimeVersion = 0, multiprocessors = 0;
    cudaDriverGetVersion(&driverVersion);
    cudaRuntimeGetVersion(&runtimeVersion);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, dev);
    printf("compute capability %d.%d, warp %d, block %d, %zu bytes of shared memory per block\n", deviceProp.major,
           deviceProp.minor, deviceProp.warpSize, deviceProp.maxThreadsPerBlock, deviceProp.sharedMemPerBlock);
    printf("%d\n", multiprocessors == deviceProp.multiProcessorCount && driverVersion >= runtimeVersion);
  }
  std::cout << cudaGetErrorName(cudaSetDevice(7)) << "\n";
  size_t free, total;
  cudaMemGetInfo(&free, &total);
  std::cout << (free <= total) << std::endl;
}
// prints: compute capability 9.0, warp 32, block 1024, 49152 bytes of shared memory per block
// prints: 1
// prints: cudaErrorInvalidDevice
// prints: 1
