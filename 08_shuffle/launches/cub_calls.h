// cub::DeviceReduce in other ways than two calls. GPU only.
#pragma once

#include <cstddef>

// True where this CUB has calls that take their storage themselves: CCCL 3.1 and later.
bool cubHasOneCall();
// True where it has TransformReduce: CCCL 2.4 (CUDA 12.5) and later.
bool cubHasTransformReduce();
const char* cubVersion();  // "3.0.1"

// All leave the result for n elements at *total, all on the device. The storage that they keep is
// of the device in use at the first call, and for one stream.
void cubSumInOneCall(const int* data, size_t n, long long* total);

// The sum of squares: in one pass, the transformation done on what is loaded; over an iterator that
// does it; and in two passes, with the squares, as 32-bit integers, in memory between the two.
void cubTransformReduce(const int* data, size_t n, long long* total);
void cubSumOfIterator(const int* data, size_t n, long long* total);
void cubTransformThenSum(const int* data, size_t n, int* squares, long long* total);
