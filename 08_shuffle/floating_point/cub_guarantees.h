// CUB's sums of floating-point numbers with each of its guarantees. GPU only.
#pragma once

#include <cstddef>

// The same bits: in no two runs, in every run on one GPU, or on every GPU.
enum class Guarantee { none, runToRun, gpuToGpu };

// False for all but runToRun where CUB is older than 3.1: CUDA 13.0 has 3.0.
bool cubHas(Guarantee guarantee);

// Leaves the sum of n elements, of float or of double, at *total, all on the device. The storage
// that it keeps with an older CUB is of the device in use at the first call, and for one stream.
template <typename T>
void cubSumWith(Guarantee guarantee, const T* data, size_t n, T* total);
