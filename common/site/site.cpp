#include "site/site.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/errors.h"
#include "base/escape.h"
#include "site/copies.h"
#include "site/counted_code.h"
#include "site/drop_place.h"
#include "site/layout.h"
#include "site/origin_markup.h"
#include "site/results.h"
#include "site/standing.h"
#include "site/woven.h"
#include "weave/sections.h"

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

class Site {
 public:
  Site(const Repository& repository, const std::string& compareScript)
      : repository_(repository),
        compareScript_(compareScript),
        pages_(pagesToShow(repository, languagesOf(repository))),
        languages_(languagesWithPages()),
        results_(resultsOf(repository)),
        copies_(repository, files_),
        origins_(repository, copies_) {}

  SiteFiles files() {
    for (const char* file : {"site.css", "site.js", "minisearch.js"})
      files_[file] = contentsOf(repository_, std::string("common/site/") + file);
    if (!compareScript_.empty()) {
      files_["drop.js"] = contentsOf(repository_, "common/site/drop.js");
      files_["compare.js"] = compareScript_;
      files_["records.js"] = recordsScript(repository_, results_);
    }
    files_["highlighter.js"] = contentsOf(repository_, "common/explore/page/highlighter.js");
    for (const Language& language : languages_) readGlossary(language);
    for (const Language& language : languages_) {
      std::vector<Entry> entries = entriesIn(language);
      json index = json::array();
      for (const Page& page : pages_)
        if (page.texts.contains(language.code)) write(page, language, entries, index);
      writeResults(language, entries);
      if (language.words.contains(exploredWords))
        files_[exploredScript(language)] =
            "window.exploredWords = " + language.words[exploredWords].dump(0) + ";\n";
      files_["search." + language.code + ".js"] = "window.searchIndex = " + index.dump(0) + ";\n";
    }
    writeSources();
    return files_;
  }

 private:
  std::vector<Language> languagesWithPages() const {
    std::vector<Language> languages = languagesOf(repository_);
    std::erase_if(languages, [this](const Language& language) {
      return std::ranges::none_of(
          pages_, [&](const Page& page) { return page.texts.contains(language.code); });
    });
    return languages;
  }

  // The language in which a page is shown to readers of another: theirs, or English.
  std::string shownIn(const Page& page, const std::string& language) const {
    return page.texts.contains(language) ? language : english;
  }

  const Page* pageAt(const std::string& path) const {
    const auto page = std::ranges::find(pages_, path, &Page::path);
    return page == pages_.end() ? nullptr : &*page;
  }

  static std::string titleOf(const std::string& text) {
    for (const std::string& line : linesOf(text))
      if (line.starts_with("# ")) return plainText(rendered(line, {}, {}).html);
    return "";
  }

  std::vector<Entry> entriesIn(const Language& language) const {
    std::vector<Entry> entries;
    for (const Page& page : pages_) {
      const std::string code = shownIn(page, language.code);
      const bool isLesson = page.path[0] >= '0' && page.path[0] <= '9';
      entries.push_back({titleOf(page.texts.at(code)), htmlPathOf(page.path, code),
                         isLesson && std::ranges::count(page.path, '/') > 1,
                         !isLesson && page.path != "README.md"});
    }
    entries.push_back({language.word("resultsTitle"), resultsPath(language), 0, true});
    return entries;
  }

  static std::string resultsPath(const Language& language) {
    return htmlPathOf("results.md", language.code);
  }

  // What each word of the glossary means, by its anchor.
  void readGlossary(const Language& language) {
    const Page* const page = pageAt(glossary_);
    if (!page || !page->texts.contains(language.code)) return;
    const Prepared text = prepared(page->texts.at(language.code), page->path);
    for (const Heading& heading :
         rendered(text.markdown, text.ids, rendererOf(*page, language)).headings)
      if (heading.level == 2)
        meanings_[language.code][heading.id] = heading.text + ": " + heading.section;
  }

  Renderer rendererOf(const Page& page, const Language& language) {
    return {[this, &page, &language](const std::string& url) { return link(page, language, url); },
            [this, &page, &language](const std::string& url, const std::string& alt) {
              return picture(page, language, url, alt);
            }};
  }

  std::string link(const Page& page, const Language& language, const std::string& url) {
    if (url.starts_with("https://") || url.starts_with("http://"))
      return "<a href=\"" + markupText(url) + "\">";
    const size_t hash = url.find('#');
    const std::string anchor = hash == std::string::npos ? "" : url.substr(hash);
    if (hash == 0) return "<a href=\"" + markupText(url) + "\">";
    const std::string target = targetOf(page.path, url);
    const auto [place, code] = placeOf(page, language, target);
    std::string html =
        "<a href=\"" +
        markupText(linkBetween(htmlPathOf(page.path, language.code), place) + anchor);
    html += '"';
    if (place == htmlPathOf(glossary_, code) && !anchor.empty()) {
      const auto& meanings = meanings_[code];
      if (const auto meaning = meanings.find(anchor.substr(1)); meaning != meanings.end())
        html += " class=\"word\" data-meaning=\"" + markupText(meaning->second) + "\"";
    }
    return html + ">";
  }

  // Where the target of a link stands in the site, and in which language.
  std::pair<std::string, std::string> placeOf(const Page& page, const Language& language,
                                              const std::string& target) {
    std::string path = target;
    if (fs::is_directory(fs::path(repository_.root) / path)) {
      if (!pageAt(path + "/README.md")) {
        return {copies_.folder(path), english};
      }
      path += "/README.md";
    }
    if (const Page* const other = pageAt(path)) {
      // From a page to the same page: that is the way to English.
      const std::string code = path == page.path ? english : shownIn(*other, language.code);
      return {htmlPathOf(path, code), code};
    }
    for (const Language& other : languages_)
      for (const Page& translated : pages_)
        if (other.code != english && path == translatedPath(translated.path, other.code) &&
            translated.texts.contains(other.code))
          return {htmlPathOf(translated.path, other.code), other.code};
    if (path.empty() || !fs::is_regular_file(fs::path(repository_.root) / path))
      refuse((language.code == english ? page.path : translatedPath(page.path, language.code)) +
             ": a link leads to '" + target + "', which is no file");
    return {copies_.placeOf(path), english};
  }

  std::string picture(const Page& page, const Language& language, const std::string& url,
                      const std::string& alt) {
    const std::string path = targetOf(page.path, url);
    if (path.empty()) return markupText(alt);
    copies_.placeOf(path);
    return fmt::format("<img src=\"{}\" alt=\"{}\"{} loading=\"lazy\">",
                       markupText(linkBetween(htmlPathOf(page.path, language.code), path)),
                       markupText(withoutPlaces(alt)), sizeOf(files_[path]));
  }

  void write(const Page& page, const Language& language, const std::vector<Entry>& entries,
             json& index) {
    const std::string html = htmlPathOf(page.path, language.code);
    const Prepared text = prepared(page.texts.at(language.code), page.path);
    Rendered content = rendered(text.markdown, text.ids, rendererOf(page, language));
    for (Heading& heading : content.headings) {
      heading.text = withoutPlaces(heading.text);
      index.push_back({{"page", html},
                       {"id", heading.level == 1 ? "" : heading.id},
                       {"in", withoutPlaces(content.headings[0].text)},
                       {"title", heading.text},
                       {"text", withoutPlaces(heading.section)}});
    }
    Origins origins(repository_, page.path);
    std::string body =
        finished(content.html, text, [&](const WovenBlock& block, std::string inside) {
          return woven(page, language, block, std::move(inside), origins);
        });
    body = replaced(replaced(body, "<table>",
                             "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                                 markupText(language.word("table")) + "\"><table >"),
                    "</table>\n", "</table ></div>\n");
    body = replaced(replaced(body, "<table >", "<table>"), "</table >", "</table>");
    body = replaced(body, "<pre><code", "<pre tabindex=\"0\"><code");
    if (language.code != english) body = withStanding(std::move(body), page, language);
    body = "<article>\n" + body + origins_.figureList(text.figures, language, html, origins) +
           "</article>\n";
    files_[html] = framed({language, languages_, html,
                           content.headings.empty() ? page.path : content.headings[0].text,
                           content.headings, entries, othersOf(page, language.code)},
                          body);
  }

  std::map<std::string, std::string> othersOf(const Page& page, const std::string& language) const {
    std::map<std::string, std::string> others;
    for (const auto& [code, text] : page.texts)
      if (code != language) others[code] = htmlPathOf(page.path, code);
    return others;
  }

  // A block of the page, with what the site adds to it.
  std::string woven(const Page& page, const Language& language, const WovenBlock& block,
                    std::string inside, Origins& origins) {
    const Origin origin = origins.of(block.name);
    if (origin.kind == "link") return "";  // to this very site
    if (origin.kind == "explored") return explored(page, language, block);
    if (origin.kind == "code")
      if (const std::string counted = countedCode(block.content, countedOf(page), language);
          !counted.empty())
        inside = counted;
    if (origin.kind.empty()) return inside;
    return "<div class=\"woven\">\n" + inside + "<details class=\"from\"><summary>" +
           markupText(language.word("from")) + "</summary>\n" +
           origins_.said(origin, language, htmlPathOf(page.path, language.code)) +
           "</details>\n</div>\n";
  }

  // A page of its own, in a frame that is called after its file.
  std::string explored(const Page& page, const Language& language, const WovenBlock& block) {
    const std::vector<std::string> urls = urlsIn(block.content);
    if (urls.empty()) return "";
    const std::string path = targetOf(page.path, urls[0]);
    copies_.placeOf(path);
    const std::string url = markupText(linkBetween(htmlPathOf(page.path, language.code), path));
    const std::string title = markupText(
        plainText(rendered(block.content, {}, {[](const std::string&) { return ""; }, {}}).html));
    return fmt::format(
        "<figure class=\"explored\" id=\"{0}\">\n<figcaption>{1}<span class=\"buttons\">"
        "<button class=\"whole script\">{2}</button> <a class=\"moment script\" "
        "href=\"#{0}\">{3}</a> <a href=\"{4}\">{5}</a></span></figcaption>\n<iframe src=\"{4}\" "
        "title=\"{1}\" loading=\"lazy\" allow=\"fullscreen\"></iframe>\n</figure>\n",
        markupText(fs::path(path).stem().string()), title, markupText(language.word("whole")),
        markupText(language.word("moment")), url, markupText(language.word("alone")));
  }

  const std::vector<CountedSource>& countedOf(const Page& page) {
    const auto known = counted_.find(page.path);
    if (known != counted_.end()) return known->second;
    const std::string path = (fs::path(page.path).parent_path() / "explore.html").string();
    std::vector<CountedSource>& sources = counted_[page.path];
    if (fs::is_regular_file(fs::path(repository_.root) / path))
      sources = countedSourcesOf(contentsOf(repository_, path));
    return sources;
  }

  void writeResults(const Language& language, const std::vector<Entry>& entries) {
    const std::string html = resultsPath(language);
    std::string body = "<article>\n" + element("h1", language.word("resultsTitle")) + "\n" +
                       element("p", language.word("resultsAbout")) + "\n";
    std::vector<Heading> headings;
    for (const auto& [program, text] : results_.pages) files_[resultPageOf(program)] = text;
    for (const auto& [machine, reports] : results_.byMachine) {
      headings.push_back({2, anchorOf(machine), machine, ""});
      body += element("h2 id=\"" + markupText(anchorOf(machine)) + "\"", machine) + "\n<ul>\n";
      for (const Report& report : reports)
        body += "<li>" + origins_.recordLine(report.file, language, html, false) +
                fmt::format(": <a href=\"{}\">{} {}</a></li>\n", resultPageOf(report.program),
                            markupText(language.word("comparedAs")), markupText(report.program));
      body += "</ul>\n";
    }
    headings.push_back({2, "yours", language.word("resultsYours"), ""});
    body += yoursBesideThem(language, html, results_, !compareScript_.empty()) + "</article>\n";
    std::map<std::string, std::string> others;
    for (const Language& other : languages_)
      if (other.code != language.code) others[other.code] = resultsPath(other);
    files_[html] = framed({language, languages_, html, language.word("resultsTitle"), headings,
                           entries, others, !compareScript_.empty()},
                          body);
  }

  // Sources that pages link, as pages, and what a folder has.
  void writeSources() {
    const Language& language = languages_[0];
    const std::vector<Entry> entries = entriesIn(language);
    const auto page = [&](const std::string& html, const std::string& title,
                          const std::string& body) {
      files_[html] = framed({language, languages_, html, title, {}, entries, {}},
                            "<article>\n" + element("h1", title) + "\n" + body + "</article>\n");
    };
    for (const std::string& path : copies_.sources())
      page(path + ".html", path,
           "<pre tabindex=\"0\"><code class=\"language-cpp\">" +
               markupText(contentsOf(repository_, path)) + "</code></pre>\n");
    for (const std::string& path : copies_.folders()) {
      std::set<std::string> names;
      for (const auto& entry : fs::directory_iterator(fs::path(repository_.root) / path))
        names.insert(entry.path().filename().string());
      std::string list = "<ul>\n";
      for (const std::string& name : names) list += "<li>" + element("code", name) + "</li>\n";
      page(path + "/files.html", language.word("filesOf") + " " + path, list + "</ul>\n");
    }
  }

  const std::string glossary_ = "common/glossary.md";
  const Repository& repository_;
  const std::string& compareScript_;
  const std::vector<Page> pages_;
  const std::vector<Language> languages_;
  const Results results_;
  SiteFiles files_;
  Copies copies_;
  OriginMarkup origins_;
  std::map<std::string, std::map<std::string, std::string>> meanings_;  // by language and anchor
  std::map<std::string, std::vector<CountedSource>> counted_;           // by page
};

}  // namespace

SiteFiles siteOf(const Repository& repository, const std::string& compareScript) {
  return Site(repository, compareScript).files();
}
