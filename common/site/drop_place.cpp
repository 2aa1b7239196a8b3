#include "site/drop_place.h"

#include <algorithm>
#include <filesystem>

#include "base/escape.h"
#include "site/origin_markup.h"

namespace {

// h200_shuffle.json of the program 08_shuffle.
bool isCalledAfterItsProgram(const Report& report) {
  std::string name = report.program;
  if (name != "ladder" && !(name[0] >= '0' && name[0] <= '9')) return false;
  while (name[0] >= '0' && name[0] <= '9') name.erase(0, 1);
  if (!name.starts_with('_')) name.insert(0, "_");
  return std::filesystem::path(report.file).stem().string().ends_with(name);
}

std::string dropPlace(const Language& language, const std::string& html, const Results& results) {
  const auto said = [&](const std::string& name) { return markupText(language.word(name)); };
  std::string machines = "<option value=\"\">" + said("resultsAlone") + "</option>";
  for (const auto& [machine, reports] : results.byMachine)
    if (std::ranges::any_of(reports, isCalledAfterItsProgram))
      machines += "<option>" + markupText(machine) + "</option>";
  return "<div class=\"drop script\" data-root=\"" + markupText(linkBetween(html, "site.css")) +
         "\" data-too-large=\"" + said("resultsTooLarge") + "\" data-cannot=\"" +
         said("resultsCannot") + "\" data-compared=\"" + said("resultsCompared") +
         "\" data-save=\"" + said("resultsSave") + "\">\n<p><label>" + said("resultsDrop") +
         " <input type=\"file\" multiple accept=\".json\"></label></p>\n<p><label>" +
         said("resultsBeside") + " <select>" + machines +
         "</select></label></p>\n<div role=\"status\"></div>\n</div>\n";
}

}  // namespace

std::string yoursBesideThem(const Language& language, const std::string& html,
                            const Results& results, bool inBrowser) {
  return element("h2 id=\"yours\"", language.word("resultsYours")) + "\n" +
         (inBrowser ? dropPlace(language, html, results) : "") +
         element("p", language.word("resultsHow")) +
         "\n<pre tabindex=\"0\"><code>cmake --build build --target compare\nbuild/compare "
         "mine.json common/results/h200_ladder.json --html mine.html\n</code></pre>\n";
}

std::string recordsScript(const Repository& repository, const Results& results) {
  nlohmann::json records = nlohmann::json::array();
  for (const auto& [machine, reports] : results.byMachine)
    for (const Report& report : reports)
      if (isCalledAfterItsProgram(report))
        records.push_back({{"machine", machine},
                           {"program", report.program},
                           {"file", report.file},
                           {"result", nlohmann::json::parse(contentsOf(repository, report.file))}});
  return "window.recordedResults = " + records.dump() + ";\n";
}
