// The host compiler, called without a shell.
#pragma once

#include <string>
#include <vector>

#include "simtcc/translate/command_line.h"
#include "simtcc/translate/files.h"

namespace simt::cc {

// Of a command.
using Words = std::vector<std::string>;
inline Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// Flags that come from CMake, a line each; "SHELL:-a b" is two words.
Words flagsOf(const char* list);
// The folders of the executor's headers.
Words includeFlags();
// The preprocessor's flags for a .cu file, but for its folders.
Words definitionsOf(const CommandLine& line, bool forDevice = true);

// Makes an object file. Returns false when that failed, which has been told on stderr. Throws
// UsageError where a file would be written that the source includes, or cannot be written.
bool compileCuda(const CommandLine& line, const std::string& source, const std::string& object,
                 const TemporaryFolder& folder);
bool compileHost(const CommandLine& line, const std::string& source, const std::string& object,
                 const TemporaryFolder& folder);
// What every program is linked with.
Words linkWords();
bool linkProgram(const CommandLine& line, const std::vector<std::string>& objects,
                 const std::string& output);

}  // namespace simt::cc
