// Calls the kernel of bulk_copy.cuh, which is compiled with it, in bulk_copy_sum.cu. GPU only.
#pragma once

#include <cstddef>
#include <cstdint>

// True when this GPU, and what this program was compiled for and with, have bulk copies: Hopper and
// later, CUDA 12.5 and later.
bool bulkCopyWorks();

// The blocks that it launches for n elements.
uint64_t bulkCopyBlocks(uint64_t n, unsigned block);

// Leaves the sum of n elements on the device and returns where; valid until the next call. As those
// of whole_sum.h, for one device and one stream.
const long long* bulkCopySum(const int* data, size_t n, long long*);
