#include "site/layout.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/escape.h"

namespace {

// Scripts and styles are files of the site, opened from a server or from a disk; nothing else runs.
// The page that compares runs WebAssembly, which is a file of the site, and shows build/compare's
// page, which has its style in itself.
std::string policyOf(const Frame& frame) {
  const auto only = [&](const char* more) { return frame.compares ? more : ""; };
  return fmt::format(
      "default-src 'none'; script-src 'self' file:{}; style-src 'self' file:{}; img-src 'self' "
      "file: data:; frame-src 'self' file:;{} base-uri 'none'; form-action 'none'",
      only(" 'wasm-unsafe-eval'"), only(" 'unsafe-inline'"), only(" connect-src data:;"));
}

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + markupText(value) + "\"";
}

class Layout {
 public:
  explicit Layout(const Frame& frame) : frame_(frame) {}

  std::string page(const std::string& body) const {
    const Language& l = frame_.language;
    const std::string site = l.word("title");
    std::string html = "<!doctype html>\n<html" + attribute("lang", l.code) + ">\n<head>\n";
    html +=
        "<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\"" +
        attribute("content", policyOf(frame_)) + ">\n<title>" + markupText(frame_.title) +
        (frame_.title == site ? "" : " · " + markupText(site)) +
        "</title>\n<link rel=\"icon\" "
        "href=\"data:,\">\n<link rel=\"stylesheet\"" +
        attribute("href", to("site.css")) + ">\n";
    for (const auto& [code, other] : frame_.others)
      html += "<link rel=\"alternate\"" + attribute("hreflang", code) +
              attribute("href", to(other)) + ">\n";
    std::vector<std::string> scripts = {"highlighter.js", "site.js"};
    if (l.words.contains(exploredWords)) scripts.insert(scripts.begin(), exploredScript(l));
    if (frame_.compares) scripts.push_back("drop.js");
    for (const std::string& script : scripts)
      html += "<script defer" + attribute("src", to(script)) + "></script>\n";
    html += "</head>\n<body>\n<a class=\"skip\" href=\"#content\">" + word("skip") + "</a>\n" +
            top() + "<div class=\"columns\">\n" + contents() +
            "<main id=\"content\" tabindex=\"-1\">\n" + body + ways() + "<p class=\"keys\">" +
            word("keys") + "</p>\n</main>\n</div>\n" + search();
    return html + "</body>\n</html>\n";
  }

 private:
  std::string to(const std::string& path) const { return linkBetween(frame_.html, path); }
  std::string word(const std::string& key) const { return markupText(frame_.language.word(key)); }

  std::string top() const {
    std::string html =
        "<header class=\"top\">\n<button class=\"menu script\" aria-expanded=\"false\" "
        "aria-controls=\"contents\">" +
        word("contents") + "</button>\n<a class=\"home\"" +
        attribute("href", to(frame_.entries[0].html)) + ">" + word("title") +
        "</a>\n"
        "<button class=\"look script\" aria-haspopup=\"dialog\">" +
        word("search") + " <kbd>/</kbd></button>\n";
    for (const Language& other : frame_.languages)
      if (const auto there = frame_.others.find(other.code); there != frame_.others.end())
        html += "<a class=\"language\"" + attribute("lang", other.code) +
                attribute("hreflang", other.code) + attribute("href", to(there->second)) + ">" +
                markupText(other.word("name")) + "</a>\n";
    return html + "</header>\n";
  }

  std::string contents() const {
    std::string html = "<nav id=\"contents\"" +
                       attribute("aria-label", frame_.language.word("contents")) + ">\n<ul>\n";
    bool lookup = false;
    for (const Entry& entry : frame_.entries) {
      if (entry.isLookup && !lookup) html += "</ul>\n<p>" + word("lookup") + "</p>\n<ul>\n";
      lookup = entry.isLookup;
      const bool here = entry.html == frame_.html;
      html += std::string("<li") + (entry.depth > 0 ? " class=\"below\"" : "") + "><a" +
              (here ? " aria-current=\"page\"" : "") + attribute("href", to(entry.html)) + ">" +
              markupText(entry.title) + "</a>";
      if (here) html += sections();
      html += "</li>\n";
    }
    return html + "</ul>\n</nav>\n";
  }

  std::string sections() const {
    std::string html;
    for (const Heading& heading : frame_.headings)
      if (heading.level == 2)
        html += "<li><a" + attribute("href", "#" + heading.id) + ">" + markupText(heading.text) +
                "</a></li>\n";
    return html.empty() ? "" : "\n<ul class=\"sections\">\n" + html + "</ul>\n";
  }

  // The page before and the page after it.
  std::string ways() const {
    const auto here = std::ranges::find(frame_.entries, frame_.html, &Entry::html);
    if (here == frame_.entries.end()) return "";
    std::string html = "<nav class=\"ways\"" +
                       attribute("aria-label", frame_.language.word("previous") + ", " +
                                                   frame_.language.word("next")) +
                       ">\n";
    const auto way = [&](const Entry& entry, const std::string& which) {
      return "<a" + attribute("class", which) + attribute("rel", which == "next" ? which : "prev") +
             attribute("href", to(entry.html)) + "><small>" + word(which) + "</small> " +
             markupText(entry.title) + "</a>\n";
    };
    if (here != frame_.entries.begin()) html += way(*(here - 1), "previous");
    if (here + 1 != frame_.entries.end()) html += way(*(here + 1), "next");
    return html + "</nav>\n";
  }

  std::string search() const {
    const Language& l = frame_.language;
    return "<dialog id=\"search\"" + attribute("aria-label", l.word("search")) +
           attribute("data-library", to("minisearch.js")) +
           attribute("data-index", to("search." + l.code + ".js")) +
           attribute("data-root", to("site.css")) + attribute("data-none", l.word("searchNone")) +
           ">\n<form method=\"dialog\"><input type=\"search\" autocomplete=\"off\"" +
           attribute("aria-label", l.word("searchFor")) +
           attribute("placeholder", l.word("searchFor")) + "><button>" + word("close") +
           "</button></form>\n<p class=\"hint\" role=\"status\">" + word("searchHint") +
           "</p>\n<ol></ol>\n</dialog>\n";
  }

  const Frame& frame_;
};

}  // namespace

std::string framed(const Frame& frame, const std::string& body) { return Layout(frame).page(body); }
