#include "site/counted_code.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/escape.h"
#include "base/text.h"
#include "weave/lines.h"

using nlohmann::json;

namespace {

// Where the lines of the code stand among those of a source.
std::optional<size_t> placeOf(const Lines& code, const Lines& source) {
  const auto same = [](const std::string& one, const std::string& other) {
    return trimmed(one) == trimmed(other);
  };
  const auto found = std::search(source.begin(), source.end(), code.begin(), code.end(), same);
  if (found == source.end()) return {};
  return size_t(found - source.begin());
}

CountedSource countedIn(const json& trace) {
  CountedSource counted;
  counted.about = trace.at("about");
  for (const json& source : trace.at("sources"))
    for (const json& line : source.at("lines")) counted.lines.push_back(line);
  const json& columns = trace.at("columns");
  counted.counts.assign(counted.lines.size(), std::vector<size_t>(columns.size()));
  for (size_t c = 0; c < columns.size(); ++c) {
    counted.titles.push_back(columns[c].at("brief"));
    counted.abouts.push_back(columns[c].at("about"));
    for (const json& step : trace.at("steps")) {
      const int line = step.value("at", -1);
      if (line < 0 || !step.contains("c")) continue;
      for (const json& count : step["c"])
        if (std::ranges::find(columns[c].at("counters"), count.at(0)) !=
            columns[c].at("counters").end())
          counted.counts.at(size_t(line)).at(c) += count.at(1).get<size_t>();
    }
  }
  return counted;
}

}  // namespace

std::vector<CountedSource> countedSourcesOf(const std::string& explorePage) {
  const std::string begins = R"(<script type="application/json" id="data">)";
  const size_t begin = explorePage.find(begins);
  const size_t end = explorePage.find("</script>", begin);
  if (begin == std::string::npos || end == std::string::npos) return {};
  const size_t inside = begin + begins.size();
  const json data = json::parse(explorePage.substr(inside, end - inside));
  std::vector<CountedSource> sources;
  for (const json& trace : data.at("traces")) sources.push_back(countedIn(trace));
  return sources;
}

std::string countedCode(const std::string& code, const std::vector<CountedSource>& sources,
                        const Language& language) {
  Lines lines = linesOf(code);
  if (lines.size() < 3) return "";
  lines.erase(lines.begin());  // ```cpp
  lines.pop_back();
  for (const CountedSource& source : sources) {
    const std::optional<size_t> first = placeOf(lines, source.lines);
    if (!first) continue;
    std::vector<size_t> columns;
    for (size_t c = 0; c < source.titles.size(); ++c)
      for (size_t i = 0; i < lines.size(); ++i)
        if (source.counts[*first + i][c] > 0) {
          columns.push_back(c);
          break;
        }
    if (columns.empty()) return "";
    std::string html = fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">"
        "<table class=\"counted\"><caption>{1} <span>{2}</span></caption>\n<thead><tr>",
        markupText(language.word("code")), markupText(language.word("counted")),
        markupText(source.about));
    for (const size_t c : columns)
      html += fmt::format("<th scope=\"col\"><abbr title=\"{}\">{}</abbr></th>",
                          markupText(source.abouts[c]), markupText(source.titles[c]));
    html += "<th scope=\"col\" class=\"code\">" + markupText(language.word("code")) +
            "</th></tr></thead>\n<tbody>\n";
    for (size_t i = 0; i < lines.size(); ++i) {
      html += "<tr>";
      for (const size_t c : columns) {
        const size_t count = source.counts[*first + i][c];
        html += "<td>" + (count > 0 ? std::to_string(count) : std::string()) + "</td>";
      }
      html += "<td class=\"code\"><code>" + markupText(lines[i]) + "\n</code></td></tr>\n";
    }
    return html + "</tbody></table></div>\n";
  }
  return "";
}
