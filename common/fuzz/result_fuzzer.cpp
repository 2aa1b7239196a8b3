// libFuzzer: the reader of result files, and everything that is made of what it accepts.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/errors.h"
#include "compare/comparison.h"
#include "compare/result_pages.h"
#include "report/result_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const std::vector<Report> reports = {
        parseResult(std::string(reinterpret_cast<const char*>(data), size), "file")};
    const Comparison all = compareResults(reports, RowOrder::lesson);
    timesTable(all).markdown();
    labelsTable(all).text();
    tidyCsv(all);
    for (const Report* counted : all.counted) reasonsTable(all, *counted).text();
    const std::string page = htmlPage(all);
    if (page.find("<script") != std::string::npos) std::abort();
    if (!all.rows.empty()) ladderSvg(reports.front());
  } catch (const Error& error) {
    const std::string line = error.what();
    if (error.code != exitUsage || !line.starts_with("file: ") ||
        line.find('\n') != std::string::npos)
      std::abort();  // refused, but not in one line that names the file
  }
  return 0;
}
