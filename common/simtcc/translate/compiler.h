// The host compiler, called without a shell.
#pragma once

#include <string>
#include <vector>

#include "simtcc/translate/command_line.h"

namespace simt::cc {

// Thrown where a signal asks simtcc to end: what it has made for itself is removed on the way out.
struct Interrupted {
  int signal;
};
// From now on SIGINT, SIGTERM and SIGHUP end the compiler that runs, and runProgram() throws.
void catchInterrupts();

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

// On the standard output; throws UsageError where that cannot be written.
void print(const std::string& text);

// Whether both are the same file, also where links lead to it; false where one is not there.
bool isSameFile(const std::string& one, const std::string& other);

// Makes an object file. Returns false when that failed, which has been told on stderr. Throws
// UsageError where a file would be written that the source includes, or cannot be written.
bool compileCuda(const CommandLine& line, const std::string& source, const std::string& object,
                 const TemporaryFolder& folder);
bool compileHost(const CommandLine& line, const std::string& source, const std::string& object,
                 const TemporaryFolder& folder);
bool linkProgram(const CommandLine& line, const std::vector<std::string>& objects,
                 const std::string& output);

}  // namespace simt::cc
