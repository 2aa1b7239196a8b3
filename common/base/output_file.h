// A file that a program leaves behind: whole or not at all.
#pragma once

#include <string>

// Where a program will write a text. Made before the work, so that a bad path costs no time: throws
// Error (exitUsage), whose line begins with the option's name, when the file cannot be written, or
// exists and isOurs(its contents) is false; what says what it should have been.
class OutputFile {
 public:
  // path empty: writes nothing.
  OutputFile(const std::string& option, const std::string& path,
             bool (*isOurs)(const std::string& contents), const std::string& what);

  // Writes the text under a temporary name, renames it and says so; note is what else to say of it.
  // Throws Error (exitUsage) on failure.
  void write(const std::string& text, const std::string& note = {});

 private:
  std::string option_, path_, target_;
  bool replaces_ = false, inPlace_ = false;
};
