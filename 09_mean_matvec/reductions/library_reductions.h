// The same by NVIDIA's libraries, as their documentation calls them. GPU only. What they work in is
// kept, of the device then in use and for one stream.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <vector>

// As findSmallest() and MomentsOf; fewer than 2^31 elements.
void libraryArgMin(const float* data, size_t n, unsigned long long* smallest);
void libraryMoments(const float* data, size_t n, float2* result);

// A way to add up the rows, or the columns, of a dense matrix, left at sums on the device.
struct LibrarySum {
  std::string name;
  void (*sum)(const float* matrix, float* sums, size_t rows, size_t columns);
};
std::vector<LibrarySum> libraryRowSums();
std::vector<LibrarySum> libraryColumnSums();
