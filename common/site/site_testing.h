// Sites for tests, and what a browser says of them. ROOT is the repository.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "site/site.h"
#include "test_support/browser_testing.h"
#include "weave/sections.h"

inline const Repository repository{ROOT, ""};

// Empty without Emscripten.
inline std::string compareScript() {
  return std::string(COMPARE_SCRIPT).empty() ? "" : contentsOf(COMPARE_SCRIPT);
}

inline const SiteFiles& site() {
  static const SiteFiles files = siteOf(repository, compareScript());
  return files;
}

inline void writeSite(const SiteFiles& files, const TemporaryFolder& folder) {
  for (const auto& [path, text] : files) {
    std::filesystem::create_directories(std::filesystem::path(folder.path(path)).parent_path());
    writeFile(folder.path(path), text);
  }
}

// The site's own pages: not those of build/compare and of --explore.
inline Lines framedPages(const SiteFiles& files) {
  Lines pages;
  for (const auto& [path, text] : files)
    if (path.ends_with(".html") && contains(text, "<main id=\"content\"")) pages.push_back(path);
  return pages;
}

// The values of an attribute in markup.
inline Lines valuesOf(const std::string& html, const std::string& attribute) {
  Lines values;
  const std::string begins = " " + attribute + "=\"";
  for (size_t at = 0; (at = html.find(begins, at)) != std::string::npos;) {
    at += begins.size();
    values.push_back(html.substr(at, html.find('"', at) - at));
  }
  return values;
}

// What links and pictures of a site lead to and is not there.
inline Lines brokenIn(const SiteFiles& files) {
  std::map<std::string, std::set<std::string>> ids;
  for (const auto& [path, text] : files) {
    const Lines all = valuesOf(text, "id");
    ids[path] = {all.begin(), all.end()};
    if (path.ends_with(".html") && ids[path].size() != all.size())
      if (contains(text, "<main id=\"content\"")) ids[path].insert("twice");
  }
  Lines broken;
  for (const std::string& page : framedPages(files)) {
    if (ids[page].contains("twice")) broken.push_back(page + " has an id twice");
    for (const char* attribute : {"href", "src", "data-index", "data-root"})
      for (const std::string& url : valuesOf(files.at(page), attribute)) {
        if (url.starts_with("https://") || url.starts_with("http://") || url == "data:,") {
          if (std::string(attribute) != "href") broken.push_back(page + ": " + url);
          continue;
        }
        const size_t hash = url.find('#');
        const std::string file =
            hash == 0 ? page
                      : (std::filesystem::path(page).parent_path() / url.substr(0, hash))
                            .lexically_normal()
                            .string();
        const bool there = files.contains(file);
        if (!there || (hash != std::string::npos && !ids[file].contains(url.substr(hash + 1))))
          broken.push_back(page + ": " + url);
      }
  }
  return broken;
}

// What a real browser says of pages of a site, each opened in frames of these widths: lines from
// body, a script that has the frame's window w, its document d and its page's name; and what the
// console complains of. Nothing without a browser.
inline std::string inBrowserAt(const SiteFiles& files, const Lines& pages,
                               const std::string& widths, const std::string& body,
                               const Words& options = {}) {
  const TemporaryFolder folder;
  writeSite(files, folder);
  std::string list;
  for (const std::string& page : pages) list += "'" + page + "',";
  writeFile(folder.path("test.html"),
            R"(<!doctype html><meta charset="utf-8"><body><pre id="out"></pre><script>
const out = document.getElementById('out');
(async () => {
  for (const page of [)" +
                list + R"(]) for (const width of [)" + widths + R"(]) {
    const frame = document.createElement('iframe');
    frame.width = width;
    frame.height = 900;
    frame.src = page;
    document.body.append(frame);
    await new Promise(loaded => frame.onload = loaded);
    const w = frame.contentWindow, d = w.document, say = text => out.textContent += `${page} ${width}: ${text}\n`;
    const soon = () => new Promise(done => setTimeout(done, 300));
    )" + body + R"(
    frame.remove();
  }
  out.textContent += 'done\n';
})().catch(error => out.textContent += 'test: ' + error.stack);
</script>)");
  Words all = {"--allow-file-access-from-files", "--enable-logging=stderr", "--log-level=0",
               "--host-resolver-rules=MAP * ~NOTFOUND"};
  all.insert(all.end(), options.begin(), options.end());
  const auto outcome = browserOn(folder.path("test.html"), all, 200'000);
  if (!outcome) return "";
  const std::string begins = "<pre id=\"out\">";
  const size_t begin = outcome->out.find(begins), end = outcome->out.find("</pre>", begin);
  std::string said = outcome->out.substr(begin + begins.size(), end - begin - begins.size());
  if (said.size() > 4000) said.resize(4000);  // enough to see what is wrong
  for (const std::string& line : linesOf(outcome->err))
    if (said.size() <= 4000 && line.find(":CONSOLE") != std::string::npos) said += line + "\n";
  return said;
}

// A repository of nothing but what the site is made with.
class SmallRepository : public TemporaryFolder {
 public:
  SmallRepository() {
    for (const std::string name :
         {"common/site/languages", "common/results", "common/explore/page", "common/weave"})
      std::filesystem::create_directories(path(name));
    for (const std::string name :
         {"common/site/site.css", "common/site/site.js", "common/site/minisearch.js",
          "common/site/drop.js", "common/site/languages/en.json", "common/site/languages/zh.json",
          "common/explore/page/highlighter.js"})
      std::filesystem::copy_file(std::filesystem::path(ROOT) / name, path(name));
  }
};

// Like those of Lighthouse: what a page must not have.
inline const std::string checks = R"(
    if (w.document.documentElement.scrollWidth > d.documentElement.clientWidth)
      say(`sticks out by ${d.documentElement.scrollWidth - d.documentElement.clientWidth}`);
    if (!d.documentElement.classList.contains('scripts')) say('its script does not run');
    if (d.querySelectorAll('h1').length != 1) say('has not one h1');
    let level = 0;
    for (const heading of d.querySelectorAll('main :is(h1, h2, h3, h4)')) {
      if (Number(heading.tagName[1]) > level + 1) say(`leaves out a level at ${heading.textContent}`);
      level = Number(heading.tagName[1]);
    }
    for (const img of d.images) {
      if (!img.alt) say(`${img.src} has no words`);
      if (!img.width || !img.getAttribute('height')) say(`${img.src} has no size`);
    }
    for (const link of d.links)
      if (!link.textContent.trim() && !link.querySelector('img')) say(`no words lead to ${link.href}`);
    const numbers = color => color.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
      .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
    const behind = e => {
      for (; e; e = e.parentElement) {
        const color = numbers(w.getComputedStyle(e).backgroundColor);
        if (color.length == 3 || color[3] == 1) return color;
      }
      return [255, 255, 255];
    };
    const pale = new Set();
    const walker = d.createTreeWalker(d.body, NodeFilter.SHOW_TEXT);
    for (let text; text = walker.nextNode();) {
      const e = text.parentElement;
      if (!text.data.trim() || !e.getClientRects().length) continue;
      const [a, b] = [light(numbers(w.getComputedStyle(e).color)), light(behind(e))];
      const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
      if (ratio < 4.5) pale.add(`${e.tagName} ${e.className} ${ratio.toFixed(2)}`);
    }
    for (const e of pale) say(`pale ${e}`);
)";
