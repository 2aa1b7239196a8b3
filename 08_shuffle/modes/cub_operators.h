// cub::DeviceReduce for the operators of single_pass.cuh. GPU only.
#pragma once

// Leaves CUB's result for n elements at *total, all on the device. For Sum, Minimum, Maximum and
// Product of int, long long, float and double. The storage that it keeps is of the device in use at
// the first call, and for one stream.
template <typename Operator, typename T>
void cubReduce(const T* data, int n, T* total);
