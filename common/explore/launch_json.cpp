#include "explore/launch_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/escape.h"
#include "explore/page_steps.h"

using nlohmann::json;
using simt::Counters;
using simt::Trace;

namespace {

// Columns beside the source: what they add up.
struct Column {
  const char *title, *brief, *about;
  std::vector<simt::Counter> counters;
};
const std::vector<Column>& columns() {
  static const std::vector<Column> list = {
      {"requests",
       "req",
       "requests to memory: so far, of all",
       {&Counters::load_requests, &Counters::store_requests, &Counters::shared_load_requests,
        &Counters::shared_store_requests, &Counters::atomics}},
      {"sectors",
       "sect",
       "sectors of global memory moved",
       {&Counters::load_sectors, &Counters::store_sectors}},
      {"conflicts",
       "confl",
       "bank conflicts: passes beyond the fewest needed",
       {&Counters::shared_load_conflicts, &Counters::shared_store_conflicts}},
      {"divergent", "div", "branches at which lanes part", {&Counters::divergent_branches}}};
  return list;
}

}  // namespace

std::string placeText(dim3 size, const char* between) {
  std::string text = std::to_string(size.x);
  if (size.y > 1 || size.z > 1) text += between + std::to_string(size.y);
  if (size.z > 1) text += between + std::to_string(size.z);
  return text;
}

bool showsAllBlocks(const Trace& trace) {
  std::map<unsigned, uint64_t> shown;
  for (const simt::TracedBlock& block : trace.blocks) ++shown[block.launch];
  return std::ranges::all_of(trace.blocks, [&](const simt::TracedBlock& block) {
    return shown[block.launch] == uint64_t(block.grid.x) * block.grid.y * block.grid.z;
  });
}

std::string aboutText(const Recording& recording) {
  const Trace& trace = recording.trace;
  std::string text;
  if (!trace.blocks.empty()) {
    const simt::TracedBlock& block = trace.blocks[0];
    const std::string grid = placeText(block.grid, " × ");
    text = fmt::format("{}, {} block{} of {} threads", block.kernel, grid, grid == "1" ? "" : "s",
                       placeText(block.size, " × "));
    if (!showsAllBlocks(trace)) {
      std::vector<std::string> shown;
      for (const simt::TracedBlock& b : trace.blocks) shown.push_back(placeText(b.index, ", "));
      text += fmt::format(", of which {} shown: {}", shown.size() == 1 ? "one is" : "some are",
                          shown[0]);
      for (size_t i = 1; i < shown.size() && i < 4; ++i) text += " and " + shown[i];
    }
  }
  if (!recording.about.empty()) text += (text.empty() ? "" : ", ") + recording.about;
  return terminalText(text);
}

json blocksAsJson(const Trace& trace) {
  json list = json::array();
  for (const simt::TracedBlock& block : trace.blocks)
    list.push_back({{"name", fmt::format("block {}", placeText(block.index, ", "))},
                    {"threads", block.size.x * block.size.y * block.size.z},
                    {"warps", warpsOf(block)}});
  return list;
}

json countersAsJson(const Counters& total) {
  json list = json::array();
  for (const simt::CounterInfo& counter : simt::counterList)
    list.push_back(
        {{"name", counter.name}, {"title", counter.title}, {"total", total.*counter.member}});
  return list;
}

json columnsAsJson() {
  json list = json::array();
  for (const Column& column : columns()) {
    json numbers = json::array();
    for (const simt::Counter counter : column.counters)
      numbers.push_back(std::ranges::find(simt::counterList, counter, &simt::CounterInfo::member) -
                        std::begin(simt::counterList));
    list.push_back({{"title", column.title},
                    {"brief", column.brief},
                    {"about", column.about},
                    {"counters", numbers}});
  }
  return list;
}
