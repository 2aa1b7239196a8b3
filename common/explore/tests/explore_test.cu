// --explore: what a page holds of kernels, and what a real browser makes of it.
#include "explore/explore.h"

#include <nlohmann/json.hpp>

#include "../../../08_shuffle/steps.h"
#include "explore/trace_json.h"
#include "measure/workspace.h"
#include "test_support/browser_testing.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

namespace {

using nlohmann::json;

Recording recordingOf(const Step& step, unsigned block, uint64_t n) {
  return recordLaunch(step.name, "", [=] {
    Input ones{std::make_unique<int[]>(n), n, int64_t(n)};
    std::fill_n(ones.values.get(), n, 1);
    Workspace(ones, block).totalOf(step);
  });
}

Recording recordingOf(const std::string& name) {
  const Step step = findStep(ladderTo08(), name);
  return recordingOf(step, 64, uint64_t(64) * step.elementsPerThread);
}

// What the steps of a trace add up to, in the order of the counters.
std::vector<uint64_t> sumsOf(const json& trace) {
  std::vector<uint64_t> sums(trace["counters"].size());
  for (const json& step : trace["steps"])
    if (step.contains("c"))
      for (const json& one : step["c"]) sums.at(one[0].get<size_t>()) += one[1].get<uint64_t>();
  return sums;
}

std::vector<uint64_t> countersOf(const Counters& counted) {
  std::vector<uint64_t> values;
  for (const simt::CounterInfo& counter : simt::counterList)
    values.push_back(counted.*counter.member);
  return values;
}

json traceOf(const Recording& recording) { return traceAsJson(recording, 4'000'000); }

std::string joined(const std::vector<uint64_t>& values) {
  std::string text;
  for (const uint64_t value : values) text += std::to_string(value) + ' ';
  return text;
}

// Thread t reads what thread t + 1 writes, and no barrier lies between.
__global__ void racing(int* data) {
  data[threadIdx.x] = int(threadIdx.x);
  data[threadIdx.x + 32] = data[(threadIdx.x + 1) % 32];
}

// The first pass of each half of the lanes meets that of the other in its banks.
__global__ void conflicting(int* data) {
  __shared__ int words[64];
  words[2 * threadIdx.x] = int(threadIdx.x);
  __syncwarp();
  data[threadIdx.x] = words[2 * threadIdx.x];
}

__global__ void halves(double* data) {
  if (threadIdx.x < 16)
    data[threadIdx.x] = 0.5;
  else
    atomicAdd(&data[16], 1.5);
}

template <typename T, typename Kernel>
Recording recordingOf(Kernel kernel, const std::string& array, size_t n, unsigned threads = 32) {
  return recordLaunch("a kernel", "", [=] {
    DeviceArray<T> data(n, array);
    const std::vector<T> zeros(n);
    data.copyFromHost(zeros.data());
    launch(dim3(1), dim3(threads), kernel, data.data());
  });
}

// Whether a step says this.
bool says(const json& trace, const std::string& sentence) {
  return std::ranges::any_of(trace["steps"],
                             [&](const json& step) { return step["text"] == sentence; });
}

}  // namespace

#define NEEDS_TRACES() \
  if (!simt::instrumented()) GTEST_SKIP() << "kernels report no memory accesses in this build"

TEST(Explore, ShowsTheEstimatedTimeOfTheLinesOnThePage) {
  NEEDS_COUNTERS();
  Recording recording = recordingOf("neighbored");
  EXPECT_TRUE(traceOf(recording)["time"].is_null());
  recording.time = LineShares{"an estimate", {{"neighbored.cuh:17", 0.25}, {"else.cuh:1", 0.5}}};
  const json trace = traceOf(recording), time = trace["time"];
  EXPECT_EQ(time["about"], "an estimate");
  ASSERT_EQ(time["shares"].size(), 1u);
  EXPECT_EQ(time["shares"][0][1], 0.25);
  const json& source = trace["sources"][0];
  EXPECT_EQ(time["shares"][0][0].get<int>() + source["first"].get<int>(), 17);
}

TEST(Explore, CountsAsTheExecutorDoesForEveryStep) {
  NEEDS_TRACES();
  for (const Step& step : ladderTo08()) {
    if (!step.runsHere()) continue;
    for (const unsigned block : {64u, 256u}) {
      const Recording recording =
          recordingOf(step, block, uint64_t(block) * step.elementsPerThread);
      EXPECT_FALSE(recording.fault) << step.name;
      EXPECT_EQ(sumsOf(traceOf(recording)), countersOf(recording.counted)) << step.name;
    }
  }
}

TEST(Explore, ShowsTheSourceOfEachStep) {
  NEEDS_TRACES();
  const json trace = traceOf(recordingOf("neighbored less"));
  EXPECT_EQ(trace["sources"][0]["name"], "neighbored_less.cuh");
  const json& lines = trace["sources"][0]["lines"];
  EXPECT_TRUE(contains(lines[0].get<std::string>(), "__global__ void neighboredLess("));
  EXPECT_EQ(lines.back(), "}");
  for (const json& step : trace["steps"]) {
    if (step["k"] != "load" || step["m"] != 0xffffffff) continue;
    EXPECT_TRUE(contains(lines[step["at"].get<size_t>()].get<std::string>(), "block[i + stride]"));
  }
}

TEST(Explore, SaysInWordsWhatAStepDoes) {
  NEEDS_TRACES();
  const json trace = traceOf(recordingOf("neighbored less"));
  for (const std::string sentence :
       {"Warp 0 loads data[0], data[2], data[4], … data[62]: 8 sectors, half of each used; 4 would "
        "hold as much.",
        "Lanes 0 to 3 of warp 0 load data[0], data[16], data[32] and data[48]: 4 sectors, an "
        "eighth "
        "of each used; 1 would hold as much.",
        "Lane 0 of warp 0 stores blockSums[0]: 1 sector, an eighth of it used.",
        "Warp 1 waits at the barrier: 1 of 2 warps is there.",
        "Warp 0 is the last at the barrier: both warps go on.", "Warp 0 returns."})
    EXPECT_TRUE(says(trace, sentence)) << sentence;
}

TEST(Explore, HasThePassesOfABankConflict) {
  NEEDS_TRACES();
  const json trace = traceOf(recordingOf<int>(conflicting, "data", 32));
  for (const json& step : trace["steps"])
    if (step.contains("p")) {
      EXPECT_EQ(step["passes"], 2);
      EXPECT_EQ(step["p"][0], 1);
      EXPECT_EQ(step["p"][16], 2);
      EXPECT_TRUE(contains(step["text"].get<std::string>(),
                           "2 passes, as up to 2 different words lie in one bank"));
    }
  EXPECT_EQ(sumsOf(trace)[5], 1u);
}

TEST(Explore, TellsFloatingPointNumbersFromIntegers) {
  NEEDS_TRACES();
  const json trace = traceOf(recordingOf<double>(halves, "data", 17));
  EXPECT_EQ(trace["arrays"][0]["cell"], 8);
  bool stored = false, updated = false;
  for (const json& step : trace["steps"]) {
    if (step["k"] == "store") stored = step["v"][0] == "0.5";
    if (step["k"] == "atomic") updated = step["v"][1] == "1.5";
  }
  EXPECT_TRUE(stored && updated) << trace.dump(1);
}

TEST(Explore, CutsOffWhatIsTooLong) {
  NEEDS_TRACES();
  const json trace = traceAsJson(recordingOf("neighbored"), 5000);
  EXPECT_TRUE(contains(trace["cut"].get<std::string>(), "Cut off after "));
  EXPECT_LT(trace["steps"].dump().size(), 6000u);
}

TEST(Explore, RecordsTheBlockThatHasTheFault) {
  NEEDS_TRACES();
  const Recording recording = recordingOf<int>(racing, "data", 64);
  ASSERT_TRUE(recording.fault);
  const json trace = traceOf(recording);
  EXPECT_EQ(trace["fault"]["text"], trace["steps"].back()["text"]);
  EXPECT_EQ(trace["fault"]["lines"].size(), 2u) << trace["fault"];
  EXPECT_EQ(trace["fault"]["marks"].size(), 2u);
}

// ---- In a browser

TEST(ExplorePage, OfEveryLessonCountsForwardsAndBackwards) {
  NEEDS_TRACES();
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
  NEEDS_TRACES();
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
  EXPECT_TRUE(contains(out, recording.fault->what()));
  EXPECT_TRUE(contains(out, "cells 0:1 lanes 0,1"));
}

TEST(ExplorePage, RunsNoScriptThatANameHolds) {
  NEEDS_TRACES();
  const std::string evil = "</script><script>document.title='run'</script><img src=x onerror=run>";
  simt::setKernelName(evil);
  Recording recording = recordingOf<int>(conflicting, evil, 32);
  simt::setKernelName("");
  recording.title = recording.about = evil + "\u2028";
  const std::string page = explorePage({recording});
  EXPECT_FALSE(contains(page, evil));
  const std::string out = inBrowser({page}, R"(<iframe width="1000" height="700"></iframe>)", R"(
    frame.contentWindow.explorer.goTo(3);
    out.textContent = `scripts ${d.scripts.length} images ${d.images.length} ` +
        d.querySelector('.title').textContent + ` in ${d.querySelectorAll('.array').length} arrays`;)");
  if (out.empty()) GTEST_SKIP() << noBrowser;
  EXPECT_TRUE(
      contains(out, "scripts 2 images 0 &lt;/script&gt;&lt;script&gt;document.title='run'"));
}

TEST(ExplorePage, ObeysTheKeys) {
  NEEDS_TRACES();
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
  NEEDS_TRACES();
  const TemporaryFolder folder;
  writeFile(folder.path("page.html"), explorePage({recordingOf("neighbored less")}));
  const std::string document = documentOf(folder.path("page.html") + "#t=5");
  if (document.empty()) GTEST_SKIP() << noBrowser;
  EXPECT_TRUE(contains(document, R"(<output class="position">5 / )"));
}

TEST(ExplorePage, StepsTwoTracesFromBarrierToBarrier) {
  NEEDS_TRACES();
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
