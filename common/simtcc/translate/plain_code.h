// A source's code once more, without instrumentation: for blocks that nobody looks at.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simtcc/translate/command_line.h"
#include "simtcc/translate/files.h"
#include "simtcc/translate/processes.h"
#include "simtcc/translate/translate.h"

namespace simt::cc {

// Is made beside the instrumented code, by g++ for x86-64: elsewhere, and of what it cannot be
// made, there is none, and plain blocks run the instrumented code, whose calls are left out.
class PlainCode {
 public:
  // Of a translation, which asks for precompiled headers in that folder, or "".
  PlainCode(const CommandLine& line, const Translation& translation, const std::string& headers,
            const TemporaryFolder& folder);
  bool isThere() const { return making_ != nullptr; }
  // The assembly of both: the variables are the instrumented code's, and a table in the section
  // simt_plain has the address of each kernel and of its plain code.
  std::string joinedTo(std::string instrumented);

 private:
  const TemporaryFolder& folder_;
  std::vector<std::string> kernels_;
  std::unique_ptr<ProgramBeside> making_;
};

}  // namespace simt::cc
