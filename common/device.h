// Device memory and the device itself, under the same names on both backends.
#pragma once

#include <cstring>
#include <fstream>
#include <regex>
#include <vector>

#include "check.h"
#include "kernel.h"
#include "machine.h"

#ifdef __CUDACC__

// Owns n elements of device memory, aligned to 256 bytes. Throws Error when there is not enough.
template <typename T>
class DeviceArray {
 public:
  DeviceArray(size_t n, const std::string& name) : size_(n) {
    if (n == 0) return;
    const cudaError_t status = cudaMalloc(&data_, n * sizeof(T));
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw Error(exitUsage, "not enough GPU memory for " + name + " (" +
                                 std::to_string(n * sizeof(T) >> 20) + " MiB): choose a smaller --n");
    }
    CUDA_CHECK(status);
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  size_t size() const { return size_; }
  void copyFromHost(const T* host) { copy(data_, host, cudaMemcpyHostToDevice); }
  void copyFromDevice(const DeviceArray& other) {
    copy(data_, other.data_, cudaMemcpyDeviceToDevice);
  }
  void copyToHost(T* host, size_t count) const {
    if (count > 0) CUDA_CHECK(cudaMemcpy(host, data_, count * sizeof(T), cudaMemcpyDeviceToHost));
  }
  // Fills with a pattern that is no plausible result, so that unwritten elements show.
  void poison() {
    if (size_ > 0) CUDA_CHECK(cudaMemset(data_, 0xA5, size_ * sizeof(T)));
  }

 private:
  void copy(void* to, const void* from, cudaMemcpyKind kind) const {
    if (size_ > 0) CUDA_CHECK(cudaMemcpy(to, from, size_ * sizeof(T), kind));
  }
  T* data_ = nullptr;
  size_t size_ = 0;
};

// Owns n elements of page-locked host memory, which the GPU can copy to at full speed.
template <typename T>
class HostArray {
 public:
  explicit HostArray(size_t n) : size_(n) {
    if (n > 0) CUDA_CHECK(cudaMallocHost(&data_, n * sizeof(T)));
  }
  ~HostArray() { cudaFreeHost(data_); }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;
  T* data() const { return data_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

// True when there is a GPU that this program can use.
inline bool deviceAvailable() {
  int count = 0;
  const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  cudaGetLastError();
  return found;
}

// Makes this GPU the one to use and describes it. Throws Error (exitNoDevice) when there is no GPU,
// (exitUsage) when there is none of that number.
inline Machine selectDevice(int device, const std::string& program) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0)
    throw Error(exitNoDevice, std::string("no usable GPU (") +
                                  (status != cudaSuccess ? cudaGetErrorString(status)
                                                         : "none found") +
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
  machine.peakGbps = 2e-6 * attribute(cudaDevAttrMemoryClockRate) *
                     attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  machine.l2Bytes = size_t(attribute(cudaDevAttrL2CacheSize));
  machine.cuda = std::to_string(CUDART_VERSION / 1000) + "." +
                 std::to_string(CUDART_VERSION % 1000 / 10);
  std::ifstream version("/proc/driver/nvidia/version");
  std::string line;
  std::smatch match;
  if (std::getline(version, line) && std::regex_search(line, match, std::regex(R"(\d+\.\d+(\.\d+)?)")))
    machine.driver = match.str();
  size_t total = 0;
  CUDA_CHECK(cudaMemGetInfo(&machine.freeBytes, &total));
  return machine;
}

#else
#include "simt/executor.h"

template <typename T>
class DeviceArray {
 public:
  DeviceArray(size_t n, const std::string& name)
      : data_(static_cast<T*>(simt::allocate(n * sizeof(T), sizeof(T), name))), size_(n) {}
  ~DeviceArray() { simt::release(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  size_t size() const { return size_; }
  void copyFromHost(const T* host) {
    if (size_ > 0) std::memcpy(data_, host, size_ * sizeof(T));
    simt::markWritten(data_, size_ * sizeof(T));
  }
  void copyFromDevice(const DeviceArray& other) { copyFromHost(other.data_); }
  void copyToHost(T* host, size_t count) const {
    if (count > 0) std::memcpy(host, data_, count * sizeof(T));
  }
  void poison() {
    if (size_ > 0) std::memset(data_, 0xA5, size_ * sizeof(T));
    simt::markUnwritten(data_, size_ * sizeof(T));
  }

 private:
  T* data_;
  size_t size_;
};

template <typename T>
class HostArray : public std::vector<T> {
  using std::vector<T>::vector;
};

inline bool deviceAvailable() { return true; }

inline Machine selectDevice(int, const std::string&) { return describeCpu(); }

#endif
