// What compare prints and draws.
#include <gtest/gtest.h>

#include "base/escape.h"
#include "compare/compare_testing.h"
#include "compare/comparison_tables.h"
#include "compare/result_pages.h"
#include "test_support/browser_testing.h"

TEST(Compare, PrintsTwoBackendsAndTwoSizes) {
  const Outcome outcome = compare({recorded, RESULTS_DIR "/h200_shuffle_2e30.json", counted});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "[1] NVIDIA H200, 2^28 int32, block 512"));
  EXPECT_TRUE(contains(outcome.out, "[2] NVIDIA H200, 2^30 int32, block 512"));
  EXPECT_TRUE(contains(outcome.out, "the fastest of its row in GB/s, as lengths differ"));
  EXPECT_TRUE(contains(outcome.out, "Reasons and times"));
}

TEST(Compare, EscapesMarkdown) {
  json file = aResult();
  file["steps"][0]["name"] = "a | *b* <script>";
  const TemporaryFolder folder;
  writeFile(folder.path("r.json"), file.dump());
  const Outcome outcome = compare({folder.path("r.json"), "--markdown"});
  EXPECT_TRUE(contains(outcome.out, "| a \\| \\*b\\* &lt;script> |"));
  EXPECT_TRUE(contains(outcome.out, "|---|---:|---:|"));
}

TEST(Compare, WritesAPageAndAPictureAndReplacesOnlyThose) {
  const TemporaryFolder folder;
  const Words arguments = {
      recorded, counted, "--html", folder.path("p.html"), "--svg", folder.path("p.svg")};
  EXPECT_TRUE(contains(compare(arguments).out, "wrote " + folder.path("p.html")));
  const Outcome again = compare(arguments);
  EXPECT_EQ(again.exitCode, 0);
  EXPECT_TRUE(contains(again.out, "replaced " + folder.path("p.svg")));
  EXPECT_EQ(folder.names(), (Words{"p.html", "p.svg"}));
}

TEST(Page, ShowsTextAsTextWhateverItSays) {
  const std::string evil = "<script>alert(1)</script>\"'&";
  Report report = card(evil, {timedStep(evil, evil, 1)});
  report.label = report.command = report.file = report.date = evil;
  const std::vector<Report> reports = {report};
  const Comparison all = compareResults(reports, StepOrder::lesson);
  for (const std::string& text : {htmlPage(all), ladderSvg(report)}) {
    EXPECT_FALSE(contains(text, "<script"));
    EXPECT_FALSE(contains(text, "\"'&"));
    EXPECT_TRUE(contains(text, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"));
  }
}

TEST(Page, FetchesNothing) {
  const std::vector<Report> reports = {readResult(recorded), readResult(counted)};
  const std::string page = htmlPage(compareResults(reports, StepOrder::lesson));
  for (const std::string part :
       {"http:", "https:", "src=", "href=\"h", "url(", "@import", "<script"})
    EXPECT_FALSE(contains(page, part));
}

TEST(Page, HasABarForEachTimedStepUnderTheRoof) {
  const std::vector<Report> reports = {readResult(recorded)};
  const std::string page = htmlPage(compareResults(reports, StepOrder::lesson));
  EXPECT_EQ(countOf(page, "<div class=\"bar"), reports[0].steps.size());
  EXPECT_EQ(countOf(page, "class=\"tip\""), reports[0].steps.size());
  EXPECT_TRUE(contains(page, "peak " + fixed(reports[0].machine.peakGbps, 0) + " GB/s"));
  const std::vector<double>& times = reports[0].steps[0].kernelMs;
  EXPECT_TRUE(contains(page, "median " + milliseconds(spreadOf(times).median) + " ms of " +
                                 std::to_string(times.size()) + " samples"));
}

// In a real browser, laid out for a phone, a laptop and a projector: nothing sticks out, bars are
// as long as their rates, and what a result file says is text.
TEST(Page, IsLaidOutRightInABrowser) {
  std::vector<Report> reports = {readResult(recorded), readResult(counted), readResult(recorded)};
  reports[2].machine.name = reports[2].label = "<script>document.title='run'</script>";
  const std::string out = inBrowser(
      {htmlPage(compareResults(reports, StepOrder::lesson))},
      R"(<iframe width="360" height="700"></iframe><iframe width="1280" height="700"></iframe>
<iframe width="1920" height="1080"></iframe>)",
      R"(const roof = d.querySelector('.roof').getBoundingClientRect().width;
    const bars = [...d.querySelectorAll('.panel:first-of-type .bar')].map(
        bar => (100 * bar.getBoundingClientRect().width / roof).toFixed(1));
    out.textContent += `width ${frame.width} over ${w.scrollWidth - w.clientWidth}` +
        ` title ${d.title} scripts ${d.scripts.length} bars ${bars[0]} ${bars[7]}\n`;)");
  if (out.empty()) GTEST_SKIP() << noBrowser;
  const auto percent = [&](size_t step) {
    return fixed(100 * reports[0].gbps(reports[0].steps[step]) / reports[0].machine.peakGbps, 1);
  };
  for (const std::string width : {"360", "1280", "1920"})
    EXPECT_TRUE(contains(out, "width " + width +
                                  " over 0 title Adding up an array: results side by side scripts 0"
                                  " bars " +
                                  percent(0) + " " + percent(7)));
}

// Of a whole room, with several GPUs in some machines: the ranking is seen first, each of its rows
// leads to a ladder, and the names of the steps stay in sight when the table is moved.
TEST(Page, OfFortyFilesCanBeUsedInABrowser) {
  std::vector<Report> reports(40, readResult(recorded));
  for (size_t i = 1; i < reports.size(); i += 8)
    reports[i] = readResult(RESULTS_DIR "/h200_several_gpus.json");
  for (size_t i = 0; i < reports.size(); i += 2)
    reports[i].label = "Participant number " + std::to_string(i);
  const std::string out = inBrowser(
      {htmlPage(compareResults(reports, StepOrder::lesson))},
      R"(<iframe width="400" height="700"></iframe><iframe width="1300" height="700"></iframe>)",
      R"(const links = [...d.querySelectorAll('.ranking a')];
    const lead = links.filter(a => d.querySelector(a.getAttribute('href') + '.panel')).length;
    const times = [...d.querySelectorAll('.scroll')].at(-1), name = times.querySelector('tbody th');
    const before = name.getBoundingClientRect().left;
    times.scrollLeft = 1000;
    const moved = name.getBoundingClientRect().left - before;
    const head = times.querySelectorAll('thead th').length;
    const sizes = [...times.querySelectorAll('tbody th')].map(th => th.scrollWidth - th.clientWidth);
    out.textContent += `width ${frame.width} over ${w.scrollWidth - w.clientWidth}` +
        ` ranked ${links.length} lead ${lead} in sight ${links[0].getBoundingClientRect().top < 700}` +
        ` columns ${head} moved ${times.scrollLeft} name ${moved} wide ${Math.max(...sizes)}\n`;)");
  if (out.empty()) GTEST_SKIP() << noBrowser;
  for (const std::string width : {"400", "1300"})
    EXPECT_TRUE(contains(out, "width " + width +
                                  " over 0 ranked 40 lead 40 in sight true columns 121"
                                  " moved 1000 name 0 wide 0"));
}
