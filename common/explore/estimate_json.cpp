#include "explore/estimate_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/escape.h"

using nlohmann::json;
using Segment = EstimatedTimeline::Segment;

namespace {

// What a cell of a row can be: a kind at a line of the page.
using Code = std::pair<uint32_t, int>;

// a, b, … z, ba, bb, …
std::string lettersOf(size_t number) {
  std::string letters(1, char('a' + number % 26));
  while (number /= 26) letters.insert(letters.begin(), char('a' + number % 26));
  return letters;
}

class TimelineWriter {
 public:
  TimelineWriter(const EstimatedTimeline& timeline, const Sources& sources)
      : timeline_(timeline), rows_(size_t(timeline.rowsEach) * timeline.residentBlocks) {
    std::vector<int> lines;
    for (const std::string& source : timeline.sources) lines.push_back(sources.lineAt(source));
    std::map<Code, size_t> known;
    const auto codeOf = [&](const Code& code) {
      const auto [place, isNew] = known.emplace(code, codes_.size());
      if (isNew) codes_.push_back(code);
      return place->second;
    };
    codeOf({uint32_t(timeline.kinds.size() - 1), -1});  // nothing, where no segment is
    for (const Segment& segment : timeline.segments) {
      if (segment.row >= rows_.size()) continue;
      const int line = segment.source < lines.size() ? lines[segment.source] : -1;
      rows_[segment.row].push_back({&segment, codeOf({segment.kind, line})});
    }
    for (std::vector<Coded>& row : rows_)
      std::ranges::stable_sort(row, {}, [](const Coded& one) { return one.segment->begin; });
  }

  // With the smallest cells that fit.
  json write(size_t mostBytes) const {
    size_t cell = 1;
    json rows = rowsInCells(cell);
    while (rows.dump().size() > mostBytes && double(cell) < timeline_.cycles)
      rows = rowsInCells(cell *= 2);
    json codes = json::array(), kinds = json::array();
    for (const auto& [kind, line] : codes_) codes.push_back({kind, line});
    for (const EstimatedTimeline::Kind& kind : timeline_.kinds)
      kinds.push_back({{"kind", kind.kind}, {"name", kind.name}, {"share", rounded(kind.share)}});
    return {{"cell", cell},
            {"clock", timeline_.clockGhz},
            {"cycles", std::ceil(timeline_.cycles)},
            {"goesOn", timeline_.goesOn},
            {"rowsEach", timeline_.rowsEach},
            {"kinds", kinds},
            {"codes", codes},
            {"rows", rows},
            {"blocks", blocks()}};
  }

  static double rounded(double share) { return std::round(share * 1e4) / 1e4; }

 private:
  struct Coded {
    const Segment* segment;
    size_t code;
  };

  json rowsInCells(size_t cell) const {
    json rows = json::array();
    for (const std::vector<Coded>& row : rows_) rows.push_back(rowInCells(row, double(cell)));
    return rows;
  }

  // A cell is what the row owes most to of all that is in it; what of others was in it, the row
  // goes on owing.
  std::string rowInCells(const std::vector<Coded>& row, double cell) const {
    std::vector<double> owed(codes_.size());
    std::string text;
    size_t run = 0, before = 0, next = 0;
    const auto add = [&](size_t code) {
      if (run > 0 && code != before) text += fmt::format("{}{}", run, lettersOf(before)), run = 0;
      before = code;
      ++run;
    };
    for (double begin = 0; begin < timeline_.cycles; begin += cell) {
      const double end = std::min(begin + cell, timeline_.cycles);
      double nothing = end - begin;
      size_t most = 0, i = next;
      bool any = false;
      const auto owe = [&](size_t code, double cycles) {
        owed[code] += cycles;
        if (!any || owed[code] > owed[most]) most = code;
        any = true;
      };
      for (; i < row.size() && row[i].segment->begin < end; ++i) {
        const double cycles =
            std::min(row[i].segment->end, end) - std::max(row[i].segment->begin, begin);
        if (cycles <= 0) continue;
        nothing -= cycles;
        owe(row[i].code, cycles);
      }
      if (nothing > 1e-6) owe(0, nothing);
      while (next < row.size() && row[next].segment->end <= end) ++next;
      owed[most] -= end - begin;
      add(most);
    }
    if (run > 0) text += fmt::format("{}{}", run, lettersOf(before));
    return text;
  }

  // Of each place for a block: which blocks it has, and when they begin.
  json blocks() const {
    std::map<std::pair<uint32_t, uint32_t>, double> begins;
    for (const Segment& segment : timeline_.segments) {
      const auto [place, isNew] =
          begins.emplace(std::pair{segment.row / timeline_.rowsEach, segment.block}, segment.begin);
      place->second = std::min(place->second, segment.begin);
    }
    json list = json::array();
    for (const auto& [place, begin] : begins)
      list.push_back({place.first, place.second, std::floor(begin)});
    return list;
  }

  const EstimatedTimeline& timeline_;
  std::vector<std::vector<Coded>> rows_;
  std::vector<Code> codes_;
};

}  // namespace

json estimateAsJson(const PageEstimate& estimate, const Sources& sources, size_t mostBytes) {
  std::map<int, json> lines;
  for (const PageEstimate::Line& one : estimate.lines) {
    const int line = sources.lineAt(one.source);
    if (line >= 0 && one.share > 0)
      lines[line] = {line, TimelineWriter::rounded(one.share), terminalText(one.waits)};
  }
  json list = json::array();
  for (const auto& [line, entry] : lines) list.push_back(entry);
  json timeline = nullptr;
  if (!estimate.timeline.segments.empty() && !estimate.timeline.kinds.empty())
    timeline = TimelineWriter(estimate.timeline, sources).write(mostBytes);
  return {{"about", terminalText(estimate.about)}, {"lines", list}, {"timeline", timeline}};
}
