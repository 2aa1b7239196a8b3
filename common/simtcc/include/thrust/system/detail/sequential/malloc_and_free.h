// As thrust's header of this name, but that thrust::device_malloc() gives memory of the executor's
// device.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/detail/sequential/execution_policy.h>

#include "shared_memory_of_libraries.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

template <typename DerivedPolicy>
inline void* malloc(execution_policy<DerivedPolicy>&, std::size_t bytes) {
  return simt::allocateShared(bytes);
}
template <typename DerivedPolicy, typename Pointer>
inline void free(execution_policy<DerivedPolicy>&, Pointer memory) {
  simt::freeShared(const_cast<void*>(static_cast<const void*>(thrust::raw_pointer_cast(memory))));
}

}  // namespace sequential
}  // namespace detail
}  // namespace system
THRUST_NAMESPACE_END
