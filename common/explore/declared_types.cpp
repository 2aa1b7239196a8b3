#include "explore/declared_types.h"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

namespace {

constexpr size_t mostLetters = 300;  // of a declaration: longer ones are not read

std::string withoutComments(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line.substr(0, line.find("//")) + '\n';
  for (size_t from; (from = text.find("/*")) != std::string::npos;) {
    const size_t to = text.find("*/", from + 2);
    text.erase(from, to == std::string::npos ? std::string::npos : to + 2 - from);
  }
  return text;
}

// The type's name without what says nothing of its values: "const unsigned int" is "unsigned".
std::string plainName(const std::string& text) {
  static const std::set<std::string> idle = {"const",        "volatile",   "extern", "static",
                                             "__restrict__", "__shared__", "struct"};
  std::istringstream words(text);
  std::string name;
  for (std::string word; words >> word;)
    if (!idle.contains(word) && !word.starts_with("alignas") && !word.starts_with("__align__"))
      name += (name.empty() ? "" : " ") + word;
  if (name.starts_with("std::")) name.erase(0, 5);
  for (const std::string longer : {"unsigned int", "long int", "long long int", "short int"})
    if (name == longer) name.erase(name.rfind(" int"));
  return name;
}

std::optional<DeclaredType> typeOf(const std::string& declared) {
  using enum ValueType;
  struct Known {
    ValueType type;
    unsigned bytes;
  };
  static const std::map<std::string, Known> known = {{"int", {integer, 4}},
                                                     {"unsigned", {natural, 4}},
                                                     {"float", {floatingPoint, 4}},
                                                     {"double", {floatingPoint, 8}},
                                                     {"long long", {integer, 8}},
                                                     {"unsigned long long", {natural, 8}},
                                                     {"long", {integer, 8}},
                                                     {"unsigned long", {natural, 8}},
                                                     {"size_t", {natural, 8}},
                                                     {"int32_t", {integer, 4}},
                                                     {"uint32_t", {natural, 4}},
                                                     {"int64_t", {integer, 8}},
                                                     {"uint64_t", {natural, 8}},
                                                     {"short", {integer, 2}},
                                                     {"unsigned short", {natural, 2}},
                                                     {"int16_t", {integer, 2}},
                                                     {"uint16_t", {natural, 2}},
                                                     {"char", {integer, 1}},
                                                     {"signed char", {integer, 1}},
                                                     {"unsigned char", {natural, 1}},
                                                     {"int8_t", {integer, 1}},
                                                     {"uint8_t", {natural, 1}},
                                                     {"bool", {natural, 1}},
                                                     {"uint", {natural, 4}}};
  const std::string name = plainName(declared);
  if (const auto found = known.find(name); found != known.end())
    return DeclaredType{name, found->second.type, found->second.bytes};
  static const std::regex vector("(int|uint|float|double)([1-4])");
  std::smatch parts;
  if (!std::regex_match(name, parts, vector)) return {};
  const Known base = known.at(parts[1]);
  return DeclaredType{name, base.type, base.bytes * unsigned(std::stoi(parts[2]))};
}

std::vector<std::string> atCommas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream list(text);
  for (std::string part; std::getline(list, part, ',');) parts.push_back(part);
  return parts;
}

}  // namespace

DeclaredTypes::DeclaredTypes(const std::vector<std::string>& lines) {
  const std::string text = withoutComments(lines);
  readParameters(text);
  readVariables(text);
}

void DeclaredTypes::readParameters(const std::string& text) {
  static const std::regex pointer("([^*]*)\\*[^*]*?(\\w+)\\s*");
  const std::string bounds = "__launch_bounds__";
  for (size_t at = 0; (at = text.find("__global__", at)) != std::string::npos; ++at) {
    size_t open = text.find('(', at);
    if (const size_t before = text.find(bounds, at); before < open)
      open = text.find('(', text.find(')', open));
    const size_t close = text.find(')', open);
    if (open == std::string::npos || close == std::string::npos) return;
    for (const std::string& parameter : atCommas(text.substr(open + 1, close - open - 1))) {
      std::smatch parts;
      if (parameter.find('*') == std::string::npos) continue;
      const bool readable =
          parameter.size() <= mostLetters && std::regex_match(parameter, parts, pointer);
      const auto type = readable ? typeOf(parts[1]) : std::nullopt;
      unknown_ = unknown_ || !type;
      if (type) parameters_[parts[2]] = *type;
    }
  }
}

void DeclaredTypes::readVariables(const std::string& text) {
  static const std::regex first("\\s*((?:[\\w:]+(?:\\([^)]*\\))?\\s+)+)(\\w+)\\s*(?:\\[.*)?");
  static const std::regex other("\\s*(\\w+)\\s*(?:\\[.*)?");
  const std::string shared = "__shared__";
  for (size_t at = 0; (at = text.find(shared, at)) != std::string::npos; ++at) {
    const size_t from = at + shared.size(), end = text.find(';', from);
    if (end == std::string::npos || end - from > mostLetters) continue;
    const std::vector<std::string> parts = atCommas(text.substr(from, end - from));
    std::smatch words;
    if (parts.empty() || !std::regex_match(parts[0], words, first)) continue;
    const auto type = typeOf(words[1]);
    if (!type) continue;
    shared_[words[2]] = *type;
    for (size_t i = 1; i < parts.size(); ++i)
      if (std::regex_match(parts[i], words, other)) shared_[words[1]] = *type;
  }
}

std::optional<DeclaredType> DeclaredTypes::ofShared(const std::string& variable) const {
  const auto found = shared_.find(variable);
  if (found == shared_.end()) return {};
  return found->second;
}

std::optional<DeclaredType> DeclaredTypes::ofGlobal(const std::string& array,
                                                    size_t elementSize) const {
  std::set<std::string> names;
  std::optional<DeclaredType> any;
  for (const auto& [name, type] : parameters_)
    if (type.bytes == elementSize) {
      names.insert(type.name);
      any = type;
    }
  if (names.size() == 1 && !unknown_) return any;
  const auto found = parameters_.find(array);
  if (found == parameters_.end() || found->second.bytes != elementSize) return {};
  return found->second;
}
