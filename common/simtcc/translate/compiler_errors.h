// What the host compiler says of a program, with lines of our own in CUDA's words, on stderr.
#pragma once

#include <string>

namespace simt::cc {

// The preprocessor's errors; where a header is missing, that in one line.
void tellPreprocessorErrors(const std::string& errors);
// The compiler's errors, which are at the program's own lines, and behind them a line for each name
// of CUDA that is not there and for a launch that does not fit its kernel.
void tellCompilerErrors(const std::string& errors);

}  // namespace simt::cc
