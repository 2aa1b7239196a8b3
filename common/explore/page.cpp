// The page around the recordings: its parts are files under page/.
#include <algorithm>

#include "explore/explore.h"
#include "explore/page_text.h"
#include "explore/trace_json.h"
#include "page/highlighter_js.h"
#include "page/lane_view_js.h"
#include "page/main_js.h"
#include "page/memory_view_js.h"
#include "page/model_js.h"
#include "page/page_css.h"
#include "page/page_html.h"
#include "page/screens_css.h"
#include "page/source_view_js.h"
#include "page/timeline_view_js.h"
#include "page/trace_view_js.h"
#include "page/transport_js.h"
#include "page/wires_js.h"

using nlohmann::json;

namespace {

constexpr const char* programmed = R"(<meta name="generator" content="--explore">)";
constexpr size_t mostBytes = 4'000'000;  // of the steps of a page: it stays below 5 MB

}  // namespace

std::string explorePage(const std::vector<Recording>& recordings) {
  json traces = json::array(), estimates = json::array();
  for (const Recording& recording : recordings) {
    traces.push_back(traceAsJson(recording, mostBytes / recordings.size()));
    estimates.push_back(traces.back()["estimate"]);
    traces.back().erase("estimate");
  }
  std::string script;
  for (const char* part : {modelJs, sourceViewJs, highlighterJs, laneViewJs, memoryViewJs, wiresJs,
                           timelineViewJs, traceViewJs, transportJs, mainJs, languageScript})
    script += oneLine(part);
  std::string page = pageHtml;
  fillIn(page, "{{style}}", oneLine(pageCss) + oneLine(screensCss));
  fillIn(page, "{{script}}", script);
  fillIn(page, "{{data}}", scriptText({{"format", 1}, {"traces", traces}}));
  fillIn(page, "{{estimated}}", scriptText({{"compiler", hostCompiler}, {"traces", estimates}}));
  return page;
}

bool isSameKernel(const Recording& one, const Recording& other) {
  constexpr size_t fewBytes = 1000;  // of the steps, which are not looked at
  const auto textOf = [&](const Recording& recording) {
    json text = json::array();
    const json trace = traceAsJson(recording, fewBytes);
    for (const json& source : trace["sources"]) text.push_back(source["lines"]);
    return text;
  };
  const auto sameCount = [&](const simt::CounterInfo& counter) {
    return one.counted.*counter.member == other.counted.*counter.member;
  };
  return textOf(one) == textOf(other) && std::ranges::all_of(simt::counterList, sameCount);
}

bool isExplorePage(const std::string& contents) {
  return contents.substr(0, 1000).find(programmed) != std::string::npos;
}
