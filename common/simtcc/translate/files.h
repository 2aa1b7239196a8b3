// Files that simtcc reads and writes.
#pragma once

#include <string>

namespace simt::cc {

std::string asPath(const std::string& path);  // that no compiler takes for an option
std::string readFile(const std::string& path);
void writeFile(const std::string& path, const std::string& text);  // throws UsageError

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

}  // namespace simt::cc
