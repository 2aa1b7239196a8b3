// The GPU: found, chosen and described.
#include "device.h"

#include <fstream>
#include <regex>

bool deviceAvailable() {
  int count = 0;
  const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  cudaGetLastError();
  return found;
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
