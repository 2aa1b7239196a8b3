// What a kernel file includes: CUDA itself when nvcc compiles it, and the executor's stand-ins for
// the same names when the host compiler does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/backend.h"

#ifdef GPU_BACKEND
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#else
#include "simt/device/cuda.h"
#endif
