// The executor's own headers, compiled once for many programs: two thirds of what a small one
// takes.
#pragma once

#include <string>

#include "simtcc/translate/compiler.h"

namespace simt::cc {

// Made by whoever compiles first, beside simtcc's libraries, and anew where a header has changed.
struct PrecompiledHeaders {
  std::string folder;
  Words preprocess;   // what the preprocessor is given besides, in front of folders; empty: there
                      // are none
  std::string names;  // those of CUDA that they have, a line each
};
// For a program with this command line, where they are the same as without: g++ alone, folders of
// the program that hide none of the headers, no options that change code.
PrecompiledHeaders precompiledHeaders(const CommandLine& line);
// The folder of the same headers, compiled with these flags; "": they cannot be.
std::string precompiledHeaders(const CommandLine& line, const Words& flags);

}  // namespace simt::cc
