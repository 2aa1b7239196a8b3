// Files that simtcc reads and writes.
#pragma once

#include <set>
#include <string>
#include <vector>

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

// Whether some of these files goes different ways on the device and on the host.
bool asksForSide(const std::vector<std::string>& files);
// The system's headers that files of the user's include, by what a preprocessor made of them.
std::set<std::string> systemHeadersOf(const std::string& preprocessed);

}  // namespace simt::cc
