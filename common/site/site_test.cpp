// The site of this repository, and of small ones that mean harm or are in two languages.
#include "site/markdown.h"
#include "site/site_testing.h"

namespace fs = std::filesystem;

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
  for (const std::string part : {"ms(h200; neighbored) / ms(h200; neighbored less)",
                                 "common/results/h200_ladder.json</a>, NVIDIA H200, 2026-",
                                 "<code>build/gpu/ladder --device 0 --json"})
    EXPECT_TRUE(contains(page.substr(at, 900), part));
  EXPECT_TRUE(siteOf(repository, compareScript()) == site()) << "another site of the same pages";
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

TEST(Markdown, KeepsLinksAndPicturesWhereverTheyStand) {
  const Renderer renderer{
      [](const std::string& url) { return "<a href=\"" + url + "\">"; },
      [](const std::string& url, const std::string& alt) { return "<" + url + " " + alt + ">"; }};
  EXPECT_TRUE(contains(
      rendered("| [a *b*](u) | ![p](q) |\n|---|---|\n| [`c`](v) | d |\n", {}, renderer).html,
      "<th><a href=\"u\">a <em>b</em></a></th>\n<th><q p></th>"));
  EXPECT_TRUE(contains(rendered("| a |\n|---|\n| [`c`](v) |\n", {}, renderer).html,
                       "<td><a href=\"v\"><code>c</code></a></td>"));
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
  const SiteFiles files = siteOf({folder.path(), ""}, "a script that compares");
  for (const auto& [path, text] : files) {
    if (!path.ends_with(".html")) continue;
    EXPECT_FALSE(contains(text, "<script>")) << path;
    EXPECT_FALSE(contains(text, "<img src=x")) << path;
  }
  const std::string said = inBrowserAt(files, framedPages(files), "400",
                                       "await soon(); if (d.title == 'run') say('was run');");
  if (said.empty()) GTEST_SKIP() << noBrowser;
  EXPECT_EQ(said, "done\n");
  // Nor would it run if it stood on a page as it is.
  const std::string refused = inBrowserAt(files, {"index.html", "results.html"}, "400", R"(
    d.addEventListener('securitypolicyviolation', event => say(event.effectiveDirective));
    const script = d.createElement('script');
    script.textContent = "document.title = 'run'";
    d.body.append(script);
    d.body.insertAdjacentHTML('beforeend', `<img src=x onerror="document.title='run'">`);
    await soon();
    say(d.title == 'run');)");
  for (const std::string page : {"index.html", "results.html"})
    for (const std::string part : {"script-src-elem", "script-src-attr", "false"})
      EXPECT_TRUE(contains(refused, page + " 400: " + part)) << refused;
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
    const std::string path = translatedPath(english, "zh");
    writeFile(folder.path(path), text);
    writeFile(folder.path(path), seenTranslation({path, english, "zh"}, text, before, ""));
  };
  translate(
      "README.md",
      "# A page\n\n## First part\n\nA [warp](common/glossary.md#warp).\n\n## Second part\n\nOld.\n",
      "# 一页\n\n## 第一节\n\n[线程束](../glossary.zh.md#warp)。\n\n## 第二节\n\n旧。\n");
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
    while (!w.searchIndex || !w.MiniSearch) await soon();
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

TEST(Site, StepsThroughAKernelInTheLanguageOfThePage) {
  const SmallRepository folder;
  fs::create_directories(folder.path("03"));
  for (const std::string page : {"explore.html", "strides.html"})
    fs::copy_file(fs::path(ROOT) / "03_neighbored_less" / page, folder.path("03/" + page));
  for (const std::string page : {"05_unroll2/in_flight", "06_unroll8_warp/occupancy"})
    fs::copy_file(fs::path(ROOT) / (page + ".html"),
                  folder.path("03" + page.substr(page.find('/')) + ".html"));
  const std::string blocks = "strides in_flight occupancy explore";
  std::string recipes, page = "# 03\n";
  for (const std::string& name : wordsOf(blocks)) {
    const std::string mark = replaced(name, "_", "-");
    recipes += "explored " + mark + " = " + name + ".html \"Step\" build/cpu/03\n";
    page += "\n<!-- weave: " + mark + " -->\n[Step](" + name + ".html)\n<!-- end weave -->\n";
  }
  writeFile(folder.path("03/page.weave"), recipes);
  writeFile(folder.path("README.md"), "# A page\n\n[L](03/README.md)\n");
  for (const std::string file : {"03/README.md", "03/README.zh.md"})
    writeFile(folder.path(file), page);
  const std::string said = inBrowserAt(siteOf({folder.path(), ""}), {"03/index.zh.html"}, "400", R"(
    const words = text => /[a-z]{4}/i.test(text.replace(/NVIDIA|Strides/g, ''));
    for (const id of ['strides', 'in_flight', 'occupancy']) {  // pages that are turned: all but their titles
      const frame = d.querySelector(`#${id} iframe`);
      frame.loading = 'eager';
      for (let i = 0; i < 50 && frame.contentDocument.documentElement.lang != 'zh'; ++i) await soon();
      for (const input of frame.contentDocument.querySelectorAll('input[type=range]')) {
        input.value = 3;
        input.dispatchEvent(new Event('input'));
        await soon();
      }
      const texts = frame.contentDocument.createTreeWalker(frame.contentDocument.querySelector('main'), NodeFilter.SHOW_TEXT);
      for (let text; text = texts.nextNode();) if (words(text.data)) say(`${id} ${text.data}`);
    }
    const inner = d.querySelector('#explore iframe');
    inner.loading = 'eager';
    for (let i = 0; i < 50 && inner.contentDocument.documentElement.lang != 'zh'; ++i) await soon();
    const {explorer} = inner.contentWindow, inside = inner.contentDocument, left = new Set();
    const collect = () => {
      const texts = inside.createTreeWalker(inside.querySelector('.trace'), NodeFilter.SHOW_TEXT);
      for (let text; text = texts.nextNode();)
        if (/[a-z]{4}/i.test(text.data.replace(/data|blockSums|neighbored( ?[Ll]ess)?|\w+\.cuh|L[12]/g, '')) &&
            text.parentElement.checkVisibility() && !text.parentElement.closest('.code')) left.add(text.data);
    };
    say(inside.querySelector('[data-view=steps]').textContent);
    for (let t = 1; t <= explorer.length; ++t) {
      explorer.goTo(t);
      await new Promise(done => setTimeout(done));
      if (t == 2) say(inside.querySelector('.sentence').textContent);
      collect();
    }
    say([...left].join(' | '));)");
  if (said.empty()) GTEST_SKIP() << noBrowser;
  const std::string at = "03/index.zh.html 400: ";  // and at last what is left in English: nothing
  EXPECT_EQ(said, at + "逐步执行\n" + at + "线程束 1 在栅栏处等待：2 个线程束中到了 1 个。\n" + at +
                      "\ndone\n");
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
