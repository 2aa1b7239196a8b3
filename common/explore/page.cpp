// The page around the recordings: its parts are files under page/.
#include <algorithm>
#include <string_view>

#include "base/errors.h"
#include "explore/explore.h"
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
#ifdef __clang__
constexpr const char* compiler = "Clang " __clang_version__;
#else
constexpr const char* compiler = "GNU " __VERSION__;
#endif
constexpr size_t mostBytes = 4'000'000;  // of the steps of a page: it stays below 5 MB

void replace(std::string& text, std::string_view mark, const std::string& by) {
  const size_t place = text.find(mark);
  if (place == std::string::npos) throw Error(exitWrong, "the page has no " + std::string(mark));
  text.replace(place, mark.size(), by);
}

// For the inside of a script element: nothing in it can end the element or begin a comment of HTML.
std::string scriptText(const json& data) {
  const std::string plain = data.dump(-1, ' ', true, json::error_handler_t::replace);
  std::string text;
  for (const char c : plain)
    if (c == '<')
      text += "\\u003c";
    else if (c == '>')
      text += "\\u003e";
    else if (c == '&')
      text += "\\u0026";
    else
      text += c;
  return text;
}

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
                           timelineViewJs, traceViewJs, transportJs, mainJs})
    script += part;
  std::string page = pageHtml;
  replace(page, "{{style}}", std::string(pageCss) + screensCss);
  replace(page, "{{script}}", script);
  replace(page, "{{data}}", scriptText({{"format", 1}, {"traces", traces}}));
  replace(page, "{{estimated}}", scriptText({{"compiler", compiler}, {"traces", estimates}}));
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
