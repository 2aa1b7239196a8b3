#include "site/woven.h"

#include <fmt/core.h>

#include <algorithm>

#include "weave/sections.h"

namespace {

// Characters of Unicode's private use, which no page has.
const std::string figureBegins = "\uE000", nameEnds = "\uE001", figureEnds = "\uE002",
                  blockBegins = "\uE003", blockEnds = "\uE004";
const std::string paragraph = "<p>", paragraphEnds = "</p>";
const std::string sectionMark = "\n<!-- section: ";

}  // namespace

Prepared prepared(const std::string& text, const std::string& path) {
  Problems problems;
  const MarkedPage marked = readMarks(text, path, problems);
  if (!problems.empty()) refuse(problems[0]);
  Prepared page;
  for (const Section& section : sectionsOf(marked, path)) page.ids.push_back(section.anchor);
  for (size_t i = 0; i < marked.parts.size(); ++i) {
    std::string part = marked.parts[i];
    if (i > 0) part.erase(0, part.find('>') + 1);  // the end of the mark before it
    const bool isLast = i == marked.places.size();
    if (!isLast) part.erase(part.rfind("<!--"));  // the next mark
    if (i == 0) part = "\n" + part;
    for (size_t at; (at = part.find(sectionMark)) != std::string::npos;)
      part.erase(at, part.find('\n', at + 1) - at);
    page.markdown += part;
    if (isLast) break;
    const Place& place = marked.places[i];
    if (place.isBlock) {
      page.markdown += fmt::format("\n{}{}{}\n\n{}\n{}\n\n", blockBegins, page.blocks.size(),
                                   nameEnds, place.content, blockEnds);
      page.blocks.push_back({place.name, place.content});
    } else {
      page.markdown += figureBegins + place.name + nameEnds + place.content + figureEnds;
      page.figures.push_back(place.name);
    }
  }
  return page;
}

std::string finished(
    std::string html, const Prepared& page,
    const std::function<std::string(const WovenBlock&, const std::string&)>& block) {
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    const std::string begin =
        fmt::format("{}{}{}{}{}", paragraph, blockBegins, i, nameEnds, paragraphEnds);
    const std::string end = paragraph + blockEnds + paragraphEnds;
    const size_t at = html.find(begin);
    if (at == std::string::npos) continue;
    const size_t inside = at + begin.size(), close = html.find(end, inside);
    if (close == std::string::npos) continue;
    html.replace(at, close + end.size() - at,
                 block(page.blocks[i], html.substr(inside, close - inside)));
  }
  for (size_t at = 0; (at = html.find(figureBegins, at)) != std::string::npos;) {
    const size_t end = html.find(nameEnds, at);
    const std::string name = html.substr(at + figureBegins.size(), end - at - figureBegins.size());
    html.replace(at, end + nameEnds.size() - at,
                 fmt::format("<a class=\"figure\" href=\"#from-{}\">", name));
  }
  return replaced(html, figureEnds, "</a>");
}

std::string withoutPlaces(const std::string& text) {
  std::string plain;
  for (size_t at = 0; at < text.size();) {
    const auto begins = [&](const std::string& mark) { return text.compare(at, 3, mark) == 0; };
    if (begins(figureBegins) || begins(blockBegins)) {
      const size_t end = text.find(nameEnds, at);
      at = end == std::string::npos ? text.size() : end + nameEnds.size();
    } else if (begins(figureEnds) || begins(blockEnds)) {
      at += 3;
    } else {
      plain += text[at++];
    }
  }
  return plain;
}
