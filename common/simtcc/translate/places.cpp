#include "simtcc/translate/places.h"

#include <filesystem>

#include "simtcc_config.h"  // made by CMake

namespace simt::cc {
namespace {

namespace fs = std::filesystem;

// The prefix that this simtcc is installed under; empty where it stands in the folder it was built
// in.
const std::string& prefix() {
  static const std::string found = [] {
    std::error_code problem;
    const fs::path self = fs::read_symlink("/proc/self/exe", problem);
    const fs::path above = self.parent_path().parent_path();
    if (problem || fs::equivalent(self, config::builtAs, problem)) return std::string();
    return fs::is_directory(above / "share/simtcc/common", problem) ? above.string() : "";
  }();
  return found;
}

bool replaceBegin(std::string& text, size_t at, const std::string& begin, const std::string& by) {
  if (begin.empty() || text.compare(at, begin.size(), begin) != 0) return false;
  text.replace(at, begin.size(), by);
  return true;
}

}  // namespace

std::string placed(std::string text) {
  if (prefix().empty()) return text;
  for (size_t at = text.find('/'); at != std::string::npos; at = text.find('/', at + 1)) {
    if (at > 0 && text[at - 1] != '=' && text[at - 1] != 'I') continue;  // of an option
    if (text.compare(at, std::string(config::buildFolder).size(), config::buildFolder) == 0)
      return text.substr(0, at) + prefix() + "/lib/simtcc" + text.substr(text.rfind('/'));
    const std::string headers = prefix() + "/share/simtcc/common";
    std::string common = config::commonPath;
    if (common.ends_with('/')) common.pop_back();
    if (replaceBegin(text, at, common, headers) ||
        replaceBegin(text, at, std::string(config::sourceFolder) + "//common", headers))
      return text;
  }
  return text;
}

std::string besideLibraries() {
  return prefix().empty() ? config::buildFolder : prefix() + "/lib/simtcc";
}

std::string installedCards() {
  return prefix().empty() ? "" : prefix() + "/share/simtcc/common/cards";
}

}  // namespace simt::cc
