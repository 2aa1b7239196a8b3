// A comparison as a page that stands alone.
#include <fmt/format.h>

#include <algorithm>

#include "base/escape.h"
#include "base/markup.h"
#include "compare/comparison_tables.h"
#include "compare/page_parts.h"
#include "compare/reasons.h"
#include "compare/result_pages.h"
#include "page_css.h"

namespace {

constexpr const char* pageBegin =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"generator\" content=\"build/compare\">\n";
constexpr const char* pageEnd = "</main></body>\n</html>\n";

// An element with a text in it; open is its name and its attributes.
std::string element(const std::string& open, const std::string& text) {
  return fmt::format("<{}>{}</{}>", open, markupText(text), open.substr(0, open.find(' ')));
}

// ---- The ladders

// The samples as dots from the shortest to the longest; of many, some.
std::string dots(const std::vector<double>& samples) {
  const Spread ms = spreadOf(samples);
  const double width = ms.max > ms.min ? ms.max - ms.min : 1;
  const size_t every = 1 + samples.size() / 200;
  std::string svg = R"(<svg class="dots" viewBox="0 0 220 30" aria-hidden="true"><path d=")";
  for (size_t i = 0; i < samples.size(); i += every)
    svg += fmt::format("M{:.1f} {}h0", 10 + 200 * (samples[i] - ms.min) / width,
                       6 + i / every * 7 % 19);
  return svg + "\"/></svg>";
}

std::string tip(const std::string& name, const StepResult& step) {
  const Spread ms = spreadOf(step.kernelMs);
  const size_t count = step.kernelMs.size();
  std::string html = R"(<div class="tip" role="tooltip">)" + element("b", name) + "<br>";
  html += fmt::format("median {} ms of {} sample{}<br>from {} to {} ms, {:.1f} % apart",
                      milliseconds(ms.median), count, count == 1 ? "" : "s", milliseconds(ms.min),
                      milliseconds(ms.max), 100 * (ms.max - ms.min) / ms.median);
  if (!step.answerMs.empty()) html += fmt::format("<br>answer {} ms", timeAndSpread(step.answerMs));
  return html + dots(step.kernelMs) + "</div>";
}

std::string valueOf(const StepOnMachine& cell) {
  if (!cell.step->isRight()) return "wrong result";
  return fmt::format("{} ms · {}", milliseconds(spreadOf(cell.step->kernelMs).median),
                     cell.percentOfPeak ? percentText(cell) + " %" : rateText(cell.gbps));
}

std::string bar(const std::string& name, const StepOnMachine& cell, double roof) {
  const double length = 100 * cell.gbps / roof;
  const bool right = cell.step->isRight();
  return fmt::format(
      "<div class=\"row\" tabindex=\"0\">{}<div class=\"track\" style=\"--x:{:.2f}%\">"
      "<div class=\"bar{}\"></div>{}</div>{}</div>\n",
      element("div class=\"name\"", name), length,
      !right         ? " wrong"
      : cell.fastest ? " fastest"
                     : "",
      element(length > 55 ? "span class=\"value inside\"" : "span class=\"value\"", valueOf(cell)),
      tip(name, *cell.step));
}

std::string ladder(const Comparison& comparison, size_t machine) {
  const Report& report = *comparison.machines[machine];
  const double roof = roofOf(report), peak = report.peakGbps();
  std::string html =
      fmt::format("<section class=\"panel\" id=\"m{}\">{}{}<div class=\"chart\">", machine + 1,
                  element("h2", columnName(comparison, machine) + " " + report.machineName()),
                  element("p class=\"about\"", describe(report)));
  if (peak > 0)
    html += fmt::format("<div class=\"roof\" style=\"--at:{:.2f}%\">{}</div>", 100 * peak / roof,
                        element("span", "peak " + rateText(peak)));
  for (const ComparedStep& compared : comparison.steps)
    if (const StepOnMachine& cell = compared.onMachine[machine]; cell.step && cell.gbps > 0)
      html += bar(compared.name, cell, roof);
  return html + "</div></section>\n";
}

// ---- The tables

std::string cellHtml(const std::string& tag, const Table::Cell& cell) {
  return element(tag + (cell.best ? " class=\"best\"" : ""), cell.text);
}

// links: where the first cell of each row behind the head leads, or nothing.
std::string tableHtml(const Table& table, const std::vector<std::string>& links = {}) {
  std::string html = R"(<div class="scroll" tabindex="0"><table>)";
  const std::vector<Table::Row>& rows = table.rows();
  for (size_t r = 0; r < rows.size(); ++r) {
    html += r == 0 ? "<thead><tr>" : "<tr>";
    for (size_t i = 0; i < rows[r].size(); ++i) {
      if (rows[0][i].text.empty()) continue;
      const Table::Cell& cell = rows[r][i];
      if (r == 0)
        html += cellHtml("th scope=\"col\"", cell);
      else if (i > 0)
        html += cellHtml("td", cell);
      else if (r > links.size())
        html += cellHtml("th scope=\"row\"", cell);
      else
        html += fmt::format("<th scope=\"row\"><a href=\"{}\">{}</a></th>", links[r - 1],
                            markupText(cell.text));
    }
    html += r == 0 ? "</tr></thead><tbody>\n" : "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string rankingHtml(const Comparison& comparison) {
  std::vector<std::string> links;
  for (const Ranked& ranked : ranking(comparison))
    links.push_back(fmt::format("#m{}", ranked.machine + 1));
  return "<h2 id=\"ranking\">Ranking</h2>\n" +
         element("p class=\"soft\"",
                 "The fastest step of each label, or of each file without one, by GB/s.") +
         "<div class=\"ranking\">" + tableHtml(rankingTable(comparison), links) + "</div>\n";
}

std::string contentsHtml(const Comparison& comparison) {
  std::string html =
      "<p class=\"contents\"><a href=\"#ranking\">Ranking</a> · "
      "<a href=\"#ladders\">Ladders</a> · <a href=\"#times\">Times</a> · ";
  if (!comparison.counted.empty()) html += "<a href=\"#reasons\">Reasons and times</a> · ";
  return html + "<a href=\"#sources\">Where the figures come from</a></p>\n";
}

std::string remarksHtml(const Comparison& comparison) {
  std::string html;
  for (const std::string& remark : remarks(comparison)) html += element("li", remark) + "\n";
  return html.empty() ? "" : "<ul class=\"remarks\">\n" + html + "</ul>\n";
}

std::string timesHtml(const Comparison& comparison) {
  std::string about =
      "Medians and spread; × 02: how many times as fast as lesson 02 on the same machine.";
  if (comparison.machines.size() > 1)
    about += comparison.sameInput
                 ? " A star marks the fastest of a row."
                 : " A star marks the fastest of a row by GB/s, as the machines added up arrays of "
                   "different lengths.";
  return "<h2 id=\"times\">Times</h2>\n" + element("p class=\"soft\"", about) +
         tableHtml(timesTable(comparison));
}

std::string reasonsHtml(const Comparison& comparison, const Report& counted) {
  return "<div class=\"moved\">" + element("h2 id=\"reasons\"", "Reasons and times") +
         element("p class=\"soft\"",
                 fmt::format("Counted by the executor at {}: totals per 1,000 elements. × before "
                             "and what moved are relative to the step that a step improves on.",
                             describe(counted))) +
         tableHtml(reasonsTable(comparison, counted)) + "</div>\n";
}

// ---- Where the figures come from

std::string fact(const std::string& name, const std::string& value) {
  return value.empty() ? "" : element("dt", name) + element("dd", value);
}

std::string card(const std::string& title, const Report& report) {
  const Machine& m = report.machine;
  return R"(<section class="card">)" + element("h3", title) + "<dl>" + fact("machine", m.name) +
         fact("label", report.label) + fact("what", describe(report)) +
         fact("driver", m.driver.empty() ? "" : m.driver + ", CUDA " + m.cuda) +
         fact("cache", report.backend == Backend::gpu ? report.cache : "") +
         fact("date", report.date) + fact("command", report.command) + fact("file", report.file) +
         "</dl></section>\n";
}

std::string sourcesHtml(const Comparison& comparison) {
  std::string html = "<h2 id=\"sources\">Where the figures come from</h2>\n<div class=\"cards\">\n";
  const size_t count = comparison.machines.size();
  for (size_t m = 0; m < count; ++m)
    html += card(count == 1 ? "timed" : columnName(comparison, m), *comparison.machines[m]);
  for (const Report* report : comparison.counted)
    if (std::ranges::find(comparison.machines, report) == comparison.machines.end())
      html += card("counted", *report);
  return html + "</div>\n";
}

std::string laddersHtml(const Comparison& comparison) {
  std::string html = "\n<div class=\"panels\" id=\"ladders\">\n";
  for (size_t m = 0; m < comparison.machines.size(); ++m) html += ladder(comparison, m);
  return html + "</div>\n";
}

}  // namespace

std::string htmlPage(const Comparison& comparison) {
  const size_t count = comparison.machines.size();
  const bool timed = !comparison.steps.empty();
  std::string html = pageBegin;
  html += fmt::format(
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Adding up an array: results side by side</title>\n<style>\n{}</style>\n</head>\n"
      "<body><main>\n<h1>Adding up an array, step by step</h1>\n",
      pageCss);
  if (timed) {
    std::string about =
        "Each bar is the rate at which a step reads its input, up to the card's peak. Point at a "
        "bar, or tap it, for the spread and the samples.";
    if (count > 1) about += " Green: the fastest of all machines.";
    const bool labelled = std::ranges::any_of(
        comparison.machines, [](const Report* report) { return !report->label.empty(); });
    if (count > 1) html += contentsHtml(comparison);
    html += element("p class=\"soft\"", about) + remarksHtml(comparison);
    if (count > 1 || labelled) html += rankingHtml(comparison);
    html += laddersHtml(comparison) + timesHtml(comparison);
  } else {
    html += element("p class=\"soft\"", "Counted by the executor, which times nothing.") +
            remarksHtml(comparison);
  }
  for (const Report* report : comparison.counted) html += reasonsHtml(comparison, *report);
  return html + sourcesHtml(comparison) + pageEnd;
}

bool isOurPage(const std::string& text) {
  return text.starts_with(pageBegin) && text.ends_with(pageEnd) && isOneElement(text, "html");
}
