#include "report/profile.h"

#include <fmt/core.h>

#include <fstream>

#include "base/counts.h"
#include "base/errors.h"
#include "base/text.h"

Profile::Profile(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(exitUsage, path + ": cannot be read");
  size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    const std::string where = fmt::format("{}:{}", path, ++number);
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> fields = split(line, ",");
    if (fields.back() == "value") continue;  // the head
    if (fields.size() != 3 && fields.size() != 5)
      throw Error(exitUsage, where + ": expected 3 or 5 fields");
    ProfileRow row{.kernel = fields[0],
                   .metric = fields[fields.size() - 2],
                   .value = numberIn(fields.back(), where)};
    if (fields.size() == 5) {
      row.block = unsigned(numberIn(fields[1], where));
      row.blocks = numberIn(fields[2], where);
    }
    rows_.push_back(std::move(row));
  }
}

const ProfileRow* Profile::find(const std::string& kernel, const std::string& metric,
                                unsigned block) const {
  for (const ProfileRow& row : rows_) {
    const bool named = row.kernel == kernel || row.kernel.substr(0, row.kernel.find('<')) == kernel;
    if (named && (metric.empty() || row.metric == metric) && row.block == block) return &row;
  }
  return nullptr;
}
