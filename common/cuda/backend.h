// Which of the two backends this source is compiled for. GPU_BACKEND is set for nvcc, and for host
// code that is compiled for the gpu backend by the host compiler.
#pragma once

#include "base/backends.h"

#if defined(__CUDACC__) && !defined(GPU_BACKEND)
#define GPU_BACKEND
#endif

#ifdef GPU_BACKEND
constexpr Backend thisBackend = Backend::gpu;
#else
constexpr Backend thisBackend = Backend::cpu;
#endif
