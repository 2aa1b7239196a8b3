#include "base/text.h"

#include <fmt/core.h>

std::string fixed(double value, int digits) { return fmt::format("{:.{}f}", value, digits); }

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end; (end = text.find(separator, begin)) != std::string::npos;
       begin = end + separator.size())
    parts.push_back(trimmed(text.substr(begin, end - begin)));
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}
