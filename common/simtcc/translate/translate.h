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
  std::vector<Complaint> warnings;
  std::vector<std::string> files;    // that it comes from
  bool usesLibrary = false;          // thrust or CUB
  bool isVolatile = false;           // some of what device code accesses
  std::vector<std::string> kernels;  // their names
};

struct TranslationOptions {
  bool constexprEverywhere = false;  // in kernels, too: nvcc's --expt-relaxed-constexpr
  bool relocatable =
      false;  // device variables are those of all files, not each file's own: -rdc=true
  std::string_view preprocessedForHost = {};  // without __CUDA_ARCH__, where the source asks for it
  std::string_view precompiledNames = {};  // of CUDA, in headers that the text asks for precompiled
};
Translation translate(std::string_view preprocessed, const TranslationOptions& options);

}  // namespace simt::cc
