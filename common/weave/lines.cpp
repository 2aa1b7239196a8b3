#include "weave/lines.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "base/errors.h"

Lines linesOf(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

Lines wordsOf(const std::string& text) {
  Lines words;
  for (size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos;) {
    const bool quoted = text[at] == '"';
    const size_t begin = at + quoted;
    const size_t end = std::min(text.find_first_of(quoted ? '"' : ' ', begin), text.size());
    if (quoted && end == text.size()) refuse("a \" has no end in '" + text + "'");
    words.push_back(text.substr(begin, end - begin));
    at = end + quoted;
  }
  return words;
}

bool isName(const std::string& text, bool hyphens) {
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && isLetter(text[0]) && std::ranges::all_of(text, [&](char c) {
    return isLetter(c) || (c >= '0' && c <= '9') || (hyphens && c == '-');
  });
}

void refuse(const std::string& why) { throw Error(exitUsage, why); }

std::string problemAt(const std::string& path, size_t line, const std::string& why) {
  return fmt::format("{}:{}: {}", path, line, why);
}
