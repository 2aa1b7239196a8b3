// What the kernels of the frozen set say beside CUDA's own words, on either backend.
#pragma once

#include "cuda/kernel.h"

#if defined(GPU_BACKEND) || defined(__CUDA__)  // either compiler of a GPU
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#define CONSTANT_MEMORY __constant__
#else
#include "simt/memory/dynamic_shared.h"
#include "simt/run/executor.h"
#define DYNAMIC_SHARED(type, name) \
  type* const name = static_cast<type*>(simt::dynamicShared(#name, sizeof(type), alignof(type)))
#define CONSTANT_MEMORY
#endif
