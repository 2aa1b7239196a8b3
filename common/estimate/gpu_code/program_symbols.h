// The program's own symbols: what the compilers call kernels and variables, and which of its files
// they are of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace estimate::gpu_code {

// Names that only one file of the program knows have its number; others have 0.
struct ProgramFunction {
  std::string name;  // as it is linked; empty where there is none
  unsigned file = 0;
};
ProgramFunction functionAt(const void* address);
// Compilers number the lambdas of a function differently, but in the same order: the names that are
// this one but for such numbers, in that order. Of the program's functions; or of given names.
std::vector<std::string> likeButForLambdas(const std::string& name);
std::vector<std::string> likeButForLambdas(const std::string& name,
                                           const std::vector<std::string>& names);
// The file whose object has a local symbol here, or 0.
unsigned fileOf(const void* text);

struct Symbol {
  uint64_t address = 0, bytes = 0;  // 0 where there is none
};
// The variable that PTX calls so: of this file, or of all.
Symbol variableNamed(std::string_view name, unsigned file);

std::string readable(const std::string& symbol);  // demangled

}  // namespace estimate::gpu_code
