// CUDA's extensions to C++ in terms of plain C++ and the executor: kernel<<<...>>>(...), shared,
// device and constant variables, qualifiers. Works on preprocessed text, so that macros, headers
// and templates need no care; what it does not know it leaves alone. Lines stay where they are.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace simt::cc {

struct Complaint {
  std::string place;  // file:line
  std::string text;
};
struct Translation {
  std::string text;
  std::vector<Complaint> complaints;  // when there are any, the text is of no use
  std::vector<std::string> files;     // that it comes from
};

// constexprEverywhere: constexpr functions may be called in kernels (nvcc's
// --expt-relaxed-constexpr).
Translation translate(std::string_view preprocessed, bool constexprEverywhere);

}  // namespace simt::cc
