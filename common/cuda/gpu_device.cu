// The GPU: found, chosen and described.
#include "cuda/device.h"

#include "cuda/check.h"

#include <cctype>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

bool deviceAvailable() {
  int count = 0;
  const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  cudaGetLastError();
  return found;
}

// Of the GPU in use.
static int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

unsigned multiprocessors() { return unsigned(attribute(cudaDevAttrMultiProcessorCount)); }

unsigned memoryBusBits() { return unsigned(attribute(cudaDevAttrGlobalMemoryBusWidth)); }

unsigned blocksThatFit(const void* kernel, unsigned threads) {
  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, int(threads), 0));
  return unsigned(blocks);
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

template <unsigned loads>
static __global__ void discard(const int4* data, size_t count, int* sink) {
  const size_t i = size_t(blockIdx.x) * blockDim.x * loads + threadIdx.x;
  int4 v[loads] = {};
  if (size_t(blockIdx.x + 1) * blockDim.x * loads <= count) {
    for (unsigned k = 0; k < loads; ++k) v[k] = data[i + k * blockDim.x];
  } else {
    for (unsigned k = 0; k < loads; ++k)
      if (i + k * blockDim.x < count) v[k] = data[i + k * blockDim.x];
  }
  int bits = 0;
  for (unsigned k = 0; k < loads; ++k) bits |= v[k].x | v[k].y | v[k].z | v[k].w;
  if (bits > 255) *sink = bits;  // never: the compiler must believe that the values matter
}

void readAndDiscard(const int* data, size_t n, unsigned loads, unsigned threads) {
  const size_t count = n / 4, perBlock = size_t(loads) * threads;
  const auto kernel = loads == 4 ? discard<4> : loads == 8 ? discard<8> : discard<16>;
  if (count == 0) return;
  kernel<<<unsigned((count + perBlock - 1) / perBlock), threads>>>(
      reinterpret_cast<const int4*>(data), count, nullptr);
  CUDA_CHECK(cudaGetLastError());
}

// Waits for a word of host memory, which the GPU reads anew each time.
static __global__ void waitFor(const volatile unsigned* word, unsigned value, long long cycles) {
  const long long start = clock64();
  while (*word != value && clock64() - start < cycles) {
  }
}

namespace {

// A word that host and GPU both see, and the value that lets the last hold() go.
struct Gate {
  volatile unsigned* word = nullptr;
  unsigned next = 0;
  Gate() {
    void* memory = nullptr;
    CUDA_CHECK(cudaMallocHost(&memory, sizeof *word));
    word = static_cast<volatile unsigned*>(memory);
    *word = 0;
  }
};

Gate& gate() {
  static Gate gate;
  return gate;
}

}  // namespace

void hold() {
  waitFor<<<1, 1>>>(gate().word, ++gate().next, 4'000'000);
  CUDA_CHECK(cudaGetLastError());
}

void letGo() { *gate().word = gate().next; }

static __global__ void nothing() {}

void launchNothing() {
  nothing<<<1, 32>>>();
  CUDA_CHECK(cudaGetLastError());
}

// What nvidia-smi says of the GPU's limit, in watts; 0 where it says nothing.
static double powerLimit(int device) {
  char bus[32] = "";
  CUDA_CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, device));
  const std::string command =
      "nvidia-smi --query-gpu=power.limit --format=csv,noheader,nounits -i " + std::string(bus) +
      " 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  double watts = 0;
  return output && std::fscanf(output.get(), "%lf", &watts) == 1 ? watts : 0;
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
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, readEverything) != cudaSuccess)
    throw Error(exitNoDevice, std::string("this program was built for other GPUs than the ") +
                                  properties.name + ": build it anew on this machine");
  Machine machine = describeCpu();
  machine.name = properties.name;
  machine.identity = identityOf({properties.uuid.bytes, sizeof properties.uuid.bytes});
  machine.sms = attribute(cudaDevAttrMultiProcessorCount);
  // Two transfers per memory clock; the clock is in kHz, the bus width in bits.
  machine.clockMhz = attribute(cudaDevAttrClockRate) / 1000;
  machine.memoryClockMhz = attribute(cudaDevAttrMemoryClockRate) / 1000;
  machine.powerLimitWatts = powerLimit(device);
  machine.peakGbps =
      2e-6 * attribute(cudaDevAttrMemoryClockRate) * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  machine.l2Bytes = size_t(attribute(cudaDevAttrL2CacheSize));
  machine.cuda =
      std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
  std::ifstream version("/proc/driver/nvidia/version");
  for (std::string word; machine.driver.empty() && version >> word;)
    if (std::isdigit(word[0]) && word.find('.') != std::string::npos) machine.driver = word;
  size_t total = 0;
  CUDA_CHECK(cudaMemGetInfo(&machine.freeBytes, &total));
  return machine;
}
