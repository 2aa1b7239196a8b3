// Memory on the device, and host memory that it can reach at full speed, under the same names on
// both backends.
#pragma once

#include <cstring>
#include <vector>

#include "base/errors.h"
#include "cuda/backend.h"

#ifdef GPU_BACKEND
#include "cuda/check.h"

// Copies count elements from device memory, when all launches before have ended.
template <typename T>
void copyToHost(T* host, const T* device, size_t count) {
  if (count > 0) CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
}

// Copies count elements to device memory, and returns when every stream would read them: cudaMemcpy
// from pageable memory or from the device may return before all has arrived, and streams that were
// created with cudaStreamNonBlocking do not wait for it by themselves.
template <typename T>
void copyToDevice(T* to, const T* from, size_t count, cudaMemcpyKind kind) {
  if (count == 0) return;
  CUDA_CHECK(cudaMemcpy(to, from, count * sizeof(T), kind));
  CUDA_CHECK(cudaStreamSynchronize(nullptr));
}
template <typename T>
void copyFromHost(T* device, const T* host, size_t count) {
  copyToDevice(device, host, count, cudaMemcpyHostToDevice);
}

// Sets count elements of device memory to 0, behind what is queued already. Does not wait.
template <typename T>
void clearOnDevice(T* device, size_t count) {
  if (count > 0) CUDA_CHECK(cudaMemsetAsync(device, 0, count * sizeof(T)));
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
  void copyFromHost(const T* host) { ::copyFromHost(data_, host, size_); }
  void copyFromDevice(const DeviceArray& other) {
    copyToDevice(data_, other.data_, size_, cudaMemcpyDeviceToDevice);
  }
  void copyToHost(T* host, size_t count) const { ::copyToHost(host, data_, count); }
  // Fills with a pattern that is no plausible result, so that unwritten elements show.
  void poison() {
    if (size_ > 0) CUDA_CHECK(cudaMemset(data_, 0xA5, size_ * sizeof(T)));
  }

 private:
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
#include "simt/run/executor.h"

template <typename T>
void copyToHost(T* host, const T* device, size_t count) {
  if (count > 0) std::memcpy(static_cast<void*>(host), device, count * sizeof(T));
}

template <typename T>
void copyFromHost(T* device, const T* host, size_t count) {
  if (count > 0) std::memcpy(static_cast<void*>(device), host, count * sizeof(T));
  simt::markWritten(device, count * sizeof(T));
}

template <typename T>
void clearOnDevice(T* device, size_t count) {
  if (count > 0) std::memset(static_cast<void*>(device), 0, count * sizeof(T));
  simt::markWritten(device, count * sizeof(T));
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
  void copyFromHost(const T* host) { ::copyFromHost(data_, host, size_); }
  void copyFromDevice(const DeviceArray& other) { copyFromHost(other.data_); }
  void copyToHost(T* host, size_t count) const { ::copyToHost(host, data_, count); }
  void poison() {
    if (size_ > 0) std::memset(static_cast<void*>(data_), 0xA5, size_ * sizeof(T));
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
