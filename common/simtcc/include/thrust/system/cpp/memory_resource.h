// As thrust's header of this name, but that device vectors are memory of the executor's device.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/new.h>
#include <thrust/system/cpp/pointer.h>

#include "shared_memory_of_libraries.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cpp {
namespace detail {

class device_resource final : public thrust::mr::memory_resource<> {
 public:
  void* do_allocate(std::size_t bytes, std::size_t = 0) override {
    return simt::allocateShared(bytes);
  }
  void do_deallocate(void* memory, std::size_t, std::size_t = 0) override {
    simt::freeShared(memory);
  }
};
typedef thrust::mr::fancy_pointer_resource<device_resource, thrust::cpp::pointer<void>>
    native_resource;
typedef thrust::mr::fancy_pointer_resource<device_resource, thrust::cpp::universal_pointer<void>>
    universal_native_resource;

}  // namespace detail

typedef detail::native_resource memory_resource;
typedef detail::universal_native_resource universal_memory_resource;
typedef detail::native_resource universal_host_pinned_memory_resource;

}  // namespace cpp
}  // namespace system
THRUST_NAMESPACE_END
