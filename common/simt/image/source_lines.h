// From addresses of the program to lines of its source.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace simt {

// The line of each address, "/home/me/file.cuh:12", and behind it, where functions were inlined,
// those of the calls, from the innermost on. Nothing where nothing is known.
std::vector<std::vector<std::string>> sourceLinesOf(const std::vector<uintptr_t>& addresses);

}  // namespace simt
