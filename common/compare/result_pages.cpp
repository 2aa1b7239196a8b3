#include "compare/result_pages.h"

#include "base/counts.h"

#include <algorithm>
#include <cmath>

namespace {

const std::string pageMark = R"(<meta name="generator" content="build/compare">)";
const std::string pictureMark = "<!-- drawn by build/compare -->";

// Text as markup shows it: nothing in it is markup.
std::string escape(const std::string& text) {
  std::string escaped;
  for (const char c : text) switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += c;
    }
  return escaped;
}

std::string element(const std::string& open, const std::string& text) {
  const std::string name = open.substr(0, open.find(' '));
  return "<" + open + ">" + escape(text) + "</" + name + ">";
}

std::string rate(double gbps) { return fixed(gbps, gbps < 100 ? 1 : 0) + " GB/s"; }

bool right(const StepResult& step) { return step.ok && step.fault.empty(); }

// The rate that reaches across a chart: the machine's peak, where it is known and above all bars.
double roofOf(const Report& report) {
  double top = report.machine.peakGbps;
  for (const StepResult& step : report.steps)
    if (!step.kernelMs.empty() && step.elementBytes > 0) top = std::max(top, report.gbps(step));
  return top;
}

// The samples as dots from the shortest to the longest; of many, some.
std::string dots(const std::vector<double>& samples) {
  const Spread ms = spreadOf(samples);
  const double width = ms.max > ms.min ? ms.max - ms.min : 1;
  const size_t every = 1 + samples.size() / 200;
  std::string svg = R"(<svg class="dots" viewBox="0 0 220 30" aria-hidden="true">)";
  for (size_t i = 0; i < samples.size(); i += every) {
    const double x = 10 + 200 * (samples[i] - ms.min) / width;
    svg += "<circle cx=\"" + fixed(x, 1) + "\" cy=\"" + std::to_string(6 + i / every * 7 % 19) +
           "\" r=\"2.5\"/>";
  }
  return svg + "</svg>";
}

std::string tip(const std::string& name, const StepResult& step) {
  const Spread ms = spreadOf(step.kernelMs);
  const size_t count = step.kernelMs.size();
  return R"(<div class="tip" role="tooltip">)" + element("b", name) + "<br>" +
         escape("median " + milliseconds(ms.median) + " ms of " + std::to_string(count) +
                (count == 1 ? " sample" : " samples")) +
         "<br>" +
         escape("from " + milliseconds(ms.min) + " to " + milliseconds(ms.max) + " ms, " +
                fixed(100 * (ms.max - ms.min) / ms.median, 1) + " % apart") +
         (step.answerMs.empty()
              ? ""
              : "<br>" + escape("answer " + timeAndSpread(step.answerMs) + " ms")) +
         dots(step.kernelMs) + "</div>";
}

std::string bars(const Comparison& comparison, size_t machine) {
  const Report& report = *comparison.machines[machine];
  const double roof = roofOf(report);
  std::string html = R"(<section class="panel">)";
  html += element("h2", (columnName(comparison, machine) + " " + report.machine.name));
  html += element("p class=\"about\"", describe(report));
  html += R"(<div class="chart">)";
  if (report.machine.peakGbps > 0)
    html += R"(<div class="roof" style="--at:)" + fixed(100 * report.machine.peakGbps / roof, 2) +
            "%\">" + element("span", "peak " + rate(report.machine.peakGbps)) + "</div>";
  for (const Row& row : comparison.rows) {
    const Cell& cell = row.cells[machine];
    if (!cell.step || cell.gbps == 0) continue;
    const double length = 100 * cell.gbps / roof;
    const std::string kind = !right(*cell.step) ? " wrong" : cell.fastest ? " fastest" : "";
    html +=
        R"(<div class="row" tabindex="0">)" + element("div class=\"name\"", row.name) +
        R"(<div class="track" style="--x:)" + fixed(length, 2) + R"(%"><div class="bar)" + kind +
        "\"></div>" +
        element(length > 55 ? "span class=\"value inside\"" : "span class=\"value\"",
                right(*cell.step) ? milliseconds(spreadOf(cell.step->kernelMs).median) + " ms · " +
                                        (cell.percentOfPeak ? fixed(*cell.percentOfPeak, 1) + " %"
                                                            : rate(cell.gbps))
                                  : "wrong result") +
        "</div>" + tip(row.name, *cell.step) + "</div>\n";
  }
  return html + "</div></section>\n";
}

std::string cellHtml(const std::string& tag, const Table::Cell& cell) {
  return element(tag + (cell.best ? " class=\"best\"" : ""), cell.text);
}

std::string tableHtml(const Table& table) {
  std::string html = R"(<div class="scroll" tabindex="0"><table>)";
  const std::vector<Table::Row>& rows = table.rows();
  for (size_t r = 0; r < rows.size(); ++r) {
    html += r == 0 ? "<thead><tr>" : "<tr>";
    for (size_t i = 0; i < rows[r].size(); ++i)
      if (!rows[0][i].text.empty())
        html += cellHtml(r == 0   ? "th scope=\"col\""
                         : i == 0 ? "th scope=\"row\""
                                  : "td",
                         rows[r][i]);
    html += r == 0 ? "</tr></thead><tbody>\n" : "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

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

const std::string pageStyle = R"(
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #1c1b1a; --soft: #63605a; --line: #dad6cd;
  --card: #ffffff; --bar: #7b9fd3; --fast: #15794f; --wrong: #b3402f; --roof: #a04a10; --on: #10151d; }
@media (prefers-color-scheme: dark) { :root { --paper: #15171b; --ink: #e9e7e2; --soft: #a5a29b;
  --line: #3a3d44; --card: #1e2126; --bar: #41679e; --fast: #2f9a6c; --wrong: #d0604f;
  --roof: #e59a5c; --on: #ffffff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1500px; margin: 0 auto; padding: 1.2rem clamp(.8rem, 3vw, 2.5rem) 3rem; }
h1 { font-size: clamp(1.4rem, 3vw, 2.1rem); line-height: 1.2; margin: .4rem 0 .3rem; }
h2 { font-size: 1.2rem; margin: 1.6rem 0 .2rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 0 0 .4rem; overflow-wrap: anywhere; }
p { max-width: 75ch; margin: .3rem 0 .8rem; }
.about, .soft { color: var(--soft); overflow-wrap: anywhere; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 36rem), 1fr));
  gap: 0 2.5rem; }
.panel { min-width: 0; }
.chart { position: relative; padding-top: 1.9rem; --left: 13.5rem; --gap: .7rem; }
.row { position: relative; display: grid; grid-template-columns: var(--left) 1fr; gap: var(--gap);
  align-items: center; padding: 2px 0; outline-offset: 1px; }
.name { text-align: right; font-size: .9rem; line-height: 1.2; overflow-wrap: anywhere; }
.track { position: relative; height: 1.55rem; }
.bar { width: var(--x); min-width: 2px; height: 100%; background: var(--bar); border-radius: 0 3px 3px 0; }
.bar.fastest { background: var(--fast); }
.bar.wrong { background: var(--wrong); }
.value { position: absolute; left: calc(var(--x) + .4rem); top: 0; line-height: 1.55rem;
  font-size: .85rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
.value.inside { left: auto; right: calc(100% - var(--x) + .5rem); color: var(--on); }
.fastest + .inside, .wrong + .inside { color: #ffffff; }
.roof { position: absolute; top: 0; bottom: 0; right: 0; left: calc(var(--left) + var(--gap));
  pointer-events: none; z-index: 1; }
.roof::before { content: ""; position: absolute; left: calc(var(--at) - 1px); top: 1.6rem; bottom: 0;
  border-left: 2px dashed var(--roof); }
.roof span { position: absolute; right: calc(100% - var(--at)); top: 0; color: var(--roof);
  font-size: .85rem; font-weight: 600; white-space: nowrap; }
.tip { display: none; position: absolute; z-index: 3; top: 100%; left: min(var(--left), 20%);
  background: var(--card); color: var(--ink); border: 1px solid var(--line); border-radius: 6px;
  padding: .5rem .7rem; font-size: .85rem; box-shadow: 0 4px 18px #0004; max-width: 18rem; }
.row:hover .tip, .row:focus .tip { display: block; }
.row:hover .bar, .row:focus .bar { filter: brightness(1.12); }
.dots { display: block; width: 220px; max-width: 100%; margin-top: .3rem; fill: var(--bar);
  border-bottom: 1px solid var(--line); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--card);
  margin: .5rem 0 1rem; max-width: 100%; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .3rem .7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
tbody tr:last-child > * { border-bottom: 0; }
thead th { color: var(--soft); font-weight: 600; }
th[scope=row], thead th:first-child { text-align: left; font-weight: 500; position: sticky; left: 0;
  background: var(--card); }
td.best { color: var(--fast); font-weight: 700; }
td.best::after { content: " ★"; }
.moved td:last-child, .moved th:last-child { text-align: left; white-space: normal; min-width: 17rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem;
  min-width: 0; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .1rem .8rem; margin: 0; font-size: .88rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .chart { --left: 0px; --gap: 0px; }
  .row { grid-template-columns: 1fr; gap: 0; padding: 3px 0; }
  .name { text-align: left; }
  th, td { padding: .3rem .5rem; }
  th[scope=row] { max-width: 9rem; white-space: normal; }
}
@media (min-width: 110rem) { body { font-size: 19px; } main { max-width: 1850px; } }
@media print { .tip { display: none !important; } }
)";

}  // namespace

std::string htmlPage(const Comparison& comparison) {
  const size_t count = comparison.machines.size();
  const bool timed = !comparison.rows.empty();
  std::string html = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
                     pageMark +
                     "\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<title>Adding up an array: results side by side</title>\n<style>" +
                     pageStyle + "</style>\n</head>\n<body><main>\n";
  html += "<h1>Adding up an array, step by step</h1>\n";
  html += element(
      "p class=\"soft\"",
      timed ? std::string("Each bar is the rate at which a step reads its input, up to the card's "
                          "peak. Point at a bar, or tap it, for the spread and the samples.") +
                  (count < 2 ? "" : " Green: the fastest of all machines.")
            : "Counted by the executor, which times nothing.");
  if (timed) {
    html += "\n<div class=\"panels\">\n";
    for (size_t m = 0; m < count; ++m) html += bars(comparison, m);
    html += "</div>\n<h2>Times</h2>\n";
    html +=
        element("p class=\"soft\"",
                std::string("Medians and spread; × 02: how many times as fast as lesson 02 on "
                            "the same machine.") +
                    (count < 2              ? ""
                     : comparison.sameInput ? " A star marks the fastest of a row."
                                            : " A star marks the fastest of a row by GB/s, as the "
                                              "machines added up arrays of different lengths."));
    html += tableHtml(timesTable(comparison));
    const bool labels = std::any_of(comparison.machines.begin(), comparison.machines.end(),
                                    [](const Report* report) { return !report->label.empty(); });
    if (labels)
      html += "<h2>The fastest step of each label</h2>\n" + tableHtml(labelsTable(comparison));
  }
  for (const Report* report : comparison.counted) {
    html += "<div class=\"moved\">" + element("h2", "Reasons and times");
    html += element("p class=\"soft\"",
                    "Counted by the executor at " + describe(*report) +
                        ": totals per 1,000 elements. × before and what moved are relative to the "
                        "step that a step improves on.");
    html += tableHtml(reasonsTable(comparison, *report)) + "</div>\n";
  }
  html += "<h2>Where the figures come from</h2>\n<div class=\"cards\">\n";
  for (size_t m = 0; m < count; ++m)
    html += card(count == 1 ? "timed" : columnName(comparison, m), *comparison.machines[m]);
  for (const Report* report : comparison.counted)
    if (std::find(comparison.machines.begin(), comparison.machines.end(), report) ==
        comparison.machines.end())
      html += card("counted", *report);
  return html + "</div>\n</main></body>\n</html>\n";
}

std::string ladderSvg(const Report& report) {
  std::vector<const StepResult*> steps;
  for (const StepResult& step : report.steps)
    if (!step.kernelMs.empty() && step.elementBytes > 0 && right(step)) steps.push_back(&step);
  const double peak = report.machine.peakGbps, roof = roofOf(report);
  const int left = 250, width = 560, top = 92, rowHeight = 25;
  const int height = top + rowHeight * int(steps.size()) + 22;
  const auto x = [&](double gbps) { return left + width * gbps / roof; };
  const auto text = [](double px, double py, const std::string& kind, const std::string& words) {
    return "<text x=\"" + fixed(px, 1) + "\" y=\"" + fixed(py, 1) + "\" class=\"" + kind + "\">" +
           escape(words) + "</text>\n";
  };
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
      std::to_string(left + width + 40) + " " + std::to_string(height) +
      "\" role=\"img\" font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', "
      "sans-serif\" font-size=\"14\">\n" +
      pictureMark + "\n<title>" + escape("The ladder on " + report.machine.name) + "</title>\n" +
      "<style>\n"
      ".paper { fill: #fbfaf7 } .ink { fill: #1c1b1a } .soft { fill: #63605a } .bar { fill: "
      "#7b9fd3 }\n"
      ".library { fill: #b9b4a8 } .roof { stroke: #a04a10 } .peak { fill: #a04a10 }\n"
      ".head { fill: #1c1b1a; font-size: 19px; font-weight: 600 } .name { text-anchor: end }\n"
      ".peak { text-anchor: end; font-weight: 600 } .on { fill: #10151d; text-anchor: end }\n"
      "@media (prefers-color-scheme: dark) {\n"
      ".paper { fill: #15171b } .ink, .head { fill: #e9e7e2 } .soft { fill: #a5a29b }\n"
      ".bar { fill: #41679e } .library { fill: #565b66 } .roof { stroke: #e59a5c }\n"
      ".peak { fill: #e59a5c } .on { fill: #ffffff } }\n</style>\n";
  svg += "<rect class=\"paper\" width=\"100%\" height=\"100%\" rx=\"8\"/>\n";
  svg += text(20, 34, "head", report.machine.name + ": how fast each step reads its input");
  svg += text(
      20, 56, "soft",
      countName(report.n) + " " + report.type +
          (report.block > 0 ? ", blocks of " + std::to_string(report.block) + " threads" : "") +
          ", medians of " + std::to_string(report.samples) + " samples");
  double y = top;
  std::string lesson;
  for (const StepResult* step : steps) {
    const double gbps = report.gbps(*step), end = x(gbps), base = y + 17;
    const bool inside = gbps > 0.5 * roof;
    const std::string value =
        rate(gbps) + (peak > 0 ? ", " + fixed(100 * gbps / peak, 1) + " %" : "");
    const bool library = step->lesson == "CUB" || step->name.find("cub") != std::string::npos;
    if (step->lesson != lesson && std::isdigit(static_cast<unsigned char>(step->lesson[0])))
      svg += text(20, base, "soft", step->lesson.substr(0, 2));
    lesson = step->lesson;
    svg += text(left - 10, base, "ink name", step->name);
    svg += "<rect class=\"" + std::string(library ? "library" : "bar") + "\" x=\"" +
           std::to_string(left) + "\" y=\"" + fixed(y + 2, 0) + "\" width=\"" +
           fixed(std::max(1.0, end - left), 1) + "\" height=\"" + std::to_string(rowHeight - 5) +
           "\" rx=\"2\"/>\n";
    svg += text(inside ? end - 8 : end + 8, base, inside ? "on" : "ink", value);
    y += rowHeight;
  }
  if (peak > 0) {
    svg += "<path class=\"roof\" stroke-width=\"2\" stroke-dasharray=\"6 4\" d=\"M" +
           fixed(x(peak), 1) + " " + std::to_string(top - 6) + "V" + fixed(y + 4, 0) + "\"/>\n";
    svg += text(x(peak), top - 12, "peak", "peak: " + rate(peak));
  }
  return svg + "</svg>\n";
}

bool isOurPage(const std::string& text) { return text.find(pageMark) != std::string::npos; }
bool isOurPicture(const std::string& text) { return text.find(pictureMark) != std::string::npos; }
