// The rows of a roofline.
#include <cmath>

#include "base/errors.h"
#include "base/text.h"
#include "weave/tables.h"

static double positive(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !(number > 0) || !std::isfinite(number))
    refuse("roofline: expected a number above 0, not '" + text + "'");
  return number;
}

Roofline rooflineOf(const std::string& rows, const std::string& title) {
  Roofline roofline{.title = title};
  size_t count = 0;
  for (const std::string& row : linesOf(rows)) {
    const std::vector<std::string> cells = split(row, "|");
    if (cells.size() != 5) refuse("roofline: expected three cells, not '" + row + "'");
    const std::string& name = cells[1];
    if (count < 2 && name != (count == 0 ? "bandwidth" : "ceiling"))
      refuse("roofline: the first two rows are | bandwidth | and | ceiling |");
    if (count == 0) {
      roofline.gbps = positive(cells[2]);
      roofline.bandwidthName = cells[3];
    } else if (count == 1) {
      roofline.gflops = positive(cells[2]);
      roofline.gflopsName = cells[3];
    } else {
      roofline.points.push_back({name, positive(cells[2]), positive(cells[3])});
    }
    ++count;
  }
  if (count < 3) refuse("roofline: expected a bandwidth, a ceiling and points");
  return roofline;
}
