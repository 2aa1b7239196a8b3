// An input that is longer than the host would like to make: a short one, again and again.
#pragma once

#include <algorithm>
#include <vector>

#include "cuda/device_array.h"

// Element i is values[i % values.size()]. So many values, a prime, that no slice of an array looks
// like the one before.
template <typename T>
class RepeatedInput {
 public:
  static constexpr size_t mostValues = 10000019;

  // valueAt(i) gives value i.
  template <typename ValueAt>
  RepeatedInput(size_t n, const ValueAt& valueAt)
      : values_(std::min(std::max<size_t>(n, 1), mostValues)) {
    for (size_t i = 0; i < values_.size(); ++i) values_[i] = valueAt(i);
  }

  // Calls visit(value, how often it is among the first n elements) for each of the values.
  template <typename Visit>
  void visit(size_t n, const Visit& visit) const {
    const size_t rounds = n / values_.size(), rest = n % values_.size();
    for (size_t i = 0; i < values_.size() && (rounds > 0 || i < rest); ++i)
      visit(values_[i], rounds + (i < rest));
  }

  // Fills device memory with count elements from begin on. pattern holds all values there.
  void fill(T* data, size_t begin, size_t count, const DeviceArray<T>& pattern) const {
    for (size_t done = 0; done < count;) {
      const size_t from = (begin + done) % values_.size();
      const size_t piece = std::min(count - done, values_.size() - from);
      copyOnDevice(data + done, pattern.data() + from, piece);
      done += piece;
    }
  }

  const std::vector<T>& values() const { return values_; }

 private:
  static void copyOnDevice(T* to, const T* from, size_t count) {
#ifdef GPU_BACKEND
    CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice));
#else
    std::memcpy(to, from, count * sizeof(T));
    simt::markWritten(to, count * sizeof(T));
#endif
  }
  std::vector<T> values_;
};
