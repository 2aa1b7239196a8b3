// NVIDIA's own reduction, the yardstick: cub::DeviceReduce::Sum with a 64-bit total. GPU only.
#pragma once

#include <cstddef>

// Adds n elements at data, in device memory, and leaves the total in *total, in device memory. The
// temporary storage is allocated at the first call for an n and kept. Throws Error.
void cubSum(const int* data, size_t n, long long* total);

// The same with a total of 32 bits, modulo 2^32. CUB adds in the total's type.
void cubSum32(const int* data, size_t n, int* total);
