#include "site/woven.h"

#include <fmt/core.h>

#include <algorithm>

#include "weave/lines.h"

namespace {

// Characters of Unicode's private use, which no page has.
const std::string figureBegins = "\uE000", nameEnds = "\uE001", figureEnds = "\uE002",
                  blockBegins = "\uE003", blockEnds = "\uE004";
const std::string paragraph = "<p>", paragraphEnds = "</p>";

const std::string blockMark = "<!-- weave: ", blockEndMark = "<!-- end weave -->";
const std::string sectionMark = "<!-- section: ";

std::string withFigures(const std::string& line, std::vector<std::string>& names) {
  static const std::string opens = "<!--=", named = "-->", ends = "<!--/-->";
  std::string text;
  size_t at = 0;
  for (size_t open; (open = line.find(opens, at)) != std::string::npos;) {
    const size_t begin = open + opens.size(), name = line.find(named, begin);
    const size_t value = name + named.size(), close = line.find(ends, value);
    if (name == std::string::npos || close == std::string::npos) break;
    names.push_back(line.substr(begin, name - begin));
    text += line.substr(at, open - at) + figureBegins + names.back() + nameEnds +
            line.substr(value, close - value) + figureEnds;
    at = close + ends.size();
  }
  return text + line.substr(at);
}

}  // namespace

Prepared prepared(const std::string& text) {
  Prepared page;
  const Lines lines = linesOf(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.starts_with(blockMark)) {
      const std::string rest = line.substr(blockMark.size());
      WovenBlock block{rest.substr(0, rest.find(' ')), ""};
      while (++i < lines.size() && lines[i] != blockEndMark) block.content += lines[i] + "\n";
      page.markdown += fmt::format("\n{}{}{}\n\n{}\n{}\n\n", blockBegins, page.blocks.size(),
                                   nameEnds, block.content, blockEnds);
      page.blocks.push_back(std::move(block));
    } else if (line.starts_with(sectionMark)) {
      const std::string rest = line.substr(sectionMark.size());
      page.ids.push_back(rest.substr(0, rest.find(' ')));
    } else {
      page.markdown += withFigures(line, page.figures) + "\n";
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
