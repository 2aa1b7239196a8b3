#include "simtcc/translate/files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

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

bool asksForSide(const std::vector<std::string>& files) {
  return std::ranges::any_of(files, [](const std::string& file) {
    if (!std::filesystem::is_regular_file(file)) return false;
    const std::string text = readFile(file);
    return text.find("__CUDA_ARCH__") != text.npos || text.find("NV_I") != text.npos ||
           text.find("NV_DISPATCH_TARGET") != text.npos;
  });
}

std::set<std::string> systemHeadersOf(const std::string& preprocessed) {
  std::set<std::string> headers;
  std::istringstream lines(preprocessed);
  bool isUsers = false;
  for (std::string text; std::getline(lines, text);) {
    const size_t quote = text.rfind('"');
    if (!text.starts_with("# ") || quote == text.npos) continue;
    const std::string file = text.substr(text.find('"') + 1, quote - text.find('"') - 1);
    const bool isSystems = text.find(" 3", quote) != text.npos;
    if (isSystems && isUsers && text.find(" 1", quote) != text.npos) headers.insert(file);
    isUsers = !isSystems && !file.starts_with("<");
  }
  return headers;
}

}  // namespace simt::cc
