// The program's own symbols: what the compilers call kernels and variables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace estimate::gpu_code {

struct Symbol {
  uint64_t address = 0, bytes = 0;  // 0 where there is none
};
Symbol symbolNamed(std::string_view name);
std::string functionNameAt(const void* address);  // as it is linked; empty where there is none

}  // namespace estimate::gpu_code
