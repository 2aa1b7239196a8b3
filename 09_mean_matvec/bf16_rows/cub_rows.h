// cub::DeviceSegmentedReduce for the reductions of row_reductions.cuh. GPU only.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

// True where this CUB has a call for segments of one length: CCCL 3.1 and later.
bool cubHasFixedSize();

// Leave what RowReduction leaves, for rows * length elements below 2^31: for segments given by
// where each begins and ends, and for segments of one length.
template <typename Reduction>
void cubRows(const __nv_bfloat16* data, int rows, int length, float2* results, bool fixedSize);
