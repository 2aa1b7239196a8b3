// The code that a GPU compiler makes of a source's kernels, for estimates.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simtcc/translate/command_line.h"
#include "simtcc/translate/files.h"
#include "simtcc/translate/processes.h"

namespace simt::cc {

// Is made beside the program's other code, by nvcc or clang++: nobody waits for it but the end.
// Where there is ptxas, what it makes of that stands behind it.
class GpuCode {
 public:
  GpuCode(const CommandLine& line, const std::string& source, const TemporaryFolder& folder);
  // Puts it into the object that was made of the source. A kernel that clang++ cannot compile has
  // none, and the program's estimates say why.
  void embedIn(const std::string& object);
  // Writes it into a file of its own, PTX with comments. Where there is none, throws a UsageError
  // that says why.
  void writeTo(const std::string& file);

 private:
  void begin(bool byNvcc);
  void takePreprocessed();
  std::string made();
  std::string unrolledFurther(const std::vector<std::string>& source);
  std::string withoutWhatFails();

  const CommandLine& line_;
  const TemporaryFolder& folder_;
  const std::string source_;
  bool byNvcc_ = false;
  std::vector<std::string> compiler_, preprocess_, input_;  // what clang++ compiles
  std::unique_ptr<ProgramBeside> making_;
};

}  // namespace simt::cc
