// The command line of simtcc: nvcc's, as far as it means something here.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace simt::cc {

struct Input {
  enum class Kind { cuda, host, object };
  std::string path;
  Kind kind;
};

struct CommandLine {
  std::vector<Input> inputs;
  std::string output;
  std::vector<std::string> preprocess;  // -I, -D and the like
  std::vector<std::string> compile;     // -O, -W, -f and the like, and what -Xcompiler gives
  std::vector<std::string> link;
  std::string standard = "-std=gnu++20";
  std::string dependencies;  // the file that lists what was included, for make
  bool codeOnly = false;     // -ptx: a file with what estimates know of the kernels
  bool compileOnly = false, translateOnly = false, constexprEverywhere = false, relocatable = false,
       blas = false,  // linked with one, where there is one
      before20 = true, verbose = false, help = false, version = false,
       printFlags = false,  // what CMake needs to link programs: simtConfig.cmake
      deviceLink = false,   // there is nothing to link: an empty object
      library = false,      // the objects become an archive
      run = false,
       ptx = false,         // the program that is made is run, and shows the PTX of its kernels
      fastMath = false;     // for nvcc's PTX
  std::string gpuCompiler;  // "clang++", "ptxas", "nvcc" or "none"; empty: the best that is there
};

// What is wrong with a command line, in one line.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

CommandLine readCommandLine(const std::vector<std::string>& arguments);

}  // namespace simt::cc
