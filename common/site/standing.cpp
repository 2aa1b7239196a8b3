#include "site/standing.h"

#include <fmt/core.h>

#include "base/escape.h"
#include "weave/sections.h"

std::string withStanding(std::string body, const Page& page, const Language& language) {
  Problems ignored;
  const auto sections = [&](const std::string& code) {
    return sectionsOf(readMarks(page.texts.at(code), page.path, ignored), page.path);
  };
  const Standing standing = standingOf(sections(english), sections(language.code), page.path);
  const std::string there =
      linkBetween(htmlPathOf(page.path, language.code), htmlPathOf(page.path, english));
  const auto link = [&](const std::string& anchor, const std::string& words) {
    return fmt::format("<a hreflang=\"en\" href=\"{}#{}\">{}</a>", markupText(there),
                       markupText(anchor), markupText(words));
  };
  for (const std::string& anchor : standing.behind)
    if (const size_t at = body.find(" id=\"" + anchor + "\">"); at != std::string::npos)
      body.insert(body.find('>', body.find("</h", at)) + 1,
                  "\n<p class=\"behind\">" + markupText(language.word("behind")) + " " +
                      link(anchor, language.word("behindLink")) + "</p>");
  std::string missing;
  for (const std::string& anchor : standing.missing)
    missing += "<li>" + link(anchor, anchor) + "</li>\n";
  if (missing.empty()) return body;
  return body + "<p class=\"behind\">" + markupText(language.word("missing")) + "</p>\n<ul>\n" +
         missing + "</ul>\n";
}
