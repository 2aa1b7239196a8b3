// The site of this repository, and of a small one that means harm. ROOT is the repository.
#include <gtest/gtest.h>

#include <set>

#include "site/markdown.h"
#include "site/site.h"
#include "test_support/browser_testing.h"
#include "weave/sections.h"

namespace {

namespace fs = std::filesystem;

const Repository repository{ROOT, ""};

const SiteFiles& site() {
  static const SiteFiles files = siteOf(repository);
  return files;
}

void writeSite(const SiteFiles& files, const TemporaryFolder& folder) {
  for (const auto& [path, text] : files) {
    fs::create_directories(fs::path(folder.path(path)).parent_path());
    writeFile(folder.path(path), text);
  }
}

// The site's own pages: not those of build/compare and of --explore.
Lines framedPages(const SiteFiles& files) {
  Lines pages;
  for (const auto& [path, text] : files)
    if (path.ends_with(".html") && contains(text, "<main id=\"content\"")) pages.push_back(path);
  return pages;
}

// The values of an attribute in markup.
Lines valuesOf(const std::string& html, const std::string& attribute) {
  Lines values;
  const std::string begins = " " + attribute + "=\"";
  for (size_t at = 0; (at = html.find(begins, at)) != std::string::npos;) {
    at += begins.size();
    values.push_back(html.substr(at, html.find('"', at) - at));
  }
  return values;
}

// What links and pictures of a site lead to and is not there.
Lines brokenIn(const SiteFiles& files) {
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
            hash == 0
                ? page
                : (fs::path(page).parent_path() / url.substr(0, hash)).lexically_normal().string();
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
std::string inBrowserAt(const SiteFiles& files, const Lines& pages, const std::string& widths,
                        const std::string& body, const Words& options = {}) {
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
  for (const std::string& line : linesOf(outcome->err))
    if (line.find(":CONSOLE") != std::string::npos) said += line + "\n";
  return said;
}

// A repository of nothing but what the site is made with.
class SmallRepository : public TemporaryFolder {
 public:
  SmallRepository() {
    for (const std::string name :
         {"common/site/languages", "common/results", "common/explore/page", "common/weave"})
      fs::create_directories(path(name));
    for (const std::string name :
         {"common/site/site.css", "common/site/site.js", "common/site/languages/en.json",
          "common/site/languages/zh.json", "common/explore/page/highlighter.js"})
      fs::copy_file(fs::path(ROOT) / name, path(name));
  }
};

// Like those of Lighthouse: what a page must not have.
const std::string checks = R"(
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

}  // namespace

// One test for what one site tells, as each test makes the site anew.
TEST(Site, IsWholeAndSmallAndSaysWhereItsFiguresComeFrom) {
  for (const std::string page :
       {"index.html", "03_neighbored_less/index.html", "08_shuffle/roof/index.html",
        "common/glossary.html", "github/CONTRIBUTING.html", "results.html"})
    EXPECT_TRUE(site().contains(page)) << page;
  EXPECT_EQ(joined(brokenIn(site())), "");
  size_t bytes = 0;
  for (const auto& [path, text] : site()) bytes += text.size();
  EXPECT_LT(bytes, 10'000'000u);

  const std::string& page = site().at("03_neighbored_less/index.html");
  EXPECT_TRUE(contains(page,
                       "<tr><td>2</td><td>2</td><td>1</td><td class=\"code\"><code>  if (t == 0) "
                       "blockSums[blockIdx.x] = block[0];"));
  EXPECT_TRUE(contains(page, "<a class=\"figure\" href=\"#from-faster\">1.87</a>"));
  const size_t at = page.find("<li id=\"from-faster\">");
  ASSERT_NE(at, std::string::npos);
  for (const std::string part :
       {"ms(h200; neighbored) / ms(h200; neighbored less)",
        "common/results/h200_ladder.json</a>, NVIDIA H200, 2026-", "<code>build/gpu/ladder --json"})
    EXPECT_TRUE(contains(page.substr(at, 900), part));
  EXPECT_TRUE(siteOf(repository) == site()) << "another site of the same pages";
}

TEST(Site, WorksInABrowserAtEveryWidth) {
  const std::string lesson = "03_neighbored_less/index.html";
  Lines pages = framedPages(site());
  pages.push_back(lesson + "#explore:t=12");
  const std::string said = inBrowserAt(site(), pages, "400, 1000, 1900", checks + R"(
    const over = () => d.documentElement.scrollWidth - d.documentElement.clientWidth;
    const press = key => d.body.dispatchEvent(new w.KeyboardEvent('keydown', {key, bubbles: true}));
    if (page.endsWith('#explore:t=12')) {  // an explored kernel in its lesson
      const inner = d.querySelector('.explored iframe');
      for (let i = 0; i < 50 && inner.contentWindow.explorer?.t != 12; ++i) await soon();
      const {explorer} = inner.contentWindow, at = explorer.t, root = inner.contentDocument.documentElement;
      explorer.act('step');
      await soon();
      say(`from ${at} to ${d.querySelector('.moment').getAttribute('href')} over ${root.scrollWidth - root.clientWidth}`);
    } else if (page == 'index.html') {  // search
      press('/');
      const input = d.querySelector('#search input');
      while (!w.searchIndex) await soon();
      for (const words of ['bank conflict', '<img src=x onerror=alert(1)>']) {
        input.value = words;
        input.dispatchEvent(new w.Event('input'));
        const links = [...d.querySelectorAll('#search li a')];
        say(`${d.querySelector('#search').open} ${links.length ? links[0].href.replace(/.*\//, '') : d.querySelector('.hint').textContent} over ${over()}`);
      }
    } else if (page == '03_neighbored_less/index.html') {  // meanings and origins
      const word = d.querySelector('a.word'), figure = d.querySelector('a.figure');
      word.dispatchEvent(new w.PointerEvent('pointerdown', {pointerType: 'touch', bubbles: true}));
      word.click();
      say(`word ${d.getElementById('shown').textContent.slice(0, 24)} over ${over()}`);
      figure.click();
      say(`figure ${/common.simt.tests.profile.csv/.exec(d.getElementById('shown').textContent)} over ${over()}`);
      press('Escape');
      say(`gone ${d.getElementById('shown') == null}`);
    })");
  if (said.empty()) GTEST_SKIP() << noBrowser;
  std::string expected;
  for (const std::string& page : pages)
    for (const std::string width : {" 400: ", " 1000: ", " 1900: "}) {
      const auto expect = [&](const std::string& line) { expected += page + width + line + "\n"; };
      if (page == pages.back()) {
        expect("from 12 to #explore:t=13 over 0");
      } else if (page == "index.html") {
        expect("true glossary.html#bank-conflict over 0");
        expect("true No section has all these words. over 0");
      } else if (page == lesson) {
        expect("word Warp: 32 threads of a bl over 0");
        expect("figure common/simt/tests/profile.csv over 0");
        expect("gone true");
      }
    }
  EXPECT_EQ(said, expected + "done\n");
}

TEST(Site, HasContrastInTheDark) {
  const std::string said = inBrowserAt(
      site(), {"03_neighbored_less/index.html", "results.html"}, "1000",
      checks + "if (!w.matchMedia('(prefers-color-scheme: dark)').matches) say('is light');",
      {"--blink-settings=preferredColorScheme=0"});
  if (said.empty()) GTEST_SKIP() << noBrowser;
  EXPECT_EQ(said, "done\n");
}

TEST(Markdown, KeepsFoldedPartsAndNoOtherMarkup) {
  const std::string page =
      rendered(
          "<details><summary>A 2<sup>20</sup></summary>\n\nText <b>b</b> <img src=x "
          "onerror=run>\n\n</details>\n\n<script>run()</script>\n\n[a](javascript:run())\n",
          {}, {[](const std::string&) { return ""; }, {}})
          .html;
  EXPECT_TRUE(contains(page,
                       "<details><summary>A 2<sup>20</sup></summary>\n<p>Text <b>b</b> "
                       "&lt;img src=x onerror=run&gt;</p>\n</details>\n"));
  EXPECT_TRUE(contains(page, "&lt;script&gt;run()&lt;/script&gt;"));
  EXPECT_FALSE(contains(page, "javascript"));
}

// A repository in which everything that can have a name has a hostile one.
TEST(Site, RunsNothingThatAPageOrARecordSays) {
  const std::string evil =
      "</title></script><script>document.title='run'</script>"
      "<img src=x onerror=\"document.title='run'\">\"'";
  const SmallRepository folder;
  writeFile(folder.path("common/glossary.md"), "# Glossary\n\n## Warp\n\n" + evil + "\n");
  writeFile(folder.path("README.md"),
            "# " + evil + "\n\n[w](common/glossary.md#warp) `" + evil + "` ![" + evil +
                "](a.svg)\n\n<!-- weave: t -->\n| " + evil + " |\n|---|\n| " + evil +
                " |\n<!-- end weave -->\n\nIt is <!--=f-->" + evil + "<!--/-->.\n");
  writeFile(folder.path("a.svg"), "<svg viewBox=\"0 0 1 1\"/>");
  writeFile(folder.path("common/weave/front_page.weave"),
            "output t = " + evil + "\nfigure f = \"" + evil + "\n");
  std::string name;
  for (const char c : evil) name += (c == '"' ? "\\" : "") + std::string(1, c);
  writeFile(folder.path("common/results/r.json"),
            R"({"schema": 1, "program": ")" + name + R"(", "backend": "gpu", "label": ")" + name +
                R"(", "machine": {"name": ")" + name +
                R"("}, "input": {"n": 1000, "block": 512, "seed": 1, "samples": 1, "type": "int32"},
 "steps": [{"lesson": "02", "name": ")" +
                name + R"(", "ok": true, "result": 1, "expected": 1, "blocks": 4,
   "kernel_ms": {"median": 0.5, "min": 0.5, "max": 0.5, "samples": [0.5]}}]})");
  const SiteFiles files = siteOf({folder.path(), ""});
  for (const auto& [path, text] : files) {
    if (!path.ends_with(".html")) continue;
    EXPECT_FALSE(contains(text, "<script>")) << path;
    EXPECT_FALSE(contains(text, "<img src=x")) << path;
  }
  const std::string said = inBrowserAt(files, framedPages(files), "400",
                                       "await soon(); if (d.title == 'run') say('was run');");
  if (said.empty()) GTEST_SKIP() << noBrowser;
  EXPECT_EQ(said, "done\n");
}

// In two languages, of which one is behind.
TEST(Site, SwitchesLanguagesAndSaysWhatIsBehind) {
  const SmallRepository folder;
  writeFile(folder.path("common/glossary.md"), "# Glossary\n\n## Warp\n\n32 threads.\n");
  writeFile(folder.path("README.md"),
            "# A page\n\n## First part\n\nA [warp](common/glossary.md#warp).\n\n## Second "
            "part\n\nNew.\n\n"
            "## Third part\n\nMore.\n");
  const Repository small{folder.path(), ""};
  const auto translate = [&](const std::string& english, const std::string& before,
                             const std::string& text) {
    const std::string path = fs::path(english).replace_extension("zh.md");
    writeFile(folder.path(path), text);
    writeFile(folder.path(path), seenTranslation({path, english, "zh"}, text, before, ""));
  };
  translate(
      "README.md",
      "# A page\n\n## First part\n\nA [warp](common/glossary.md#warp).\n\n## Second part\n\nOld.\n",
      "# 一页\n\n## 第一节\n\n[线程束](common/glossary.zh.md#warp)。\n\n## 第二节\n\n旧。\n");
  translate("common/glossary.md", contentsOf(folder.path("common/glossary.md")),
            "# 词汇\n\n## 线程束（warp）\n\n三十二个线程；存储体冲突。\n");
  const SiteFiles files = siteOf(small);
  EXPECT_EQ(joined(brokenIn(files)), "");
  const std::string& page = files.at("index.zh.html");
  for (const std::string part :
       {"<html lang=\"zh\">", "<h2 id=\"first-part\">第一节</h2>",
        "href=\"common/glossary.zh.html#warp\" class=\"word\" data-meaning=\"线程束（warp）: "
        "三十二个线程",
        "<h2 id=\"second-part\">第二节</h2>\n<p class=\"behind\">", "index.html#third-part"})
    EXPECT_TRUE(contains(page, part));
  EXPECT_EQ(page.find("class=\"behind\""),
            page.rfind("class=\"behind\"", page.find("第二节</h2>") + 40));
  EXPECT_TRUE(
      contains(files.at("index.html"), "lang=\"zh\" hreflang=\"zh\" href=\"index.zh.html\""));
  const std::string said = inBrowserAt(files, {"index.zh.html"}, "400", checks + R"(
    d.querySelector('.look').click();
    while (!w.searchIndex) await soon();
    const input = d.querySelector('#search input');
    input.value = '存储体冲突';
    input.dispatchEvent(new w.Event('input'));
    say(d.querySelector('#search li a').href.replace(/.*\//, ''));
    d.querySelector('#search').close();
    d.body.style.paddingBottom = '2000px';
    d.getElementById('second-part').scrollIntoView();
    const link = d.querySelector('a.language');
    link.addEventListener('click', event => event.preventDefault());
    link.click();
    say(link.href.replace(/.*\//, ''));)");
  if (said.empty()) GTEST_SKIP() << noBrowser;
  EXPECT_EQ(said,
            "index.zh.html 400: glossary.zh.html#warp\nindex.zh.html 400: "
            "index.html#second-part\ndone\n");
}

TEST(SiteBuilder, ReplacesASiteAndNothingElse) {
  const SmallRepository folder;
  writeFile(folder.path("README.md"), "# A page\n");
  const auto build = [&](const Words& more) {
    Words words = {"--root", folder.path()};
    words.insert(words.end(), more.begin(), more.end());
    return run(SITE_BUILDER, words);
  };
  const std::string out = folder.path("site");
  EXPECT_EQ(build({"--out", out}).exitCode, 0);
  writeFile(out + "/old.html", "");
  EXPECT_EQ(build({"--out", out}).exitCode, 0);
  EXPECT_FALSE(fs::exists(out + "/old.html"));
  const Outcome refused = build({"--out", folder.path("common")});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_TRUE(contains(refused.err, "is not a site: it is not replaced"));
  EXPECT_EQ(build({}).exitCode, 2);
  writeFile(folder.path("README.md"), "# A page\n\n[gone](gone.md)\n");
  EXPECT_TRUE(contains(build({"--out", out}).err, "README.md: a link leads to 'gone.md'"));
}
