// launch(grid, block, kernel, arguments...) is kernel<<<grid, block>>>(arguments...) plus the error
// check. Neither backend waits longer than it must: on a GPU the kernel may still run on return.
// With a stream in front, the launch goes there.
#pragma once

#include <tuple>

#include "cuda/kernel.h"
#include "cuda/streams.h"

#ifdef GPU_BACKEND

template <typename... Parameters, typename... Arguments>
void launch(Stream stream, dim3 grid, dim3 block, void (*kernel)(Parameters...),
            Arguments... arguments) {
  std::tuple<Parameters...> parameters{arguments...};
  std::apply(
      [&](auto&... parameter) {
        void* pointers[] = {&parameter..., nullptr};
        CUDA_CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, pointers, 0,
                                    stream.handle));
      },
      parameters);
}

#else
#include "simt/element_alignment.h"
#include "simt/executor.h"

template <typename... Parameters, typename... Arguments>
void launch(Stream, dim3 grid, dim3 block, void (*kernel)(Parameters...), Arguments... arguments) {
  struct Call {
    void (*kernel)(Parameters...);
    std::tuple<Parameters...> parameters;  // converted once, as a GPU launch does
  } call{kernel, {arguments...}};
  simt::setElementAlignments(call.parameters);
  const auto callKernel = [](void* pointer) {
    const Call& c = *static_cast<Call*>(pointer);
    std::apply(c.kernel, c.parameters);
  };
  simt::run(grid, block, reinterpret_cast<const void*>(kernel), callKernel, &call, sizeof call);
}

#endif

template <typename... Parameters, typename... Arguments>
void launch(dim3 grid, dim3 block, void (*kernel)(Parameters...), Arguments... arguments) {
  launch(Stream{}, grid, block, kernel, arguments...);
}
