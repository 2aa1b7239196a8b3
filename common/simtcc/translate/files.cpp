#include "simtcc/translate/files.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "simtcc/translate/command_line.h"

namespace simt::cc {

// A path that no compiler takes for an option.
std::string asPath(const std::string& path) { return path[0] == '-' ? "./" + path : path; }

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void writeFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw UsageError("simtcc: " + path + " cannot be written: " + std::strerror(errno));
}

TemporaryFolder::TemporaryFolder() {
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(problem);
  if (problem) throw UsageError("simtcc: TMPDIR names no folder");
  std::string name = (folder / "simtcc-XXXXXX").string();
  if (!mkdtemp(name.data())) throw UsageError("simtcc: no temporary folder can be made in " + name);
  path_ = name;
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) == EOF || std::fflush(stdout) == EOF)
    throw UsageError(std::string("simtcc: the standard output cannot be written: ") +
                     std::strerror(errno));
}

bool isSameFile(const std::string& one, const std::string& other) {
  std::error_code problem;
  return std::filesystem::equivalent(one, other, problem);
}

}  // namespace simt::cc
