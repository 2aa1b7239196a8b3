// launch(grid, block, kernel, arguments...) is kernel<<<grid, block>>>(arguments...) plus the error
// check. Neither backend waits longer than it must: on a GPU the kernel may still run on return.
// With a stream in front, the launch goes there. launchCooperatively() does the same with all
// blocks on the GPU at once, so that they can wait for each other; no more of them than
// blocksThatFit().
#pragma once

#include "cuda/kernel.h"
#include "cuda/streams.h"

#ifdef GPU_BACKEND
#include <tuple>

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

template <typename... Parameters, typename... Arguments>
void launchCooperatively(dim3 grid, dim3 block, void (*kernel)(Parameters...),
                         Arguments... arguments) {
  std::tuple<Parameters...> parameters{arguments...};
  std::apply(
      [&](auto&... parameter) {
        void* pointers[] = {&parameter..., nullptr};
        CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block,
                                               pointers, 0, nullptr));
      },
      parameters);
}

#else
#include "simt/memory/element_alignment.h"
#include "simt/run/executor.h"
#include "simt/run/kernel_call.h"

template <typename... Parameters, typename... Arguments>
void launch(Stream, dim3 grid, dim3 block, void (*kernel)(Parameters...), Arguments... arguments) {
  const simt::Arguments<Parameters...> parameters(simt::FromArguments(), arguments...);
  simt::setElementAlignments(parameters);
  simt::runBound(kernel, parameters, [&](void (*call)(void*), void* bound, size_t bytes) {
    simt::run(grid, block, reinterpret_cast<const void*>(kernel), call, bound, bytes);
  });
}

template <typename... Parameters, typename... Arguments>
void launchCooperatively(dim3 grid, dim3 block, void (*kernel)(Parameters...),
                         Arguments... arguments) {
  const simt::Arguments<Parameters...> parameters(simt::FromArguments(), arguments...);
  simt::setElementAlignments(parameters);
  simt::runBound(kernel, parameters, [&](void (*call)(void*), void* bound, size_t bytes) {
    simt::runCooperatively(grid, block, reinterpret_cast<const void*>(kernel), call, bound, bytes);
  });
}

#endif

template <typename... Parameters, typename... Arguments>
void launch(dim3 grid, dim3 block, void (*kernel)(Parameters...), Arguments... arguments) {
  launch(Stream{}, grid, block, kernel, arguments...);
}
