#include "draw/block_picture.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

using simt::Counters;

namespace {

using simt::ThreadEvent;

constexpr unsigned warpWidth = 32, sectorElements = 8;

// ---- From events to stages

// What happened between two meetings of the lanes: the barriers passed, the warp operations since.
using Moment = std::pair<unsigned, unsigned>;

// The stages of one moment, in the order in which they are.
struct Moments {
  Stage loads, shuffles, stores;
};

// A thread's loads that it has not stored yet.
using Pending = std::map<unsigned, std::vector<const ThreadEvent*>>;

void takePart(Stage& stage, unsigned thread, unsigned threads) {
  stage.active.resize(threads);
  stage.active[thread] = true;
}

void addLoad(Stage& stage, const ThreadEvent& load, unsigned threads) {
  stage.from = load.array;
  stage.inShared = load.shared;
  stage.arrows.push_back({load.thread, unsigned(load.index), load.thread});
  takePart(stage, load.thread, threads);
}

// A store of what the thread has just loaded, or of its register.
void addStore(Stage& stage, const ThreadEvent& store, const std::vector<const ThreadEvent*>& loads,
              unsigned threads) {
  stage.to = store.array;
  takePart(stage, store.thread, threads);
  const auto to = unsigned(store.index);
  for (const ThreadEvent* load : loads) {
    stage.from = load->array;
    stage.inShared = load->shared;
    const bool inPlace = load->array == store.array;
    if (inPlace && load->index == store.index)
      stage.keeps.push_back({store.thread, to, to});
    else
      stage.arrows.push_back({store.thread, unsigned(load->index), to, inPlace});
  }
  if (loads.empty()) stage.arrows.push_back({store.thread, store.thread, to});
}

Moments momentOf(const std::vector<const ThreadEvent*>& events, unsigned threads) {
  Moments m;
  Counters counted;
  Pending pending;
  for (const ThreadEvent* event : events) {
    std::vector<const ThreadEvent*>& loads = pending[event->thread];
    switch (event->kind) {
      case ThreadEvent::Kind::load: loads.push_back(event); break;
      case ThreadEvent::Kind::store:
      case ThreadEvent::Kind::atomic:
        addStore(m.stores, *event, loads, threads);
        loads.clear();
        break;
      case ThreadEvent::Kind::shuffle:
        takePart(m.shuffles, event->thread, threads);
        if (event->from != event->thread)
          m.shuffles.arrows.push_back(
              {event->thread, event->from, event->thread, true, event->value != 0});
        break;
      case ThreadEvent::Kind::met: counted += event->counted; break;
    }
  }
  for (const auto& [thread, loads] : pending)
    for (const ThreadEvent* load : loads) addLoad(m.loads, *load, threads);

  // Each stage has the counts of its kind; the last has what else there is, such as the barrier.
  if (!m.shuffles.active.empty()) std::swap(m.shuffles.counted.shuffles, counted.shuffles);
  if (!m.loads.active.empty()) {
    Counters& c = m.loads.counted;
    std::swap(c.load_requests, counted.load_requests);
    std::swap(c.load_sectors, counted.load_sectors);
    std::swap(c.shared_load_requests, counted.shared_load_requests);
    std::swap(c.shared_load_conflicts, counted.shared_load_conflicts);
  }
  Stage& last = !m.stores.active.empty()     ? m.stores
                : !m.shuffles.active.empty() ? m.shuffles
                                             : m.loads;
  last.counted += counted;
  return m;
}

bool isShuffle(const Stage& stage) { return stage.from.empty() && stage.to.empty(); }

// Goes back from the end: a register counts when it is stored, or added to one that counts. What
// was zero, and so adds nothing, does not count.
void findWhatCounts(std::vector<Stage>& stages, unsigned threads) {
  std::vector<bool> counts(threads);
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    if (isShuffle(*stage)) {
      const std::vector<bool> after = counts;
      for (unsigned i = 0; i < threads; ++i)
        if (after[i] && stage->active[i]) stage->keeps.push_back({i, i, i});
      for (Arrow& arrow : stage->arrows) {
        arrow.counts = arrow.counts && after[arrow.to];
        if (arrow.counts) counts[arrow.from] = true;
      }
    } else {
      for (const Arrow& arrow : stage->arrows) counts[arrow.thread] = stage->from.empty();
    }
  }
}

// ---- From stages to a picture. Lengths are in units of the picture.

constexpr int pitch = 11, cell = 10, sectorGap = 3;  // of the elements in a row
constexpr int left = 166, right = 196, margin = 14, top = 106;
constexpr int lineHeight = 16;  // of a row with more than one line of elements
constexpr const char* mark = "<!-- what a block did, drawn by a lesson's program -->";

std::string text(int x, int y, const std::string& kind, const std::string& words) {
  return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" class=\"" + kind +
         "\">" + words + "</text>\n";
}

std::string box(int x, int y, int width, int height, const std::string& kind) {
  return "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" +
         std::to_string(width) + "\" height=\"" + std::to_string(height) + "\" rx=\"2\" class=\"" +
         kind + "\"/>\n";
}

// Many boxes of one size: those of a kind make one shape, for they would fill the file.
class Boxes {
 public:
  Boxes(int width, int height)
      : outline_("h" + std::to_string(width) + "v" + std::to_string(height) + "h" +
                 std::to_string(-width) + "z") {}

  void add(int x, int y, const std::string& kind) {
    shapes_[kind] += "M" + std::to_string(x) + " " + std::to_string(y) + outline_;
  }
  std::string draw() const {
    std::string svg;
    for (const auto& [kind, shape] : shapes_)
      svg += "<path class=\"" + kind + "\" d=\"" + shape + "\"/>\n";
    return svg;
  }

 private:
  std::string outline_;
  std::map<std::string, std::string> shapes_;
};

std::string count(uint64_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

std::string colour(unsigned thread) { return "w" + std::to_string(thread / warpWidth); }

// A row: where its elements are, and what the next stage does with them.
struct Row {
  std::string name;
  unsigned elements = 0, perLine = 0;
  int y = 0;

  unsigned lines() const { return (elements + perLine - 1) / perLine; }
  int bottom() const { return y + int(lines() - 1) * lineHeight + cell; }
  int x(unsigned i) const {
    const int column = int(i % perLine);
    return left + column * pitch + column / int(sectorElements) * sectorGap;
  }
  int lineOf(unsigned i) const { return y + int(i / perLine) * lineHeight; }
};

class Picture {
 public:
  Picture(const std::string& kernel, const std::vector<Stage>& stages)
      : kernel_(kernel), stages_(stages), threads_(unsigned(stages.front().active.size())) {
    placeRows();
  }

  std::string draw() {
    std::string body;
    for (size_t i = 0; i < stages_.size(); ++i) body += labels(i);
    for (size_t i = 0; i < rows_.size(); ++i) body += shades(i);
    for (size_t i = 0; i < stages_.size(); ++i) body += arrows(i);
    for (size_t i = 0; i < rows_.size(); ++i) body += cells(i);
    return head() + legend() + body + totals() + "</svg>\n";
  }

 private:
  static unsigned reach(const Stage& stage, bool to) {
    unsigned end = 1;
    for (const Arrow& arrow : stage.arrows) end = std::max(end, (to ? arrow.to : arrow.from) + 1);
    for (const Arrow& keep : stage.keeps) end = std::max(end, keep.to + 1);
    return end;
  }

  // A row has the elements that the block touches in the step before it or after it.
  void placeRows() {
    for (size_t i = 0; i <= stages_.size(); ++i) {
      const std::string name = i == 0 ? stages_[0].from : stages_[i - 1].to;
      unsigned elements = i > 0 ? reach(stages_[i - 1], true) : 1;
      if (i < stages_.size()) elements = std::max(elements, reach(stages_[i], false));
      const bool whole = name.empty() || name == stages_[0].from;
      if (whole) elements = (elements + threads_ - 1) / threads_ * threads_;
      const int y = i == 0 ? top : rows_.back().bottom() + gap(i - 1);
      rows_.push_back({name, elements, threads_, y});
    }
  }

  // More room where many arrows go far.
  int gap(size_t i) const {
    int work = 0;
    for (const Arrow& arrow : stages_[i].arrows)
      work += std::abs(int(arrow.from % threads_) - int(arrow.to % threads_));
    return 58 + std::min(60, work / 16);
  }

  int width() const { return rows_[0].x(threads_ - 1) + cell + right; }
  int height() const { return rows_.back().bottom() + 64; }

  std::string title() const {
    return kernel_ + ": one block of " + count(threads_, "thread") + " adds up " +
           count(rows_[0].elements, "element");
  }

  // "Step 2", or what else the stage does.
  std::string nameOf(size_t i) const {
    const auto adds = [](const Stage& stage) {
      return std::ranges::any_of(stage.arrows, [](const Arrow& arrow) { return arrow.addition; });
    };
    if (adds(stages_[i]))
      return "Step " + std::to_string(std::count_if(stages_.begin(),
                                                    stages_.begin() + ptrdiff_t(i) + 1, adds));
    return stages_[i].to.empty() ? "Load" : "Store";
  }

  // "32 threads, 2 warps"
  static std::string whoWorks(const Stage& stage) {
    unsigned warps = 0;
    for (size_t first = 0; first < stage.active.size(); first += warpWidth) {
      const auto begin = stage.active.begin() + ptrdiff_t(first);
      warps += std::find(begin, begin + warpWidth, true) != begin + warpWidth;
    }
    const auto working = std::ranges::count(stage.active, true);
    return count(uint64_t(working), "thread") + ", " + count(warps, "warp");
  }

  std::string head() const {
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
                      std::to_string(width()) + " " + std::to_string(height()) +
                      "\" role=\"img\">\n" + mark + "\n<title>" + title() + "</title>\n<desc>";
    for (size_t i = 0; i < stages_.size(); ++i)
      svg += nameOf(i) + ": " + whoWorks(stages_[i]) + ". ";
    svg += R"(</desc>
<style>
text { font-family: system-ui, sans-serif; font-size: 14px; fill: #1f2937 }
.title { font-size: 19px; font-weight: 600 }
.step { font-size: 15px; font-weight: 600 }
.dim { fill: #5b6675 }
.number { text-anchor: end }
.tick { text-anchor: middle; font-size: 12px; fill: #5b6675 }
.card { fill: #ffffff; stroke: #d8dee6 }
.idle { fill: #dde1e7 }
.w0 { fill: #2563eb }
.w1 { fill: #e8700c }
.faint { opacity: .3 }
.sector { fill: #fdf0b8; stroke: #dfb83c }
.line { stroke-width: 1.3; fill: none !important }
.line.w0 { stroke: #2563eb }
.line.w1 { stroke: #e8700c }
.keep { opacity: .45 }
.add.w0, .move.w0 { marker-end: url(#head0) }
.add.w1, .move.w1 { marker-end: url(#head1) }
@media (prefers-color-scheme: dark) {
text { fill: #e6e9ee }
.dim, .tick { fill: #9aa5b4 }
.card { fill: #14181f; stroke: #2d3542 }
.idle { fill: #363f4c }
.w0 { fill: #6ea8fe }
.w1 { fill: #ff9d4d }
.sector { fill: #5a4a12; stroke: #c9a227 }
.line.w0 { stroke: #6ea8fe }
.line.w1 { stroke: #ff9d4d }
}
</style>
<defs>
)";
    for (unsigned warp = 0; warp * warpWidth < threads_; ++warp)
      svg += "<marker id=\"head" + std::to_string(warp) +
             "\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"6\" markerHeight=\"6\" "
             "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" class=\"" +
             colour(warp * warpWidth) + "\"/></marker>\n";
    return svg + "</defs>\n<rect x=\"0.5\" y=\"0.5\" width=\"" + std::to_string(width() - 1) +
           "\" height=\"" + std::to_string(height() - 1) + "\" rx=\"8\" class=\"card\"/>\n" +
           text(margin, 32, "title", title());
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
      entry(colour(warp * warpWidth), "warp " + std::to_string(warp), 62);
    entry("idle", "idle", 44);
    entry("sector", "sector of 8 elements, loaded", 226);
    const bool someDoNot = std::ranges::any_of(stages_, [](const Stage& stage) {
      return std::ranges::any_of(stage.arrows, [](const Arrow& a) { return !a.counts; });
    });
    if (someDoNot) entry("w0 faint", "takes part, but the sum needs nothing of it", 0);
    for (unsigned i = 0; i < threads_; i += sectorElements)
      svg += text(rows_[0].x(i) + cell / 2, top - 10, "tick", std::to_string(i));
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
    const auto line = [&](const std::string& name, uint64_t requests,
                          std::optional<uint64_t> sectors) {
      if (requests == 0) return;
      svg += text(width() - right + 14, y, "", name);
      svg += text(width() - 72, y, "number", std::to_string(requests));
      if (sectors) svg += text(width() - margin, y, "number", std::to_string(*sectors));
      y += 16;
    };
    line("load", c.load_requests, c.load_sectors);
    line("store", c.store_requests, c.store_sectors);
    line("shared load", c.shared_load_requests, {});
    line("shared store", c.shared_store_requests, {});
    line(c.shuffles == 1 ? "shuffle" : "shuffles", c.shuffles, {});
    if (c.barriers > 0) svg += text(width() - right + 14, y, "dim", "then a barrier");
    return svg;
  }

  std::string totals() const {
    Counters all;
    for (const Stage& stage : stages_) all += stage.counted;
    const int y = rows_.back().bottom() + 30;
    return text(margin, y, "dim",
                "In all: " + count(all.load_requests, "load request") + " and " +
                    count(all.load_sectors, "sector") + ", " +
                    count(all.store_requests, "store request") + " and " +
                    count(all.store_sectors, "sector") +
                    (all.shuffles > 0 ? ", " + count(all.shuffles, "shuffle") : "") + ", " +
                    count(all.barriers, "barrier") + ".") +
           text(margin, y + 18, "dim",
                "A request is one load or store of a warp; a sector that two requests touch counts "
                "twice.");
  }

  // Behind a row, the sectors that the next stage loads.
  std::string shades(size_t i) const {
    if (i == stages_.size() || stages_[i].from.empty() || stages_[i].inShared) return "";
    const Row& row = rows_[i];
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
    const Row &from = rows_[i], &to = rows_[i + 1];
    std::string svg;
    for (const Arrow& keep : stage.keeps)
      svg += line("keep " + colour(keep.thread), from, keep.from, to, keep.to);
    for (const Arrow& arrow : stage.arrows) {
      const std::string kind = std::string(arrow.addition ? "add " : "move ") +
                               colour(arrow.thread) + (arrow.counts ? "" : " faint");
      svg += line(kind, from, arrow.from, to, arrow.to);
    }
    return svg;
  }

  // Straight down at both ends, so that each head points at its element.
  static std::string line(const std::string& kind, const Row& from, unsigned i, const Row& to,
                          unsigned j) {
    const int x1 = from.x(i) + cell / 2, x2 = to.x(j) + cell / 2;
    const int y1 = from.lineOf(i) + cell + 2, y2 = to.lineOf(j) - 3;
    std::string path = "M" + std::to_string(x1) + " " + std::to_string(y1);
    if (x1 != x2) path += "v4L" + std::to_string(x2) + " " + std::to_string(y2 - 9);
    return "<path class=\"line " + kind + "\" d=\"" + path + "V" + std::to_string(y2) + "\"/>\n";
  }

  // An element has the colour of the warp that uses it next; in the last row, that wrote it.
  std::string cells(size_t i) const {
    const Row& row = rows_[i];
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

  std::string label(const Row& row, unsigned l) const {
    if (row.name.empty()) return "registers";
    if (row.lines() == 1) return row.name;
    const unsigned first = l * row.perLine;
    return row.name + "[" + std::to_string(first) + "…]";
  }

  std::string kernel_;
  const std::vector<Stage>& stages_;
  unsigned threads_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<Stage> stagesOf(const std::vector<ThreadEvent>& events, unsigned threads) {
  std::map<Moment, std::vector<const ThreadEvent*>> moments;
  for (const ThreadEvent& event : events) moments[{event.phase, event.step}].push_back(&event);
  std::vector<Stage> stages;
  for (const auto& [moment, what] : moments) {
    Moments m = momentOf(what, threads);
    for (Stage* stage : {&m.loads, &m.stores, &m.shuffles})
      if (!stage->active.empty()) stages.push_back(std::move(*stage));
  }
  // The schedule decides which thread comes first, and no picture should show that.
  for (Stage& stage : stages) {
    std::ranges::stable_sort(stage.arrows, {}, &Arrow::thread);
    std::ranges::stable_sort(stage.keeps, {}, &Arrow::to);
  }
  findWhatCounts(stages, threads);
  return stages;
}

std::string blockPicture(const std::string& kernel, const std::vector<Stage>& stages) {
  return Picture(kernel, stages).draw();
}

bool isBlockPicture(const std::string& text) {
  return text.starts_with("<svg") && text.find(mark) != std::string::npos;
}
