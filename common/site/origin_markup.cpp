#include "site/origin_markup.h"

#include <fmt/core.h>

#include <set>

#include "base/escape.h"

std::string element(const std::string& open, const std::string& text) {
  return fmt::format("<{}>{}</{}>", open, markupText(text), open.substr(0, open.find(' ')));
}

std::string OriginMarkup::said(const Origin& origin, const Language& language,
                               const std::string& html) {
  const std::string& kind = origin.kind;
  const char* const how =
      kind == "code" || kind == "diff"                                               ? "codeFrom"
      : kind == "figure" || kind == "times" || kind == "counts" || kind == "picture" ? "formula"
                                                                                     : "command";
  std::string said = "<ul>\n";
  if (!origin.how.empty())
    said += "<li>" + markupText(language.word(how)) + " " + element("code", origin.how) + "</li>\n";
  for (const std::string& path : origin.files)
    said += "<li>" + recordLine(path, language, html) + "</li>\n";
  return said + "</ul>\n";
}

std::string OriginMarkup::recordLine(const std::string& path, const Language& language,
                                     const std::string& html, bool whole) {
  std::string line =
      fmt::format("<a href=\"{}\">{}</a>", markupText(linkBetween(html, copies_.placeOf(path))),
                  markupText(path));
  const RecordFacts& facts = factsAt(path);
  if (whole && !facts.machine.empty()) line += ", " + markupText(facts.machine);
  if (!facts.date.empty()) line += ", " + markupText(facts.date);
  if (whole && !facts.command.empty())
    line += ", " + markupText(language.word("command")) + " " + element("code", facts.command);
  if (const auto commit = commits_.find(path); commit != commits_.end())
    line += ", " + markupText(language.word("commit")) + " " + element("code", commit->second);
  return line;
}

const RecordFacts& OriginMarkup::factsAt(const std::string& path) {
  const auto known = facts_.find(path);
  if (known != facts_.end()) return known->second;
  return facts_[path] = isSource(path) ? RecordFacts() : factsOf(repository_, path);
}

std::string OriginMarkup::figureList(const std::vector<std::string>& figures,
                                     const Language& language, const std::string& html,
                                     Origins& origins) {
  std::set<std::string> listed;
  std::string list;
  for (const std::string& name : figures)
    if (listed.insert(name).second)
      list += "<li id=\"from-" + markupText(name) + "\">" + said(origins.of(name), language, html) +
              "</li>\n";
  if (list.empty()) return "";
  return "<details class=\"figures\"><summary>" + markupText(language.word("figuresFrom")) +
         "</summary>\n" + element("p", language.word("figuresAbout")) + "\n<ol>\n" + list +
         "</ol>\n</details>\n";
}
