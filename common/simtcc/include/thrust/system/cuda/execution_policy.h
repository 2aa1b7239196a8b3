// thrust::cuda::par and its streams: names for the one device system that there is.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/execution_policy.h>
#include <thrust/system/cpp/pointer.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {

template <typename Derived>
using execution_policy = thrust::system::cpp::detail::execution_policy<Derived>;
using tag = thrust::system::cpp::tag;

struct par_t : thrust::system::cpp::detail::par_t {
  const par_t& on(cudaStream_t) const { return *this; }
};
inline const par_t par, par_nosync;

}  // namespace cuda_cub
namespace system {
namespace cuda {
using thrust::cuda_cub::par;
using thrust::cuda_cub::par_nosync;
using thrust::cuda_cub::tag;
template <typename T>
using pointer = thrust::system::cpp::pointer<T>;
}  // namespace cuda
}  // namespace system
namespace cuda = system::cuda;
THRUST_NAMESPACE_END
