#include "weave/sections.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>

namespace fs = std::filesystem;

namespace {

// Whose translations are those of the front page.
const std::string frontTranslated = "common/site/README.md";

// How many # a heading begins with; 0 for another line.
int levelOf(const std::string& line) {
  const size_t end = line.find_first_not_of('#');
  return end != std::string::npos && end > 0 && end <= 6 && line[end] == ' ' ? int(end) : 0;
}

// The page without what is woven into it, its marks apart.
std::string ownTextOf(const MarkedPage& page) {
  std::string text;
  for (const std::string& part : page.parts) text += part;
  return text;
}

Lines sortedFound(const std::string& text, const char* expression) {
  const std::regex regex(expression);
  Lines found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
    found.push_back((*match)[1]);
  std::ranges::sort(found);
  return found;
}

// FNV-1a of the words, whatever stands between them.
std::string hashOf(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  bool blank = true;
  const auto add = [&](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3; };
  for (const char c : text) {
    const bool isBlank = std::isspace(static_cast<unsigned char>(c));
    if (!isBlank) add(c);
    if (isBlank && !blank) add(' ');
    blank = isBlank;
  }
  return fmt::format("{:08x}", uint32_t(hash ^ hash >> 32));
}

// A link to README.zh.md as one to README.md.
std::string englishLink(const std::string& page, const std::string& link) {
  static const std::regex translated("\\.[a-z]{2}(-[a-z]+)?\\.md(#.*)?$");
  const std::string english = std::regex_replace(link, translated, ".md$2");
  const fs::path path = (fs::path(page).parent_path() / english).lexically_normal();
  const size_t end = frontTranslated.size();
  if (english == link || !path.string().starts_with(frontTranslated)) return english;
  return linkBetween(page, "README.md" + path.string().substr(end));
}

// The text with every link as this makes it, without what stands behind #.
template <typename Change>
std::string withLinks(const std::string& text, Change change) {
  std::string linked;
  size_t at = 0;
  for (size_t open; (open = text.find("](", at)) != std::string::npos;) {
    const size_t begin = open + 2, end = std::min(text.find_first_of(")# \n", begin), text.size());
    linked += text.substr(at, begin - at) + change(text.substr(begin, end - begin));
    at = end;
  }
  return linked + text.substr(at);
}

std::string listed(const Lines& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

// Links of a translation, as on the English page, to its own language where there is such a page.
std::string withOwnLinks(const std::string& text, const Translation& translation,
                         const Repository& repository) {
  const fs::path folder = fs::path(translation.english).parent_path();
  return withLinks(text, [&](const std::string& target) {
    const std::string english = englishLink(translation.english, target);
    if (!english.ends_with(".md") || target.find(':') != std::string::npos) return target;
    const std::string page = (folder / english).lexically_normal().string();
    const std::string own = translatedPath(page, translation.language);
    const bool there = fs::exists(fs::path(repository.root) / own);
    return page != translation.english && there ? linkBetween(translation.english, own) : english;
  });
}

// "![words](file)" or "[words](file)" with other words.
std::string withWords(const std::string& content, const std::string& words) {
  const size_t begin = content.find('['), end = content.find("](");
  if (begin > 1 || end == std::string::npos) refuse("has no words that could be translated");
  return content.substr(0, begin + 1) + words + content.substr(end);
}

MarkedPage marksOf(const std::string& text, const std::string& path) {
  Problems problems;
  const MarkedPage page = readMarks(text, path, problems);
  if (!problems.empty()) refuse(problems[0]);
  return page;
}

}  // namespace

std::string translatedPath(const std::string& page, const std::string& language) {
  const fs::path path = page == "README.md" ? frontTranslated : page;
  return fs::path(path).replace_extension(language + ".md").string();
}

std::string rebased(const std::string& text, const std::string& from, const std::string& to) {
  const fs::path folder = fs::path(from).parent_path();
  if (folder == fs::path(to).parent_path()) return text;
  return withLinks(text, [&](const std::string& target) {
    const bool isNear = !target.empty() && target.find(':') == std::string::npos;
    return isNear ? linkBetween(to, (folder / target).lexically_normal().string()) : target;
  });
}

std::string anchorOf(const std::string& heading) {
  std::string anchor;
  for (const char c : heading)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
      anchor += char(std::tolower(static_cast<unsigned char>(c)));
    else if (c == ' ')
      anchor += '-';
  return anchor;
}

Lines anchorsOf(const std::string& page) {
  Lines anchors = sortedFound(page, "<a id=\"([^\"]*)\">");
  for (const std::string& line : linesOf(page))
    if (const int level = levelOf(line))
      anchors.push_back(anchorOf(line.substr(size_t(level) + 1)));
  return anchors;
}

std::vector<Section> sectionsOf(const MarkedPage& page, const std::string& path) {
  std::vector<Section> sections;
  std::map<std::string, int> taken;
  std::string text;
  const auto endSection = [&] {
    if (!sections.empty()) {
      Section& section = sections.back();
      section.hash = hashOf(text);
      section.figures = sortedFound(text, "<!--=([A-Za-z0-9-]+)-->");
      section.blocks = sortedFound(text, "<!-- weave: ([A-Za-z0-9-]+)");
      for (const std::string& link : sortedFound(text, "\\]\\(([^)\\s]+)\\)"))
        section.links.push_back(englishLink(path, link));
      std::ranges::sort(section.links);
    }
    text.clear();
  };
  size_t number = 0, mark = 0, marks = 0;  // mark: of the next heading, from 1
  bool fenced = false;
  for (const std::string& line : linesOf(ownTextOf(page))) {
    ++number;
    if (line.starts_with("```")) fenced = !fenced;
    if (line.starts_with("<!-- section: ")) {
      mark = ++marks;
      continue;
    }
    if (const int level = fenced ? 0 : levelOf(line)) {
      endSection();
      Section section;
      section.level = level;
      section.line = number;
      if (mark > 0 && mark <= page.sections.size()) {
        section.anchor = page.sections[mark - 1].anchor;
        section.seen = page.sections[mark - 1].hash;
        section.line = page.sections[mark - 1].line + 1;
      }
      if (page.sections.empty()) {
        section.anchor = anchorOf(line.substr(size_t(level) + 1));
        if (const int again = taken[section.anchor]++)
          section.anchor += "-" + std::to_string(again);
      }
      mark = 0;
      sections.push_back(std::move(section));
    }
    text += line + "\n";
  }
  endSection();
  return sections;
}

Standing standingOf(const std::vector<Section>& english, const std::vector<Section>& translated,
                    const std::string& path) {
  Standing standing;
  const auto find = [](const std::vector<Section>& sections, const std::string& anchor) {
    return std::ranges::find(sections, anchor, &Section::anchor);
  };
  for (const Section& section : english) {
    const auto own = find(translated, section.anchor);
    if (own == translated.end()) {
      standing.missing.push_back(section.anchor);
      continue;
    }
    if (own->seen != section.hash) {
      standing.behind.push_back(section.anchor);
      continue;
    }
    const auto expectSame = [&](const Lines& here, const Lines& there, const char* what) {
      if (here != there)
        standing.wrong.push_back(problemAt(
            path, own->line,
            fmt::format("the section '{}' has other {} than the English one: {}; there: {}",
                        section.anchor, what, listed(here), listed(there))));
    };
    expectSame(own->figures, section.figures, "figures");
    expectSame(own->blocks, section.blocks, "blocks");
    expectSame(own->links, section.links, "links");
    if (own->level != section.level)
      standing.wrong.push_back(problemAt(path, own->line,
                                         "the heading has another level than the "
                                         "English one"));
  }
  for (const Section& section : translated)
    if (find(english, section.anchor) == english.end())
      standing.others.push_back(section.anchor.empty() ? "line " + std::to_string(section.line)
                                                       : section.anchor);
  return standing;
}

std::vector<Translation> translationsOf(const Repository& repository) {
  static const std::regex name("(.+)\\.([a-z]{2}(?:-[a-z]+)?)\\.md");
  std::vector<Translation> translations;
  for (const std::string& path : filesOf(repository, ".md")) {
    std::smatch match;
    if (!std::regex_match(path, match, name)) continue;
    const std::string english = englishLink("", path);
    if (fs::exists(fs::path(repository.root) / english))
      translations.push_back({path, english, match[2]});
  }
  return translations;
}

std::string wovenTranslation(const Translation& translation, const std::string& text,
                             const std::string& english, const Repository& repository,
                             Standing& standing, Problems& problems) {
  const size_t before = problems.size();
  const MarkedPage page =
      readMarks(rebased(text, translation.path, translation.english), translation.path, problems);
  const MarkedPage englishPage = readMarks(english, translation.english, problems);
  if (problems.size() > before) return "";
  const std::vector<Section> sections = sectionsOf(englishPage, translation.english);
  standing = standingOf(sections, sectionsOf(page, translation.english), translation.path);

  std::map<std::pair<bool, std::string>, std::string> contents;
  for (const Place& place : englishPage.places)
    contents[{place.isBlock, place.name}] = place.content;
  std::string woven;
  for (size_t i = 0; i < page.places.size(); ++i) {
    const Place& place = page.places[i];
    const auto known = contents.find({place.isBlock, place.name});
    std::string content = known == contents.end() ? place.content : known->second;
    if (!place.words.empty() && !content.empty()) try {
        content = withWords(content, place.words);
      } catch (const std::exception& error) {
        problems.push_back(
            problemAt(translation.path, place.line, "'" + place.name + "' " + error.what()));
      }
    woven += withOwnLinks(page.parts[i], translation, repository) + content;
  }
  woven += withOwnLinks(page.parts.back(), translation, repository);
  problems.insert(problems.end(), standing.wrong.begin(), standing.wrong.end());
  return rebased(woven, translation.english, translation.path);
}

std::string seenTranslation(const Translation& translation, const std::string& text,
                            const std::string& english, const std::string& anchor) {
  const std::vector<Section> sections =
      sectionsOf(marksOf(english, translation.english), translation.english);
  const MarkedPage page = marksOf(text, translation.path);
  std::vector<Section> own = sectionsOf(page, translation.path);
  const bool marked = std::ranges::none_of(own, [&](const Section& section) {
    return std::ranges::find(sections, section.anchor, &Section::anchor) == sections.end();
  });
  if (!marked) {
    const bool alike = std::ranges::equal(own, sections, {}, &Section::level, &Section::level);
    if (!alike)
      refuse(
          fmt::format("{}: {} headings without marks of their sections are not those of {}, "
                      "which has {}: number and levels have to be the same",
                      translation.path, own.size(), translation.english, sections.size()));
    for (size_t i = 0; i < own.size(); ++i) own[i].anchor = sections[i].anchor;
  }
  if (!anchor.empty() && std::ranges::find(own, anchor, &Section::anchor) == own.end())
    refuse(translation.path + ": there is no section '" + anchor + "'");
  // The headings of the page are found again in its lines, blocks and all.
  std::string seen;
  size_t i = 0;
  bool fenced = false, woven = false;
  for (const std::string& line : linesOf(text)) {
    if (line.starts_with("<!-- weave: ")) woven = true;
    if (line == "<!-- end weave -->") woven = false;
    if (!woven && line.starts_with("```")) fenced = !fenced;
    if (!woven && line.starts_with("<!-- section: ")) continue;
    if (!woven && !fenced && levelOf(line) > 0 && i < own.size()) {
      const Section& section = own[i++];
      const auto now = std::ranges::find(sections, section.anchor, &Section::anchor);
      const bool isSeen = anchor.empty() || anchor == section.anchor;
      seen += sectionLine(
                  {section.anchor, isSeen && now != sections.end() ? now->hash : section.seen}) +
              "\n";
    }
    seen += line + "\n";
  }
  return seen;
}
