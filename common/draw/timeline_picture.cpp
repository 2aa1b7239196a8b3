#include "draw/timeline_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/escape.h"
#include "base/markup.h"
#include "estimate/wait_groups.h"
#include "timeline_picture_css.h"

using estimate::Interval;

namespace {

constexpr const char* timelineMark =
    "<!-- the warps of a multiprocessor, drawn by a lesson's program -->";

// Lengths are in units of the picture.
constexpr int left = 116, right = 24, top = 100, cellWidth = 2, cells = 430, placeGap = 4;
constexpr int width = left + cells * cellWidth + right;

const auto& colours = estimate::waitGroups();
constexpr size_t colourCount = std::tuple_size_v<std::decay_t<decltype(colours)>>;
constexpr size_t nothing = colourCount - 1;
using Amounts = std::array<double, colourCount>;

std::string textAt(double x, double y, const std::string& kind, const std::string& words) {
  return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" class=\"{}\">{}</text>\n", x, y, kind,
                     markupText(words));
}

// A round number of cycles between two marks on the axis.
double tickStep(double cycles) {
  const double least = cycles / 8;
  const double power = std::pow(10, std::floor(std::log10(std::max(1.0, least))));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

class TimelineDrawing {
 public:
  explicit TimelineDrawing(const Timeline& timeline)
      : timeline_(timeline),
        warps_(size_t(timeline.warpsPerBlock) * timeline.residentBlocks),
        rowHeight_(std::clamp(480 / int(warps_), 4, 14)) {}

  std::string draw() const {
    return head() + axis() + rows() + blocks() + legend() + notes() + "</svg>\n";
  }

  std::vector<Amounts> timeInCells() const {
    std::vector<Amounts> all(warps_ * cells);
    for (const Interval& interval : timeline_.intervals) {
      if (interval.warp >= warps_) continue;
      const double begin = std::max(0.0, interval.begin) / perCell();
      const double end =
          std::min(std::min(interval.end, timeline_.cycles) / perCell(), double(cells));
      for (size_t cell = size_t(begin); double(cell) < end; ++cell)
        all[interval.warp * cells + cell][estimate::groupOf(interval.wait)] +=
            std::min(end, double(cell + 1)) - std::max(begin, double(cell));
    }
    for (Amounts& amounts : all) {
      double sum = 0;
      for (const double amount : amounts) sum += amount;
      amounts[nothing] += 1 - sum;
    }
    return all;
  }

 private:
  double perCell() const { return timeline_.cycles / cells; }
  int placeHeight() const { return int(timeline_.warpsPerBlock) * rowHeight_; }
  int placeTop(size_t place) const { return top + int(place) * (placeHeight() + placeGap); }
  int bottom() const { return placeTop(timeline_.residentBlocks) - placeGap; }
  double x(double cycle) const { return left + cycle / perCell() * cellWidth; }

  std::string title() const {
    return fmt::format("{}: the warps of one multiprocessor of an {}, estimated", timeline_.kernel,
                       timeline_.card);
  }

  std::string head() const {
    const int height = bottom() + 180;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">\n{}\n"
        "<title>{}</title>\n<desc>",
        width, height, timelineMark, markupText(title()));
    for (const TimelineShare& share : timelineShares(timeline_))
      svg += fmt::format("{} {:.1f} %. ", share.name, 100 * share.share);
    svg += fmt::format("</desc>\n<style>\n{}</style>\n", timelinePictureCss);
    svg += fmt::format(
        "<rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" class=\"card\"/>\n",
        width - 1, height - 1);
    const std::string resident =
        fmt::format("{}, {} warps at a time; cycles 0 to {:.0f}, {:.3g} µs", timeline_.about,
                    warps_, timeline_.cycles, timeline_.cycles / timeline_.clockGhz * 1e-3);
    return svg + textAt(14, 32, "title", title()) + textAt(14, 56, "dim", resident);
  }

  std::string axis() const {
    std::string svg;
    const double step = tickStep(timeline_.cycles);
    for (double cycle = 0; cycle <= timeline_.cycles; cycle += step)
      svg += textAt(x(cycle), top - 8, "tick", fmt::format("{:.0f}", cycle));
    return svg + textAt(14, top - 8, "dim", "cycle");
  }

  // A cell has the colour that the row owes most to. What of others was in it, the row goes on
  // owing: so the areas of the colours are their shares.
  std::vector<size_t> coloursOfRow(const Amounts* inCells) const {
    Amounts owed = {};
    std::vector<size_t> row(cells);
    for (size_t cell = 0; cell < cells; ++cell) {
      for (size_t c = 0; c < owed.size(); ++c) owed[c] += inCells[cell][c];
      row[cell] = size_t(std::ranges::max_element(owed) - owed.begin());
      owed[row[cell]] -= 1;
    }
    return row;
  }

  std::string rows() const {
    const std::vector<Amounts> inCells = timeInCells();
    std::array<std::string, colourCount> shapes;
    for (size_t warp = 0; warp < warps_; ++warp) {
      const std::vector<size_t> row = coloursOfRow(&inCells[warp * cells]);
      const int y = placeTop(warp / timeline_.warpsPerBlock) +
                    int(warp % timeline_.warpsPerBlock) * rowHeight_;
      for (size_t from = 0, to = 0; from < cells; from = to) {
        while (to < cells && row[to] == row[from]) ++to;
        const size_t run = (to - from) * cellWidth;
        shapes[row[from]] += fmt::format("M{} {}h{}v{}h-{}z", left + from * cellWidth, y, run,
                                         rowHeight_ > 5 ? rowHeight_ - 1 : rowHeight_, run);
      }
    }
    std::string svg = "<g shape-rendering=\"crispEdges\">\n";
    for (size_t c = 0; c < colours.size(); ++c)
      if (!shapes[c].empty())
        svg += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", colours[c].kind, shapes[c]);
    return svg + "</g>\n";
  }

  // Which blocks a place has, and where another one begins.
  std::string blocks() const {
    std::map<size_t, std::map<uint32_t, double>> begins;  // by place and block
    for (const Interval& interval : timeline_.intervals) {
      if (interval.begin >= timeline_.cycles || interval.warp >= warps_) continue;
      auto& ofPlace = begins[interval.warp / timeline_.warpsPerBlock];
      const auto [block, isNew] = ofPlace.emplace(interval.block, interval.begin);
      block->second = std::min(block->second, interval.begin);
    }
    std::string svg;
    int free = 0;  // from here on down there is room for a label
    for (const auto& [place, ofPlace] : begins) {
      const int y = placeTop(place);
      std::string names;
      size_t named = 0;
      for (const auto& [block, begin] : ofPlace) {
        if (++named <= 3) names += (names.empty() ? "block " : ", ") + fmt::to_string(block);
        if (named > 1)
          svg += fmt::format("<path class=\"start\" d=\"M{:.1f} {}v{}\"/>\n", x(begin), y,
                             placeHeight());
      }
      if (named > 3) names += ", …";
      if (y < free) continue;
      svg += textAt(left - 8, y + 12, "block", names);
      free = y + 15;
    }
    return svg;
  }

  std::string legend() const {
    std::string svg;
    const std::vector<TimelineShare> shares = timelineShares(timeline_);
    for (size_t c = 0; c < colours.size(); ++c) {
      const int column = int(c) / 3, x = 14 + column * 325, y = bottom() + 30 + int(c) % 3 * 24;
      svg += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"14\" rx=\"2\" class=\"{}\"/>\n", x, y,
          colours[c].kind);
      svg += textAt(x + 22, y + 12, "",
                    fmt::format("{} {:.1f} %", colours[c].name, 100 * shares[c].share));
    }
    return svg;
  }

  std::string notes() const {
    const std::string end =
        timeline_.goesOn ? "; the multiprocessor goes on behind the right edge" : "";
    const std::vector<std::string> lines = {
        "A row is a place for a warp. Its colour says what the warp does or waits for.",
        "Where a line crosses the rows of a block, the next block begins.",
        fmt::format(
            "A cell is {:.3g} cycles and has one colour; areas are shares of the warps' time",
            perCell()) +
            end + "."};
    std::string svg;
    for (size_t i = 0; i < lines.size(); ++i)
      svg += textAt(14, bottom() + 122 + 20 * int(i), "dim", lines[i]);
    return svg;
  }

  const Timeline& timeline_;
  const size_t warps_;
  const int rowHeight_;
};

}  // namespace

std::vector<TimelineShare> timelineShares(const Timeline& timeline) {
  const std::vector<Amounts> inCells = TimelineDrawing(timeline).timeInCells();
  std::vector<TimelineShare> shares;
  for (size_t c = 0; c < colours.size(); ++c) {
    double sum = 0;
    for (const Amounts& amounts : inCells) sum += amounts[c];
    shares.push_back({colours[c].name, sum / double(inCells.size())});
  }
  return shares;
}

std::vector<TimelineShare> timelineShares(const estimate::WaitTimes& shares) {
  const Amounts sums = estimate::inGroups(shares);
  std::vector<TimelineShare> grouped;
  for (size_t c = 0; c < colourCount; ++c) grouped.push_back({colours[c].name, sums[c]});
  return grouped;
}

std::string timelinePicture(const Timeline& timeline) { return TimelineDrawing(timeline).draw(); }

bool isTimelinePicture(const std::string& text) {
  const size_t end = text.find('>');  // of the first tag; the mark is the next line
  return end != std::string::npos &&
         text.substr(end + 1).starts_with(fmt::format("\n{}\n", timelineMark)) &&
         isOneElement(text, "svg");
}
