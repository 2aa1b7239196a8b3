// Casts of pointers, for clang++ that makes code of a GPU.
#pragma once

#include <string>
#include <string_view>

namespace simt::cc {

// The preprocessed text in which a pointer that is cast says no more of what it comes from, if any
// is: *(float4*)&shared[i] is aligned as a float4, says nvcc; clang++ takes it to be aligned as the
// array's elements are, and makes four loads of it.
std::string withTypesOfCasts(std::string_view preprocessed);

}  // namespace simt::cc
