// A matrix of bfloat16 on the device, as kernels and who calls them see it.
#pragma once

#include <cuda_bf16.h>

#include "cuda/kernel.h"

// count rows of length elements, dense, from a 16-byte boundary on. A row begins anywhere.
struct Rows {
  const __nv_bfloat16* data;
  size_t count, length;
};
