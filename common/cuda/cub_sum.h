// NVIDIA's own reduction, the yardstick: cub::DeviceReduce::Sum with a 64-bit total. GPU only.
#pragma once

#include <cstddef>

// Adds n elements at data, in device memory, and leaves the total in *total, in device memory. The
// temporary storage is allocated at the first call for an n and kept, of the device then in use and
// for one stream. Throws Error.
void cubSum(const int* data, size_t n, long long* total);

// The same with a total of 32 bits, modulo 2^32. CUB adds in the total's type.
void cubSum32(const int* data, size_t n, int* total);

// cubSum() in one launch, by atomics, whose order is not guaranteed; to integers that is all the
// same. False, and an Error, where CUB is older than 3.1: CUDA 13.0 has 3.0.
bool cubHasNotGuaranteed();
void cubSumNotGuaranteed(const int* data, size_t n, long long* total);
