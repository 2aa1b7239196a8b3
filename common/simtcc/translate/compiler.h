// The host compiler, called without a shell.
#pragma once

#include <string>
#include <vector>

#include "simtcc/translate/command_line.h"

namespace simt::cc {

// Runs a program with these arguments and returns its exit code, 127 when it cannot be started.
// With errors, what it writes to stderr goes there instead.
int runProgram(const std::vector<std::string>& words, std::string* errors = nullptr);

// A folder that is removed with all files in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Makes an object file. Returns false when that failed, which has been told on stderr.
bool compileCuda(const CommandLine& line, const std::string& source, const std::string& object,
                 const TemporaryFolder& folder);
bool compileHost(const CommandLine& line, const std::string& source, const std::string& object);
bool linkProgram(const CommandLine& line, const std::vector<std::string>& objects,
                 const std::string& output);

}  // namespace simt::cc
