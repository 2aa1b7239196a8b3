// The GPU: found, chosen and described.
#include "cuda/device.h"

#include "cuda/check.h"

#include <fstream>
#include <regex>

bool deviceAvailable() {
  int count = 0;
  const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  cudaGetLastError();
  return found;
}

unsigned multiprocessors() {
  int device = 0, count = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return unsigned(count);
}

bool compiledFor(const void* kernel, int capability) {
  cudaFuncAttributes attributes;
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));  // those of the GPU in use
  return attributes.ptxVersion >= capability;
}

static __global__ void readEverything(const int4* data, size_t n, int* sink) {
  int bits = 0;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x)
    bits |= data[i].x | data[i].y | data[i].z | data[i].w;
  if (bits == 1) *sink = bits;  // never: the compiler must believe that the values matter
}

void flushCache(const char* data, size_t bytes) {
  if (bytes < sizeof(int4)) return;
  readEverything<<<4 * multiprocessors(), 512>>>(reinterpret_cast<const int4*>(data),
                                                 bytes / sizeof(int4), nullptr);
  CUDA_CHECK(cudaGetLastError());
}

static __global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

void keepBusy() {
  spin<<<1, 1>>>(40000);
  CUDA_CHECK(cudaGetLastError());
}

Machine selectDevice(int device, const std::string& program) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0)
    throw Error(exitNoDevice,
                std::string("no usable GPU (") +
                    (status != cudaSuccess ? cudaGetErrorString(status) : "none found") +
                    "): run build/cpu/" + program + " instead");
  if (device < 0 || device >= count)
    throw Error(exitUsage, "--device " + std::to_string(device) + ": this machine has " +
                               std::to_string(count) + " GPU(s), numbered from 0");
  CUDA_CHECK(cudaSetDevice(device));
  const auto attribute = [device](cudaDeviceAttr which) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
  };
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, readEverything) != cudaSuccess)
    throw Error(exitNoDevice, std::string("this program was built for other GPUs than the ") +
                                  properties.name + ": build it anew on this machine");
  Machine machine = describeCpu();
  machine.name = properties.name;
  machine.sms = attribute(cudaDevAttrMultiProcessorCount);
  // Two transfers per memory clock; the clock is in kHz, the bus width in bits.
  machine.peakGbps =
      2e-6 * attribute(cudaDevAttrMemoryClockRate) * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  machine.l2Bytes = size_t(attribute(cudaDevAttrL2CacheSize));
  machine.cuda =
      std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
  std::ifstream version("/proc/driver/nvidia/version");
  std::string line;
  std::smatch match;
  if (std::getline(version, line) &&
      std::regex_search(line, match, std::regex(R"(\d+\.\d+(\.\d+)?)")))
    machine.driver = match.str();
  size_t total = 0;
  CUDA_CHECK(cudaMemGetInfo(&machine.freeBytes, &total));
  return machine;
}
