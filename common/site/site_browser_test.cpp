// The whole site in a real browser.
#include "site/site_testing.h"

TEST(Site, WorksInABrowserAtEveryWidth) {
  const std::string lesson = "03_neighbored_less/index.html";
  Lines pages = framedPages(site());
  pages.push_back(lesson + "#explore:t=12");
  const std::string said = inBrowserAt(site(), pages, "400, 1000, 1900", checks + R"(
    const over = () => d.documentElement.scrollWidth - d.documentElement.clientWidth;
    const press = key => d.body.dispatchEvent(new w.KeyboardEvent('keydown', {key, bubbles: true}));
    if (page.endsWith('#explore:t=12')) {  // an explored kernel in its lesson
      const inner = d.querySelector('#explore iframe');
      for (let i = 0; i < 50 && inner.contentWindow.explorer?.t != 12; ++i) await soon();
      const {explorer} = inner.contentWindow, at = explorer.t, root = inner.contentDocument.documentElement;
      explorer.act('step');
      await soon();
      say(`from ${at} to ${d.querySelector('#explore .moment').getAttribute('href')} over ${root.scrollWidth - root.clientWidth}`);
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
