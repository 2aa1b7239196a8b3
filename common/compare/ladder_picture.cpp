// The ladder of one report as a picture that stands alone.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/counts.h"
#include "base/escape.h"
#include "base/markup.h"
#include "base/unicode.h"
#include "compare/page_parts.h"
#include "compare/result_pages.h"
#include "ladder_picture_css.h"

namespace {

constexpr const char* mark = "<!-- drawn by build/compare -->";

// Lengths are in units of the picture.
constexpr int width = 560, top = 92, rowHeight = 25;
constexpr size_t longestName = 40;  // in columns of a terminal; the rest is cut off

std::string shownName(const StepResult& step) {
  if (columnsOf(step.name) <= longestName) return step.name;
  return cutToColumns(step.name, longestName - 1) + "…";
}

// Where the bars begin: there is room for the longest name before them.
int leftOf(const std::vector<const StepResult*>& steps) {
  size_t longest = 0;
  for (const StepResult* step : steps) longest = std::max(longest, columnsOf(shownName(*step)));
  return std::max(250, 30 + 8 * int(longest));
}

std::string text(double x, double y, const std::string& kind, const std::string& words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, kind,
                     markupText(words));
}

std::string head(const Report& report, size_t rows, int left) {
  const int height = top + rowHeight * int(rows) + 22;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
      "font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\" "
      "font-size=\"14\">\n{}\n<title>{}</title>\n<style>\n{}</style>\n",
      left + width + 40, height, mark, markupText("The ladder on " + report.machineName()),
      ladderPictureCss);
  svg += "<rect class=\"paper\" width=\"100%\" height=\"100%\" rx=\"8\"/>\n";
  svg += text(20, 34, "head", report.machineName() + ": how fast each step reads its input");
  const std::string blocks =
      report.block > 0 ? fmt::format(", blocks of {} threads", report.block) : "";
  return svg + text(20, 56, "soft",
                    fmt::format("{} {}{}, medians of {} samples", countName(report.n), report.type,
                                blocks, report.samples));
}

// A bar as far as its rate, with its name before it and its figures in it or behind it.
std::string bar(const Report& report, const StepResult& step, double roof, double y, int left) {
  const double peak = report.peakGbps(step), gbps = report.gbps(step);
  const double end = left + width * gbps / roof, base = y + 17;
  const bool inside = gbps > 0.5 * roof;
  const std::string value =
      rateText(gbps) + (peak > 0 ? fmt::format(", {:.1f} %", 100 * gbps / peak) : "");
  return text(left - 10, base, "ink name", shownName(step)) +
         fmt::format(
             "<rect class=\"{}\" x=\"{}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"{}\" rx=\"2\"/>\n",
             step.role == Role::library ? "library" : "bar", left, y + 2, std::max(1.0, end - left),
             rowHeight - 5) +
         text(inside ? end - 8 : end + 8, base, inside ? "on" : "ink", value);
}

std::string roofLine(double peak, double roof, double bottom, int left) {
  const double x = left + width * peak / roof;
  return fmt::format(
             "<path class=\"roof\" stroke-width=\"2\" stroke-dasharray=\"6 4\" "
             "d=\"M{:.1f} {}V{:.0f}\"/>\n",
             x, top - 6, bottom) +
         text(x, top - 12, "peak", "peak: " + rateText(peak));
}

}  // namespace

std::string ladderSvg(const Report& report) {
  std::vector<const StepResult*> steps;
  for (const StepResult& step : report.steps)
    if (hasRate(step) && step.isRight()) steps.push_back(&step);
  const int left = leftOf(steps);
  const double roof = roofOf(report);
  std::string svg = head(report, steps.size(), left);
  double y = top;
  std::string lesson;
  for (const StepResult* step : steps) {
    if (step->lesson != lesson && std::isdigit((unsigned char)step->lesson[0]))
      svg += text(20, y + 17, "soft", step->lesson.substr(0, 2));
    lesson = step->lesson;
    svg += bar(report, *step, roof, y, left);
    y += rowHeight;
  }
  if (report.peakGbps() > 0) svg += roofLine(report.peakGbps(), roof, y + 4, left);
  return svg + "</svg>\n";
}

bool isOurPicture(const std::string& text) {
  const size_t end = text.find('>');  // of the first tag; the mark is the next line
  return end != std::string::npos &&
         text.substr(end + 1).starts_with(fmt::format("\n{}\n", mark)) && isOneElement(text, "svg");
}
