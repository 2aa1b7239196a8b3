#include "explore/sources.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/escape.h"

using nlohmann::json;

namespace {

constexpr unsigned mostLines = 400;  // of a piece

std::vector<std::string> readLines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(terminalText(line));
  return lines;
}

// Where the function around a line begins and ends, counted from 0. What belongs to a function is
// indented, and its last line is not.
std::pair<unsigned, unsigned> functionAround(const std::vector<std::string>& lines, unsigned line) {
  const auto isOuter = [&](unsigned i) {
    return !lines[i].empty() && lines[i][0] != ' ' && lines[i][0] != '\t' && lines[i][0] != '#';
  };
  unsigned first = line, last = line;
  const bool oneLine = isOuter(line) && lines[line].find('{') != std::string::npos;
  while (first > 0 && !(isOuter(first) && lines[first][0] != '}' && lines[first][0] != '{'))
    --first;
  while (first > 0 && !lines[first - 1].empty() && isOuter(first - 1) &&
         lines[first - 1][0] != '}' && !lines[first - 1].starts_with("//"))
    --first;
  if (oneLine && lines[line].back() == '}') return {first, last};
  while (last + 1 < lines.size() && !(isOuter(last) && lines[last][0] == '}')) ++last;
  return {first, last};
}

std::string nameOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return terminalText(slash == std::string::npos ? path : path.substr(slash + 1));
}

}  // namespace

Sources::Sources(const std::vector<const void*>& instructions) {
  const std::vector<std::string> found = simt::sourcePathsOf(instructions);
  std::map<std::string, std::set<unsigned>> used;
  for (size_t i = 0; i < instructions.size(); ++i) {
    const Place place = placeFrom(found[i]);
    if (place.line == 0 || place.path.find("/simt/warp.h") != std::string::npos) continue;
    known_[instructions[i]] = place;
    used[place.path].insert(place.line);
  }
  for (const auto& [path, lines] : used) addPieces(path, {lines.begin(), lines.end()});
  // Kernels first, then what they call.
  std::stable_partition(pieces_.begin(), pieces_.end(), [](const Piece& piece) {
    return std::ranges::any_of(piece.lines, [](const std::string& line) {
      return line.find("__global__") != std::string::npos;
    });
  });
}

Sources::Place Sources::placeFrom(const std::string& source) {
  const size_t colon = source.rfind(':');
  if (colon == std::string::npos) return {};
  return {source.substr(0, colon), unsigned(std::strtoul(source.c_str() + colon + 1, nullptr, 10))};
}

void Sources::addPieces(const std::string& path, const std::vector<unsigned>& used) {
  const std::vector<std::string> lines = readLines(path);
  for (const unsigned line : used) {
    if (lineOf(path, line) >= 0) continue;
    if (line > lines.size()) {
      pieces_.push_back({path, line, {""}});
      continue;
    }
    auto [first, last] = functionAround(lines, line - 1);
    last = std::min(last, std::max(first + mostLines, line - 1));
    pieces_.push_back({path, first + 1, {lines.begin() + first, lines.begin() + last + 1}});
  }
}

int Sources::lineOf(const std::string& path, unsigned line) const {
  size_t before = 0;
  for (const Piece& piece : pieces_) {
    if (piece.path == path && line >= piece.first && line < piece.first + piece.lines.size())
      return int(before + line - piece.first);
    before += piece.lines.size();
  }
  return -1;
}

int Sources::lineOf(const void* instruction) const {
  const auto found = known_.find(instruction);
  return found == known_.end() ? -1 : lineOf(found->second.path, found->second.line);
}

int Sources::lineAt(const std::string& place) const {
  const Place at = placeFrom(place);
  for (const Piece& piece : pieces_)
    if (nameOf(piece.path) == nameOf(at.path))
      if (const int line = lineOf(piece.path, at.line); line >= 0) return line;
  return -1;
}

std::string Sources::placeOf(const void* instruction) const {
  const auto found = known_.find(instruction);
  return found == known_.end() ? "" : fmt::format("line {}", found->second.line);
}

json Sources::asJson() const {
  json list = json::array();
  for (const Piece& piece : pieces_)
    list.push_back({{"name", nameOf(piece.path)}, {"first", piece.first}, {"lines", piece.lines}});
  return list;
}
