// Device memory and the device itself, under the same names on both backends.
#pragma once

#include <cstring>
#include <vector>

#include "check.h"
#include "kernel.h"
#include "machine.h"

// True when there is a device that this program can use: on the cpu backend always.
bool deviceAvailable();

// Makes this GPU the one to use and describes it; on the cpu backend describes the CPU. Throws
// Error (exitNoDevice) when there is no GPU, (exitUsage) when there is none of that number.
Machine selectDevice(int device, const std::string& program);

// Multiprocessors of the GPU in use; on the cpu backend those that the executor's settings say.
unsigned multiprocessors();

#ifdef __CUDACC__

// True when the kernel was compiled for this compute capability (80 for 8.0) or a later one: only
// then does it contain what its source asks for under a test of __CUDA_ARCH__.
bool compiledFor(const void* kernel, int capability);

// Reads so many bytes of device memory. With four times its size, L2 holds nothing else afterwards,
// and no line that still must be written back. Does not wait for the GPU.
void readThroughCache(const char* data, size_t bytes);

// Keeps the GPU busy for some 20 microseconds without touching memory. Does not wait for it.
void keepBusy();

// Copies count elements from device memory, when all launches before have ended.
template <typename T>
void copyToHost(T* host, const T* device, size_t count) {
  if (count > 0) CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
}

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
                                 std::to_string(n * sizeof(T) >> 20) +
                                 " MiB): choose a smaller --n");
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
  void copyToHost(T* host, size_t count) const { ::copyToHost(host, data_, count); }
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

#else
#include "simt/executor.h"

inline void readThroughCache(const char*, size_t) {}  // the executor has no caches

template <typename T>
void copyToHost(T* host, const T* device, size_t count) {
  if (count > 0) std::memcpy(host, device, count * sizeof(T));
}

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
  void copyToHost(T* host, size_t count) const { ::copyToHost(host, data_, count); }
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

#endif
