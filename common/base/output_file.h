// A file that a program leaves behind: whole or not at all, and never over what is somebody's own.
#pragma once

#include <optional>
#include <string>

// Where a program will write a text. Made before the work, so that a bad path costs no time: throws
// Error (exitUsage), whose line begins with the option's name, when the file cannot be written or
// is read-only, when the path is a symbolic link to nothing, or when the file exists and isOurs(its
// contents) is false; what says what it should have been.
class OutputFile {
 public:
  // path empty: writes nothing.
  OutputFile(const std::string& option, const std::string& path,
             bool (*isOurs)(const std::string& contents), const std::string& what);

  // Throws Error (exitUsage) when both are one file, under whatever names.
  void mustNotBe(const OutputFile& other) const;

  // Writes the text to a new file of a random name in the same folder, gives it the name and says
  // so; note is what else to say of it. An earlier file's mode and owner stay; one with more names
  // (hard links), or whose owner could not be kept, keeps them all and gets the text in place.
  // Throws Error (exitUsage) on failure, and then nothing has changed; a file that appeared or
  // changed since the constructor stays, and the line says where the text is instead.
  void write(const std::string& text, const std::string& note = {});

 private:
  void writeFile(const std::string& text);
  void writeInPlace(const std::string& text);
  [[noreturn]] void fail(int error) const;
  [[noreturn]] void stepAside(const std::string& part, const std::string& why) const;

  std::string option_, path_;
  std::string target_;                 // behind symbolic links
  std::optional<std::string> before_;  // what the file held, where there was one
  bool isStream_ = false;              // a pipe or a device
};
