// The whole site in a real browser.
#include <nlohmann/json.hpp>

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
      while (!w.searchIndex || !w.MiniSearch) await soon();
      for (const words of ['bank conflict', 'coalessed', '<img src=x onerror=alert(1)>']) {
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
      const moves = [];
      new w.PerformanceObserver(list => moves.push(...list.getEntries())).observe({type: 'layout-shift', buffered: true});
      await soon();
      say(`moved ${moves.reduce((sum, move) => sum + move.value, 0).toFixed(2)}`);
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
        expect("true glossary.html#coalesced over 0");
        expect("true No section has all these words. over 0");
      } else if (page == lesson) {
        expect("word Warp: 32 threads of a bl over 0");
        expect("figure common/simt/tests/profile.csv over 0");
        expect("gone true");
        expect("moved 0.00");
      }
    }
  EXPECT_EQ(said, expected + "done\n");
}

// What is dropped, hostile or broken, is compared in the browser with what is recorded, and nothing
// that it says is run.
TEST(Site, ComparesDroppedFilesInTheBrowser) {
  if (compareScript().empty()) GTEST_SKIP() << "no Emscripten here (Debian: emscripten)";
  const std::string evil =
      "</style></iframe><script>top.ran='run'</script><img src=x onerror=top.ran='run'>";
  nlohmann::json file =
      nlohmann::json::parse(contentsOf(ROOT "/common/results/h200_exercise_03.json"));
  file["label"] = file["machine"]["name"] = file["steps"][0]["name"] = evil;
  // As a constant of a script that stands in a page.
  const auto quoted = [](const std::string& text) {
    return replaced(nlohmann::json(text).dump(), "</", "<\\/");
  };
  const std::string given =
      "const evil = " + quoted(evil) + ", result = " + quoted(file.dump()) + ";";
  const std::string said = inBrowserAt(site(), {"results.zh.html"}, "400, 1900", given + R"(
    const place = d.querySelector('.drop'), input = place.querySelector('input'), beside = place.querySelector('select');
    w.WebAssembly.instantiate = async (bytes, imports) => {  // at once, as the browser's clock does not wait for it
      const module = new w.WebAssembly.Module(bytes);
      return {module, instance: new w.WebAssembly.Instance(module, imports)};
    };
    const give = async (how, ...files) => {
      const data = new w.DataTransfer();
      for (const [name, text] of files) data.items.add(new w.File([text], name));
      if (how == 'drop') {
        place.dispatchEvent(new w.DragEvent('drop', {dataTransfer: data}));
      } else {
        input.files = data.files;
        input.dispatchEvent(new w.Event('change'));
      }
      // In many small steps: files and scripts are read while the browser's own clock runs ahead.
      for (let i = 0; i < 10000 && !place.querySelector('iframe, .refused'); ++i)
        await new Promise(done => setTimeout(done, 3));
      await soon();
    };
    await give('drop', ['broken.json', '{"schema": 1,']);
    say(`${place.querySelector('iframe')} ${place.querySelector('.refused').innerHTML}`);
    beside.value = 'NVIDIA H200';
    await give('choose', [evil, result], [evil, '7']);
    const inner = place.querySelector('iframe').contentDocument, root = inner.documentElement;
    const cards = inner.querySelector('.cards').textContent;
    say(`${inner.querySelectorAll('.panel').length} ladders, ${inner.scripts.length} scripts, ${top.ran}`);
    say(`out by ${[root.scrollWidth - root.clientWidth, root.scrollHeight - root.clientHeight]}`);
    say(place.querySelector('.refused').textContent == evil + ': is not a result file');
    say(cards.includes(evil) && cards.includes('h200_ladder.json'));
    inner.querySelector('a[href$="#times"]').click();
    await soon();
    say(inner.defaultView.location.href + ' ' + /^blob:/.test(place.querySelector('a[download]').href));
)" + checks);
  if (said.empty()) GTEST_SKIP() << noBrowser;
  std::string expected;
  for (const std::string width : {"400", "1900"})
    for (const std::string line :
         {"null broken.json: is cut short", "2 ladders, 0 scripts, undefined", "out by 0,0", "true",
          "true", "about:srcdoc#times true"})
      expected += "results.zh.html " + width + ": " + line + "\n";
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
