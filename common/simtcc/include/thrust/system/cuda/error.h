// thrust::cuda_category(), for programs that turn errors of the runtime into exceptions.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/system/error_code.h>

THRUST_NAMESPACE_BEGIN
namespace system {

inline const error_category& cuda_category() {
  class Category : public error_category {
   public:
    const char* name() const override { return "cuda"; }
    std::string message(int error) const override {
      return cudaGetErrorString(static_cast<cudaError_t>(error));
    }
  };
  static const Category category;
  return category;
}

}  // namespace system
using system::cuda_category;
THRUST_NAMESPACE_END
