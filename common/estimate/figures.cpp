#include "estimate/figures.h"

#include <fstream>

#include "base/errors.h"

namespace estimate {

std::map<std::string, double> readFigures(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(exitUsage, path + ": cannot be read");
  std::map<std::string, double> figures;
  for (std::string line; std::getline(file, line);) {
    const size_t end = line.rfind("\",");
    if (line.empty() || line[0] != '"' || end == std::string::npos) continue;
    figures[line.substr(1, end - 1)] = std::stod(line.substr(end + 2));
  }
  return figures;
}

}  // namespace estimate
