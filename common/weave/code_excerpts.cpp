#include "weave/code_excerpts.h"

#include <algorithm>
#include <regex>

#include "weave/lines.h"

namespace {

bool beginsADefinition(const std::string& line, const std::string& before, const std::regex& call) {
  if (line.empty() || line[0] == '/' || line[0] == '#' || line[0] == '}') return false;
  return (line[0] != ' ' || before.starts_with("__global__")) && std::regex_search(line, call);
}

bool isAboveAName(const std::string& line) {
  return line.starts_with("template") || line.starts_with("__global__") ||
         line.starts_with("__launch_bounds__");
}

// The definition of a function, or of a struct, in a source: from template<> or its first line to
// the closing brace.
Lines functionIn(const Lines& source, const std::string& path, const std::string& name) {
  if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") !=
      std::string::npos)
    refuse("'" + name + "' is no function");
  const std::regex call("\\b" + name + "\\(|^(struct|class) " + name + " ");
  for (size_t i = 0; i < source.size(); ++i) {
    if (!beginsADefinition(source[i], i > 0 ? source[i - 1] : "", call)) continue;
    size_t open = i;  // a declaration ends before a brace opens
    while (open < source.size() && source[open].find_first_of("{;") == std::string::npos) ++open;
    if (open == source.size() || source[open].find('{') == std::string::npos) continue;
    size_t begin = i;
    while (begin > 0 && isAboveAName(source[begin - 1])) --begin;
    size_t end = open;
    while (end < source.size() && source[end] != "}" && source[end] != "};" &&
           !source[end].ends_with("{}"))
      ++end;
    if (source[open].ends_with("}")) end = open;
    if (end == source.size()) break;
    return {source.begin() + long(begin), source.begin() + long(end) + 1};
  }
  refuse("there is no function or struct " + name + " in " + path);
}

Lines functionOf(const std::string& path, const std::string& name, const Repository& repository) {
  return functionIn(linesOf(contentsOf(repository, path)), path, name);
}

size_t columnsIn(const std::string& word) {
  if (word.empty() || word.size() > 2 || word.find_first_not_of("0123456789") != std::string::npos)
    refuse("less: expected a number of columns, not '" + word + "'");
  return size_t(std::stoi(word));
}

// The body of a function without its comments.
std::string bodyOf(Lines lines) {
  for (std::string& line : lines)
    if (const size_t comment = line.find("  //"); comment != std::string::npos) line.erase(comment);
  size_t open = 0;
  while (open < lines.size() && lines[open].find('{') == std::string::npos) ++open;
  return joined({lines.begin() + long(std::min(open + 1, lines.size())), lines.end()});
}

// Lengths of the longest common subsequences of what follows.
std::vector<std::vector<size_t>> commonLengths(const Lines& a, const Lines& b) {
  std::vector<std::vector<size_t>> common(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;)
      common[i][j] =
          a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  return common;
}

}  // namespace

std::string codeBlock(const std::string& recipe, const Repository& repository) {
  const Lines words = wordsOf(recipe);
  if (words.size() < 2) refuse("code: expected a file and a function");
  const Lines lines = functionOf(words[0], words[1], repository);
  const auto find = [&](size_t begin, const std::string& text) {
    for (size_t i = begin; i < lines.size(); ++i)
      if (lines[i].find(text) != std::string::npos) return i;
    refuse("'" + text + "' is not in " + words[1]);
  };
  size_t begin = 0, end = lines.size(), less = 0;
  for (size_t w = 2; w < words.size(); w += 2) {
    if (w + 1 == words.size()) refuse("code: nothing stands behind '" + words[w] + "'");
    const std::string& text = words[w + 1];
    if (words[w] == "from")
      begin = find(0, text);
    else if (words[w] == "to")
      end = find(begin, text) + 1;
    else if (words[w] == "before")
      end = find(begin, text);
    else if (words[w] == "less")
      less = columnsIn(text);
    else
      refuse("code: expected from, to, before or less, not '" + words[w] + "'");
  }
  while (end > begin && lines[end - 1].empty()) --end;
  Lines part(lines.begin() + long(begin), lines.begin() + long(std::max(begin, end)));
  for (std::string& line : part)
    if (line.find_first_not_of(' ') >= less && line.size() >= less) line.erase(0, less);
  return "```cpp\n" + joined(part) + "```\n";
}

std::string diffBlock(const std::string& recipe, const Repository& repository) {
  const Lines words = wordsOf(recipe);
  if (words.size() != 4) refuse("diff: expected a file and a function, twice");
  return "```diff\n" +
         changedLines(bodyOf(functionOf(words[0], words[1], repository)),
                      bodyOf(functionOf(words[2], words[3], repository)), true) +
         "```\n";
}

std::string changedLines(const std::string& from, const std::string& to, bool context) {
  const Lines a = linesOf(from), b = linesOf(to);
  const std::vector<std::vector<size_t>> common = commonLengths(a, b);
  std::string text, stayed;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      if (!text.empty() && context) stayed += " " + a[i] + '\n';
      ++i, ++j;
      continue;
    }
    text += stayed;
    stayed.clear();
    if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1]))
      text += "-" + a[i++] + '\n';
    else
      text += "+" + b[j++] + '\n';
  }
  return text;
}
