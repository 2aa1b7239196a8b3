// Milliseconds: of launches by the GPU's own events, and of CPU code by the host's clock.
#pragma once

#include <chrono>

#ifdef GPU_BACKEND
#include "cuda/mark.h"
#endif

template <typename Body>
double hostMilliseconds(Body&& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}
