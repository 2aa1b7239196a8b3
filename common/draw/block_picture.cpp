#include "draw/block_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/escape.h"
#include "base/markup.h"
#include "block_picture_css.h"
#include "draw/block_layout.h"
#include "simt/hardware/memory_units.h"

using namespace block_layout;
using simt::Counters;
using simt::warpWidth;

namespace {

constexpr const char* mark = "<!-- what a block did, drawn by a lesson's program -->";

std::string text(int x, int y, const std::string& kind, const std::string& words) {
  return fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", x, y, kind,
                     markupText(words));
}

std::string box(int x, int y, int width, int height, const std::string& kind) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\" class=\"{}\"/>\n",
                     x, y, width, height, kind);
}

// Many boxes of one size: those of a kind make one shape, for they would fill the file.
class Boxes {
 public:
  Boxes(int width, int height) : outline_(fmt::format("h{}v{}h{}z", width, height, -width)) {}

  void add(int x, int y, const std::string& kind) {
    shapes_[kind] += fmt::format("M{} {}{}", x, y, outline_);
  }
  std::string draw() const {
    std::string svg;
    for (const auto& [kind, shape] : shapes_)
      svg += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", kind, shape);
    return svg;
  }

 private:
  std::string outline_;
  std::map<std::string, std::string> shapes_;
};

std::string count(uint64_t n, const std::string& noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string colour(unsigned thread) { return fmt::format("w{}", thread / warpWidth); }

// "32 threads, 2 warps"
std::string whoWorks(const Stage& stage) {
  unsigned warps = 0;
  for (size_t first = 0; first < stage.active.size(); first += warpWidth) {
    const auto begin = stage.active.begin() + ptrdiff_t(first);
    warps += std::find(begin, begin + warpWidth, true) != begin + warpWidth;
  }
  const auto working = std::ranges::count(stage.active, true);
  return count(uint64_t(working), "thread") + ", " + count(warps, "warp");
}

// Straight down at both ends, so that each head points at its element.
std::string line(const std::string& kind, const ElementRow& from, unsigned i, const ElementRow& to,
                 unsigned j) {
  const int x1 = from.x(i) + cell / 2, x2 = to.x(j) + cell / 2;
  const int y1 = from.lineOf(i) + cell + 2, y2 = to.lineOf(j) - 3;
  const std::string aside = x1 == x2 ? "" : fmt::format("v4L{} {}", x2, y2 - 9);
  return fmt::format("<path class=\"line {}\" d=\"M{} {}{}V{}\"/>\n", kind, x1, y1, aside, y2);
}

std::string label(const ElementRow& row, unsigned lineOfRow) {
  if (row.name.empty()) return "registers";
  if (row.lines() == 1) return row.name;
  return fmt::format("{}[{}…]", row.name, lineOfRow * row.perLine);
}

class Picture {
 public:
  Picture(const std::string& kernel, const std::vector<Stage>& stages)
      : kernel_(kernel),
        stages_(stages),
        threads_(unsigned(stages.front().active.size())),
        rows_(placeRows(stages, threads_)) {}

  std::string draw() const {
    std::string body;
    for (size_t i = 0; i < stages_.size(); ++i) body += labels(i);
    for (size_t i = 0; i < stages_.size(); ++i) body += shades(i);
    for (size_t i = 0; i < stages_.size(); ++i) body += arrows(i);
    for (size_t i = 0; i < rows_.size(); ++i) body += cells(i);
    return head() + legend() + body + totals() + "</svg>\n";
  }

 private:
  int width() const { return rows_[0].x(threads_ - 1) + cell + right; }
  int height() const { return rows_.back().bottom() + 64; }

  std::string title() const {
    return fmt::format("{}: one block of {} adds up {}", kernel_, count(threads_, "thread"),
                       count(rows_[0].elements, "element"));
  }

  // "Step 2", or what else the stage does.
  std::string nameOf(size_t i) const {
    const auto adds = [](const Stage& stage) {
      return std::ranges::any_of(stage.arrows, [](const Arrow& arrow) { return arrow.addition; });
    };
    const auto end = stages_.begin() + ptrdiff_t(i) + 1;
    if (adds(stages_[i])) return fmt::format("Step {}", std::count_if(stages_.begin(), end, adds));
    return stages_[i].to.empty() ? "Load" : "Store";
  }

  std::string head() const {
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">\n{}\n"
        "<title>{}</title>\n<desc>",
        width(), height(), mark, markupText(title()));
    for (size_t i = 0; i < stages_.size(); ++i)
      svg += fmt::format("{}: {}. ", nameOf(i), whoWorks(stages_[i]));
    svg += fmt::format("</desc>\n<style>\n{}</style>\n<defs>\n", blockPictureCss);
    for (unsigned warp = 0; warp * warpWidth < threads_; ++warp)
      svg += fmt::format(
          "<marker id=\"head{}\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"6\" "
          "markerHeight=\"6\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
          "<path d=\"M0 0L6 3L0 6z\" class=\"{}\"/></marker>\n",
          warp, colour(warp * warpWidth));
    svg += fmt::format(
        "</defs>\n<rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" class=\"card\"/>\n",
        width() - 1, height() - 1);
    return svg + text(margin, 32, "title", title());
  }

  std::string legend() const {
    std::string svg;
    int x = margin;
    const auto entry = [&](const std::string& kind, const std::string& words, int room) {
      svg += box(x, 49, kind == "sector" ? 20 : cell, cell + 1, kind);
      x += kind == "sector" ? 26 : 16;
      svg += text(x, 59, "dim", words);
      x += room;
    };
    for (unsigned warp = 0; warp * warpWidth < threads_; ++warp)
      entry(colour(warp * warpWidth), fmt::format("warp {}", warp), 62);
    entry("idle", "idle", 44);
    entry("sector", "sector of 8 elements, loaded", 226);
    const bool someDoNot = std::ranges::any_of(stages_, [](const Stage& stage) {
      return std::ranges::any_of(stage.arrows, [](const Arrow& a) { return !a.counts; });
    });
    if (someDoNot) entry("w0 faint", "takes part, but the sum needs nothing of it", 0);
    for (unsigned i = 0; i < threads_; i += sectorElements)
      svg += text(rows_[0].x(i) + cell / 2, top - 10, "tick", fmt::to_string(i));
    svg += text(width() - 72, top - 10, "dim number", "requests");
    return svg + text(width() - margin, top - 10, "dim number", "sectors");
  }

  // Beside the arrows: which threads work, and what that costs.
  std::string labels(size_t i) const {
    const Stage& stage = stages_[i];
    const int y = rows_[i].bottom() + (rows_[i + 1].y - rows_[i].bottom()) / 2 - 29;
    std::string svg = text(margin, y + 18, "step", nameOf(i));
    svg += text(margin, y + 34, "", whoWorks(stage));
    Boxes lanes(3, 6);
    for (unsigned t = 0; t < threads_; ++t)
      lanes.add(margin + int(t % warpWidth) * 4, y + 40 + int(t / warpWidth) * 7,
                stage.active[t] ? colour(t) : "idle");
    return svg + lanes.draw() + costs(stage.counted, y + 18);
  }

  std::string costs(const Counters& c, int y) const {
    std::string svg;
    const auto entry = [&](const std::string& name, uint64_t requests,
                           std::optional<uint64_t> sectors) {
      if (requests == 0) return;
      svg += text(width() - right + 14, y, "", name);
      svg += text(width() - 72, y, "number", fmt::to_string(requests));
      if (sectors) svg += text(width() - margin, y, "number", fmt::to_string(*sectors));
      y += 16;
    };
    entry("load", c.load_requests, c.load_sectors);
    entry("store", c.store_requests, c.store_sectors);
    entry("shared load", c.shared_load_requests, {});
    entry("shared store", c.shared_store_requests, {});
    entry(c.shuffles == 1 ? "shuffle" : "shuffles", c.shuffles, {});
    if (c.barriers > 0) svg += text(width() - right + 14, y, "dim", "then a barrier");
    return svg;
  }

  std::string totals() const {
    Counters all;
    for (const Stage& stage : stages_) all += stage.counted;
    const int y = rows_.back().bottom() + 30;
    const std::string shuffles =
        all.shuffles > 0 ? fmt::format(", {}", count(all.shuffles, "shuffle")) : "";
    return text(margin, y, "dim",
                fmt::format(
                    "In all: {} and {}, {} and {}{}, {}.", count(all.load_requests, "load request"),
                    count(all.load_sectors, "sector"), count(all.store_requests, "store request"),
                    count(all.store_sectors, "sector"), shuffles, count(all.barriers, "barrier"))) +
           text(margin, y + 18, "dim",
                "A request is one load or store of a warp; a sector that two requests touch counts "
                "twice.");
  }

  // Behind a row, the sectors that the next stage loads.
  std::string shades(size_t i) const {
    if (stages_[i].from.empty() || stages_[i].inShared) return "";
    const ElementRow& row = rows_[i];
    std::vector<bool> touched(row.elements / sectorElements + 1);
    for (const Arrow& arrow : stages_[i].arrows) touched[arrow.from / sectorElements] = true;
    for (const Arrow& keep : stages_[i].keeps) touched[keep.from / sectorElements] = true;
    std::string svg;
    for (unsigned s = 0; s < touched.size(); ++s)
      if (const unsigned first = s * sectorElements; touched[s])
        svg += box(row.x(first) - 1, row.lineOf(first) - 2, sectorElements * pitch + 1, cell + 4,
                   "sector");
    return svg;
  }

  std::string arrows(size_t i) const {
    const Stage& stage = stages_[i];
    const ElementRow &from = rows_[i], &to = rows_[i + 1];
    std::string svg;
    for (const Arrow& keep : stage.keeps)
      svg += line("keep " + colour(keep.thread), from, keep.from, to, keep.to);
    for (const Arrow& arrow : stage.arrows) {
      const std::string kind = fmt::format("{} {}{}", arrow.addition ? "add" : "move",
                                           colour(arrow.thread), arrow.counts ? "" : " faint");
      svg += line(kind, from, arrow.from, to, arrow.to);
    }
    return svg;
  }

  // An element has the colour of the warp that uses it next; in the last row, that wrote it.
  std::string cells(size_t i) const {
    const ElementRow& row = rows_[i];
    std::vector<std::string> kinds(row.elements, "idle");
    const bool last = i == stages_.size();
    const Stage& stage = stages_[last ? i - 1 : i];
    const bool shuffle = isShuffle(stage);
    for (unsigned t = 0; shuffle && !last && t < threads_; ++t)
      if (stage.active[t]) kinds[t] = colour(t) + " faint";
    for (const Arrow& keep : stage.keeps) kinds[keep.from] = colour(keep.thread);
    for (const Arrow& arrow : stage.arrows)
      if (arrow.counts) kinds[last ? arrow.to : arrow.from] = colour(arrow.thread);
    Boxes boxes(cell, cell);
    for (unsigned e = 0; e < row.elements; ++e) boxes.add(row.x(e), row.lineOf(e), kinds[e]);
    std::string svg = boxes.draw();
    for (unsigned l = 0; l < row.lines(); ++l)
      svg += text(left - 10, row.y + int(l) * lineHeight + cell, "dim number", label(row, l));
    return svg;
  }

  std::string kernel_;
  const std::vector<Stage>& stages_;
  unsigned threads_;
  std::vector<ElementRow> rows_;
};

}  // namespace

std::string blockPicture(const std::string& kernel, const std::vector<Stage>& stages) {
  return Picture(kernel, stages).draw();
}

bool isBlockPicture(const std::string& text) {
  const size_t end = text.find('>');  // of the first tag; the mark is the next line
  return end != std::string::npos &&
         text.substr(end + 1).starts_with(fmt::format("\n{}\n", mark)) && isOneElement(text, "svg");
}
