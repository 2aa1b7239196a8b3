// The page around what the knobs turn: its parts are files under page/.
#include <fmt/core.h>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "draw/knobs/knobs.h"
#include "estimate/figures.h"
#include "explore/page_text.h"
#include "page/in_flight_js.h"
#include "page/knobs_css.h"
#include "page/knobs_html.h"
#include "page/knobs_js.h"
#include "page/occupancy_js.h"
#include "page/strides_js.h"

using nlohmann::json;

namespace knobs {
namespace {

constexpr const char* programmed = R"(<meta name="generator" content="knobs">)";

struct Page {
  const char *name, *title, *script;
  json (*data)(const std::vector<MeasuredCard>& cards);
};
const Page pages[] = {{"in-flight", "Loads in flight", inFlightJs, inFlight},
                      {"strides", "Strides", stridesJs, strides},
                      {"occupancy", "Occupancy", occupancyJs, occupancy}};

}  // namespace

std::vector<MeasuredCard> measuredCards() {
  std::vector<MeasuredCard> cards;
  for (const std::string name : {"h200", "h100"}) {
    const std::string figures = std::string(WORKSHOP_CARDS) + "/" + name + "_microbenchmarks.csv";
    cards.push_back({estimate::findCard(name), {}});
    if (std::filesystem::exists(figures)) cards.back().measured = estimate::readFigures(figures);
  }
  return cards;
}

std::string knobsPage(const std::string& name) {
  for (const Page& page : pages) {
    if (page.name != name) continue;
    std::string text = knobsHtml;
    for (const auto& [mark, by] :
         {std::pair<const char*, std::string>{"{{title}}", page.title},
          {"{{title}}", page.title},
          {"{{style}}", oneLine(knobsCss)},
          {"{{data}}",
           scriptText({{"compiler", hostCompiler}, {"turned", page.data(measuredCards())}})},
          {"{{script}}", oneLine(knobsJs) + oneLine(page.script) + oneLine(languageScript)}})
      fillIn(text, mark, by);
    return text;
  }
  throw Error(exitUsage, "there is no page of that name: in-flight, strides or occupancy");
}

bool isKnobsPage(const std::string& text) {
  return text.substr(0, 1000).find(programmed) != std::string::npos;
}

}  // namespace knobs
