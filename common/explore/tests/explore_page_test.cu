// --explore: what a real browser makes of the page.
#include "explore/tests/explore_testing.h"
#include "test_support/browser_testing.h"

TEST(ExplorePage, LinksTheTimelineWithTheLines) {
  Recording recording = recordingOf("neighbored");
  recording.estimate = madeUpEstimate();
  const std::string out =
      inBrowser({explorePage({recording})}, R"(<iframe width="1000" height="700"></iframe>)", R"(
    const x = frame.contentWindow.explorer, view = x.views[0], {timeline} = view;
    const shown = () => frame.contentWindow.getComputedStyle(d.querySelector('.timeline')).display != 'none';
    const press = (key, target = d.body) =>
      target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
    const told = () => d.querySelector('.told').textContent;
    const lit = () => [...d.querySelectorAll('tr.lit .number')].map(cell => cell.textContent.trim());
    const before = [shown(), d.getElementById('views').hidden, d.querySelector('tr.timed button').disabled];
    press('v');
    out.textContent = `before ${before} after ${shown()} told ${told()}\n`;
    d.querySelector('tr.timed').click();
    out.textContent += `line ${lit()} told ${told()} pale ${timeline.timeline.codes.map((_, code) => timeline.isPale(code))}\n`;
    const chart = d.querySelector('.chart'), t = x.t;
    press('Escape', chart); press('ArrowRight', chart);
    out.textContent += `segment ${lit()} told ${told()}\n`;
    press('ArrowRight', chart); press('ArrowDown', chart);
    out.textContent += `moved ${JSON.stringify(timeline.chosen)} lit ${lit().length} t ${x.t == t}\n`;
    press('+', chart);
    out.textContent += `zoomed ${timeline.scale.to - timeline.scale.from}\n`;
    press('Escape', chart);
    const box = d.querySelector('.chart canvas').getBoundingClientRect();
    const at = {clientX: box.left + timeline.xOf(timeline.scale.from + 1), clientY: box.top + timeline.topOf(1) + 1, bubbles: true};
    chart.dispatchEvent(new PointerEvent('pointerdown', at)); chart.dispatchEvent(new PointerEvent('pointerup', at));
    out.textContent += `clicked ${JSON.stringify(timeline.chosen)} over ${w.scrollWidth - w.clientWidth}\n`;
    press('v');
    out.textContent += `back ${shown()} lit ${lit().length}`;)");
  if (out.empty()) GTEST_SKIP() << noBrowser;
  for (const std::string line :
       {"before false,false,true after true told Estimated on a card. 2 warps at a time; cycles 0 "
        "to 400",
        "line 17 told Line 17: 90 % of the warps' time, estimated: memory 75 %. pale "
        "true,false,true,false",
        "segment 17 told Block 0, warp 0: memory and atomics, 100 cycles, 0 to 100, at line 17: "
        "for "
        "(unsigned",
        "moved {\"row\":1,\"run\":1} lit 0 t true", "zoomed 200",
        "clicked {\"row\":1,\"run\":", "over 0", "back false lit 0"})
    EXPECT_TRUE(contains(out, line));
}

TEST(ExplorePage, OfEveryLessonCountsForwardsAndBackwards) {
  std::vector<std::string> pages;
  std::string frames;
  std::vector<std::string> expected;
  for (const std::string name :
       {"neighbored", "neighbored less", "neighbored less, shared", "interleaved", "unroll 2",
        "unroll 8", "complete unroll", "unroll 8 + shuffle", "single pass"}) {
    const Recording recording = recordingOf(name);
    frames += R"(<iframe width="1000" height="700" data-page=")" + std::to_string(pages.size()) +
              R"("></iframe>)";
    pages.push_back(explorePage({recording}));
    EXPECT_LT(pages.back().size(), 1'000'000u) << name;
    expected.push_back(name + ": " + joined(countersOf(recording.counted)) +
                       "| same true over 0\n");
  }
  const std::string out = inBrowser(pages, frames, R"(
    const x = frame.contentWindow.explorer, view = x.views[0], seen = [];
    for (let t = 0; t <= x.length; ++t) { view.model.goTo(t); seen.push(view.model.fingerprint()); }
    view.model.goTo(0);
    x.goTo(x.length);
    const counters = [...d.querySelectorAll('.counters .so-far')].map(cell => cell.textContent);
    let same = true;
    for (let t = x.length; t >= 0; --t) {
      view.model.goTo(t);
      same &&= view.model.fingerprint() == seen[t];
    }
    x.goTo(7);
    const sight = view.root.innerText;
    x.goTo(x.length); x.goTo(7);
    same &&= view.root.innerText == sight;
    out.textContent += `${view.model.trace.title}: ` +
        counters.join(' ') + ` | same ${same} over ${w.scrollWidth - w.clientWidth}\n`;)");
  if (out.empty()) GTEST_SKIP() << noBrowser;
  for (const std::string& line : expected) EXPECT_TRUE(contains(out, line));
}

TEST(ExplorePage, OpensAtTheFaultWithBothLinesMarked) {
  const Recording recording = recordingOf<int>(racing, "data", 64);
  const std::string out =
      inBrowser({explorePage({recording})}, R"(<iframe width="1000" height="700"></iframe>)", R"(
    const x = frame.contentWindow.explorer, marked = d.querySelectorAll('tr.faulty .code');
    out.textContent = `at ${x.length - x.t} from the end; ` +
        [...marked].map(line => line.textContent.trim()).join(' and ') + '; ' +
        d.querySelector('.sentence').textContent + '; cells ' +
        [...d.querySelectorAll('.cell.fault')].map(cell => cell.dataset.cell) + ' lanes ' +
        [...d.querySelectorAll('.strip .fault')].map(lane => lane.dataset.lane);)");
  if (out.empty()) GTEST_SKIP() << noBrowser;
  EXPECT_TRUE(contains(out,
                       "at 0 from the end; data[threadIdx.x] = int(threadIdx.x); and "
                       "data[threadIdx.x + 32] = data[(threadIdx.x + 1) % 32];"));
  EXPECT_TRUE(contains(out, recording.fault()->what()));
  EXPECT_TRUE(contains(out, "cells 0:1 lanes 0,1"));
}

TEST(ExplorePage, HasEachOfSeveralFaultsAClickOrAKeyAway) {
  const Recording recording = recordingOf<int>(racingThrice, "data", 66);
  const std::string out =
      inBrowser({explorePage({recording})}, R"(<iframe width="400" height="800"></iframe>)", R"(
    const x = frame.contentWindow.explorer, {model} = x.views[0], {faults} = model.trace;
    const serious = faults.findIndex(fault => !fault.mild), all = t => model.trace.steps[t - 1].k;
    out.textContent = `opens ${x.t == faults[serious].t}`;
    const buttons = [...d.querySelectorAll('.faults button')];
    let right = buttons.length == faults.length;
    buttons.forEach((button, i) => {
      button.click();
      right &&= model.fault == faults[i] && button.getAttribute('aria-pressed') == 'true' &&
          d.querySelector('.sentence').textContent == faults[i].text &&
          d.querySelectorAll('tr.at-fault').length == new Set(faults[i].lines).size &&
          d.querySelectorAll('.cell.fault').length > 0;
    });
    out.textContent += ` clicks ${right}`;
    const press = (key, shiftKey = false) =>
        d.body.dispatchEvent(new KeyboardEvent('keydown', {key, shiftKey, bubbles: true}));
    press('Home');
    const seen = new Set();
    for (let i = 0; i < faults.length; ++i) { press('f'); seen.add(model.fault); }
    press('F', true);
    out.textContent += ` keys ${seen.size == faults.length && !seen.has(null)} back ${model.fault != null}` +
        ` over ${w.scrollWidth - w.clientWidth}`;)");
  if (out.empty()) GTEST_SKIP() << noBrowser;
  EXPECT_TRUE(contains(out, "opens true clicks true keys true back true over 0"));
}

TEST(ExplorePage, RunsNoScriptThatANameHolds) {
  const std::string evil = "</script><script>document.title='run'</script><img src=x onerror=run>";
  simt::setKernelName(evil);
  Recording recording = recordingOf<int>(conflicting, evil, 32);
  simt::setKernelName("");
  recording.title = recording.about = evil + "\u2028";
  recording.estimate = madeUpEstimate();
  recording.estimate->about = recording.estimate->lines[0].waits = evil;
  recording.estimate->lines[0].source = recording.estimate->timeline.sources[1] = evil + ":3";
  recording.estimate->timeline.kinds[0].name = evil;
  const std::string page = explorePage({recording});
  EXPECT_FALSE(contains(page, evil));
  const std::string out = inBrowser({page}, R"(<iframe width="1000" height="700"></iframe>)", R"(
    frame.contentWindow.explorer.goTo(3);
    frame.contentWindow.explorer.showTimeline(true);
    out.textContent = `scripts ${d.scripts.length} images ${d.images.length} ` +
        d.querySelector('.title').textContent + ` in ${d.querySelectorAll('.array').length} arrays`;)");
  if (out.empty()) GTEST_SKIP() << noBrowser;
  EXPECT_TRUE(
      contains(out, "scripts 3 images 0 &lt;/script&gt;&lt;script&gt;document.title='run'"));
}

TEST(ExplorePage, ObeysTheKeys) {
  const std::string out = inBrowser({explorePage({recordingOf("neighbored less, shared")})},
                                    R"(<iframe width="400" height="800"></iframe>)", R"(
    const x = frame.contentWindow.explorer, seen = [];
    const press = (key, shiftKey = false) => {
      d.body.dispatchEvent(new KeyboardEvent('keydown', {key, shiftKey, bubbles: true}));
      const {step} = x.views[0].model;
      seen.push(step ? step.k + (step.passes ? step.passes : '') : 'start');
    };
    press('Home'); press('ArrowRight'); press('c'); press('p');
    seen.push('pass ' + x.views[0].pass);
    press('b'); press('d'); press('B', true); press('End'); press('ArrowLeft');
    const before = x.t;
    d.querySelector('tr.runs').click();
    out.textContent = seen.join(' ') + ` moved ${x.t < before} over ${w.scrollWidth - w.clientWidth}`;)");
  if (out.empty()) GTEST_SKIP() << noBrowser;
  EXPECT_TRUE(contains(out, "start load load2 load2 pass 1 barrier branch barrier return "));
  EXPECT_TRUE(contains(out, "moved true over 0"));
}

TEST(ExplorePage, TakesItsPositionFromTheAddress) {
  const TemporaryFolder folder;
  writeFile(folder.path("page.html"), explorePage({recordingOf("neighbored less")}));
  const std::string document = documentOf(folder.path("page.html") + "#t=5");
  if (document.empty()) GTEST_SKIP() << noBrowser;
  EXPECT_TRUE(contains(document, R"(<output class="position">5 / )"));
}

TEST(ExplorePage, StepsTwoTracesFromBarrierToBarrier) {
  const std::string out =
      inBrowser({explorePage({recordingOf("neighbored"), recordingOf("neighbored less")})},
                R"(<iframe width="1900" height="900"></iframe>)", R"(
    const x = frame.contentWindow.explorer, passed = [];
    const barriers = view => view.model.counters[view.model.trace.counters.findIndex(
        counter => counter.name == 'barriers')];
    for (let t = 0; t <= x.length; ++t) {
      x.goTo(t);
      passed.push(x.views.map(barriers).join());
    }
    out.textContent = `apart ${passed.filter(both => new Set(both.split(',')).size > 1).length} ` +
        `at the end ${passed.at(-1)} over ${w.scrollWidth - w.clientWidth}`;)");
  if (out.empty()) GTEST_SKIP() << noBrowser;
  EXPECT_TRUE(contains(out, "apart 0 at the end 6,6 over 0"));
}
