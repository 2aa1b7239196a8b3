#include "site/copies.h"

#include <fmt/core.h>

#include <regex>

bool isSource(const std::string& path) {
  for (const char* ending : {".h", ".cuh", ".cu", ".cpp", ".cmake", ".sh", ".txt", ".weave"})
    if (path.ends_with(ending)) return true;
  return false;
}

std::string sizeOf(const std::string& svg) {
  static const std::regex box("viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\"");
  const std::string head = svg.substr(0, 1000);
  std::smatch match;
  if (!std::regex_search(head, match, box)) return "";
  return fmt::format(" width=\"{}\" height=\"{}\"", match[1].str(), match[2].str());
}

std::string Copies::placeOf(const std::string& path) {
  if (isSource(path)) {
    sources_.insert(path);
    return path + ".html";
  }
  if (!files_.contains(path)) files_[path] = contentsOf(repository_, path);
  return path;
}

std::string Copies::folder(const std::string& path) {
  folders_.insert(path);
  return path + "/files.html";
}
