#include "weave/marks.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/errors.h"

namespace {

const std::string blockOpens = "<!-- weave: ", commentEnds = " -->",
                  blockEnds = "<!-- end weave -->";
const std::string sectionOpens = "<!-- section: ";
const std::string figureOpens = "<!--=", figureNamed = "-->", figureEnds = "<!--/-->";

const std::string how =
    "this looks like a mark and is none: a block begins with a line <!-- weave: NAME --> and ends "
    "with <!-- end weave -->, a figure is <!--=NAME-->value<!--/-->";

std::string anchorElement(const std::string& anchor) { return "<a id=\"" + anchor + "\"></a>"; }

const std::string figureHow = "a figure ends with " + figureEnds + " on its line";

// The block whose first line this is, exactly.
std::optional<Place> blockIn(const std::string& line) {
  if (!line.starts_with(blockOpens) || !line.ends_with(commentEnds) ||
      line.size() <= blockOpens.size() + commentEnds.size())
    return {};
  const std::string inside =
      line.substr(blockOpens.size(), line.size() - blockOpens.size() - commentEnds.size());
  const size_t blank = std::min(inside.find(' '), inside.size());
  Place place{true, inside.substr(0, blank)};
  if (!isName(place.name)) return {};
  if (blank == inside.size()) return place;
  const std::string words = inside.substr(blank + 1);
  if (words.size() < 3 || words[0] != '"' || words.find_first_of("\"[]<>", 1) != words.size() - 1 ||
      !words.ends_with('"'))
    return {};
  place.words = words.substr(1, words.size() - 2);
  return place;
}

// The section whose mark this line is.
std::optional<SectionMark> sectionIn(const std::string& line) {
  const size_t end = line.find(commentEnds);
  if (!line.starts_with(sectionOpens) || end == std::string::npos) return {};
  const std::string inside = line.substr(sectionOpens.size(), end - sectionOpens.size());
  const size_t blank = std::min(inside.find(' '), inside.size());
  SectionMark mark{inside.substr(0, blank), blank < inside.size() ? inside.substr(blank + 1) : ""};
  const auto isPart = [](const std::string& text, const char* more) {
    return std::ranges::all_of(text, [&](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
             std::string_view(more).find(c) != std::string_view::npos;
    });
  };
  if (mark.anchor.empty() || !isPart(mark.anchor, "-_") || !isPart(mark.hash, "")) return {};
  if (const std::string rest = line.substr(end + commentEnds.size());
      !rest.empty() && rest != anchorElement(mark.anchor))
    return {};
  return mark;
}

// A line with blanks for what stands in backquotes: that is text. Nothing where such text could be
// a mark that somebody meant: one with the word NAME, and the end of blocks, is meant to be read.
std::optional<std::string> withoutCode(std::string line) {
  for (size_t open = 0; (open = line.find('`', open)) != std::string::npos;) {
    const size_t run = std::min(line.find_first_not_of('`', open), line.size()) - open;
    const size_t close = line.find(std::string(run, '`'), open + run);
    if (close == std::string::npos) break;
    const std::string code = line.substr(open, close + run - open);
    if (looksLikeAMark(code) && code.find("NAME") == std::string::npos &&
        code.find(blockEnds) == std::string::npos)
      return {};
    line.replace(open, code.size(), std::string(code.size(), ' '));
    open += code.size();
  }
  return line;
}

class Reader {
 public:
  Reader(const std::string& text, const std::string& path, Problems& problems)
      : lines_(linesOf(text)), path_(path), problems_(problems) {}

  MarkedPage page() {
    for (at_ = 0; at_ < lines_.size(); ++at_) {
      if (const auto opened = blockIn(lines_[at_]))
        block(*opened);
      else if (const auto mark = sectionIn(lines_[at_]))
        section(*mark);
      else if (lines_[at_] == blockEnds)
        complain("there is no block here that this ends");
      else
        sentence(lines_[at_]);
    }
    page_.parts.push_back(part_);
    return page_;
  }

 private:
  void complain(const std::string& why) { problems_.push_back(problemAt(path_, at_ + 1, why)); }

  void place(Place place) {
    place.line = at_ + 1;
    page_.places.push_back(std::move(place));
    page_.parts.push_back(part_);
    part_.clear();
  }

  void section(SectionMark mark) {
    mark.line = at_ + 1;
    part_ += lines_[at_] + '\n';
    page_.sections.push_back(std::move(mark));
  }

  void block(const Place& opened) {
    const std::string name = opened.name;
    part_ += lines_[at_] + '\n';
    place(opened);
    size_t end = at_ + 1;
    for (; end < lines_.size() && !looksLikeAMark(lines_[end]); ++end)
      page_.places.back().content += lines_[end] + '\n';
    if (end == lines_.size()) {
      complain("the block '" + name + "' has no " + blockEnds);
    } else if (lines_[end] != blockEnds) {
      complain("the block '" + name + "' has no " + blockEnds + " before line " +
               std::to_string(end + 1));
      --end;  // which is read again, as what it is
    } else {
      part_ += blockEnds + '\n';
    }
    at_ = std::min(end, lines_.size());
  }

  // A line that may hold figures.
  void sentence(const std::string& line) {
    const std::optional<std::string> plain = withoutCode(line);
    if (!plain) return complain("a mark in backquotes is shown as it is");
    size_t at = 0;
    for (size_t open; (open = plain->find(figureOpens, at)) != std::string::npos;) {
      const size_t begin = open + figureOpens.size(), named = plain->find(figureNamed, begin);
      if (named == std::string::npos) return complain(figureHow);
      const size_t value = named + figureNamed.size(), close = plain->find(figureEnds, value);
      if (close == std::string::npos || plain->substr(value, close - value).find("<!--") < close)
        return complain(figureHow);
      const std::string name = plain->substr(begin, named - begin);
      if (!isName(name)) return complain("'" + name + "' is no name of a figure");
      if (looksLikeAMark(plain->substr(at, open - at))) return complain(how);
      part_ += line.substr(at, value - at);
      place({false, name, 0, "", line.substr(value, close - value)});
      part_ += figureEnds;
      at = close + figureEnds.size();
    }
    if (looksLikeAMark(plain->substr(at))) return complain(how);
    part_ += line.substr(at) + '\n';
  }

  Lines lines_;
  std::string path_;
  Problems& problems_;
  MarkedPage page_;
  std::string part_;  // since the last place
  size_t at_ = 0;
};

}  // namespace

std::string sectionLine(const SectionMark& mark) {
  return sectionOpens + mark.anchor + (mark.hash.empty() ? "" : " " + mark.hash) + commentEnds +
         anchorElement(mark.anchor);
}

bool looksLikeAMark(const std::string& text) {
  std::string plain;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)))
      plain += char(std::tolower(static_cast<unsigned char>(c)));
  return plain.find("<!-") != std::string::npos || plain.find("-->") != std::string::npos ||
         plain.find("<--") != std::string::npos || plain.find("endweave-") != std::string::npos;
}

MarkedPage readMarks(const std::string& text, const std::string& path, Problems& problems) {
  return Reader(text, path, problems).page();
}
