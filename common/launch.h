// launch(grid, block, kernel, arguments...) is kernel<<<grid, block>>>(arguments...) plus the error
// check. Neither backend waits longer than it must: on a GPU the kernel may still run on return.
// With a stream in front, the launch goes there.
#pragma once

#include <tuple>

#include "check.h"
#include "kernel.h"
#include "streams.h"

#ifdef __CUDACC__

template <typename... Parameters, typename... Arguments>
void launch(Stream stream, dim3 grid, dim3 block, void (*kernel)(Parameters...),
            Arguments... arguments) {
  kernel<<<grid, block, 0, stream.handle>>>(arguments...);
  CUDA_CHECK(cudaGetLastError());
}

template <typename... Parameters, typename... Arguments>
void launch(dim3 grid, dim3 block, void (*kernel)(Parameters...), Arguments... arguments) {
  launch(Stream{}, grid, block, kernel, arguments...);
}

#else
#include "simt/executor.h"

template <typename... Parameters, typename... Arguments>
void launch(dim3 grid, dim3 block, void (*kernel)(Parameters...), Arguments... arguments) {
  struct Call {
    void (*kernel)(Parameters...);
    std::tuple<Parameters...> parameters;  // converted once, as a GPU launch does
  } call{kernel, {arguments...}};
  const auto callKernel = [](void* pointer) {
    const Call& c = *static_cast<Call*>(pointer);
    std::apply(c.kernel, c.parameters);
  };
  simt::run(grid, block, reinterpret_cast<const void*>(kernel), callKernel, &call, sizeof call);
}

template <typename... Parameters, typename... Arguments>
void launch(Stream, dim3 grid, dim3 block, void (*kernel)(Parameters...), Arguments... arguments) {
  launch(grid, block, kernel, arguments...);
}

#endif
