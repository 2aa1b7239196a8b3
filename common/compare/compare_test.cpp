// build/compare: what it computes, what it draws, and what it refuses. COMPARE is the program,
// RESULTS_DIR the folder of recorded results.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/errors.h"
#include "compare/comparison.h"
#include "compare/result_pages.h"
#include "report/result_file.h"
#include "test_support/host_testing.h"
#include "test_support/program_testing.h"

namespace {

using nlohmann::json;

const std::string recorded = RESULTS_DIR "/h200_ladder.json";
const std::string counted = RESULTS_DIR "/cpu_ladder.json";

StepResult timedStep(const std::string& lesson, const std::string& name, double ms) {
  return {.lesson = lesson, .name = name, .ok = true, .kernelMs = {ms, 2 * ms, ms / 2}};
}

// A card with 1000 GB/s: n elements of 4 bytes, so 1 ms is 4 GB/s for a million.
Report card(const std::string& name, std::vector<StepResult> steps) {
  Report report{.program = "ladder", .backend = Backend::gpu, .n = 1000000, .block = 512};
  report.machine.name = name;
  report.machine.peakGbps = 1000;
  report.steps = std::move(steps);
  return report;
}

StepResult countedStep(const std::string& name, const std::string& basedOn, Counters counters) {
  return {.lesson = "x", .name = name, .basedOn = basedOn, .ok = true, .counters = counters};
}

Outcome compare(const Words& arguments, const Setting& setting = {}) {
  return run(COMPARE, arguments, setting);
}

// The result file of one step, as a value to spoil.
json aResult() {
  json file = json::parse(contentsOf(recorded));
  file["steps"] = json::array({file["steps"][0]});
  return file;
}

size_t countOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

// ---- What it computes

TEST(Comparison, RelatesEachMachineToItsOwnLesson02AndPeak) {
  const std::vector<Report> reports = {
      card("slow", {timedStep("02_neighbored", "neighbored", 8), timedStep("05", "unroll", 4)}),
      card("fast", {timedStep("02_neighbored", "neighbored", 2), timedStep("05", "unroll", 0.5)})};
  const Comparison all = compareResults(reports, RowOrder::lesson);
  ASSERT_EQ(all.rows.size(), 2u);
  const Row& row = all.rows[1];
  EXPECT_EQ(row.name, "unroll");
  EXPECT_DOUBLE_EQ(*row.cells[0].overLesson02, 2);
  EXPECT_DOUBLE_EQ(*row.cells[1].overLesson02, 4);
  EXPECT_DOUBLE_EQ(*row.cells[0].percentOfPeak, 0.1);
  EXPECT_DOUBLE_EQ(*row.cells[1].percentOfPeak, 0.8);
  EXPECT_FALSE(row.cells[0].fastest);
  EXPECT_TRUE(row.cells[1].fastest);
}

TEST(Comparison, ComparesRatesWhereLengthsDiffer) {
  Report shorter = card("short", {timedStep("02_neighbored", "neighbored", 1)});
  shorter.n /= 4;
  const std::vector<Report> reports = {shorter,
                                       card("long", {timedStep("02_neighbored", "neighbored", 2)})};
  const Comparison all = compareResults(reports, RowOrder::lesson);
  EXPECT_FALSE(all.sameInput);
  EXPECT_FALSE(all.rows[0].cells[0].fastest);
  EXPECT_TRUE(all.rows[0].cells[1].fastest);
}

TEST(Comparison, NeverCallsAWrongResultTheFastest) {
  std::vector<Report> reports = {card("a", {timedStep("02_neighbored", "neighbored", 1)}),
                                 card("b", {timedStep("02_neighbored", "neighbored", 2)}),
                                 card("c", {timedStep("02_neighbored", "neighbored", 3)})};
  reports[0].steps[0].ok = false;
  const Comparison all = compareResults(reports, RowOrder::lesson);
  EXPECT_FALSE(all.rows[0].cells[0].fastest);
  EXPECT_TRUE(all.rows[0].cells[1].fastest);
  EXPECT_FALSE(all.rows[0].cells[0].overLesson02);
  EXPECT_TRUE(contains(timesTable(all).text(), "WRONG"));
}

TEST(Comparison, KeepsTheOrderOfTheLessonsWhateverAFileLacks) {
  const std::vector<Report> reports = {
      card("a", {timedStep("x", "one", 1), timedStep("x", "three", 1)}),
      card("b", {timedStep("x", "one", 1), timedStep("x", "two", 3), timedStep("x", "three", 2)})};
  const auto names = [&](RowOrder order) {
    std::string names;
    const Comparison all = compareResults(reports, order);
    for (const Row& row : all.rows) names += row.name + " ";
    return names;
  };
  EXPECT_EQ(names(RowOrder::lesson), "one two three ");
  EXPECT_EQ(names(RowOrder::name), "one three two ");
  EXPECT_EQ(names(RowOrder::time), "one three two ");
  const Comparison all = compareResults(reports, RowOrder::lesson);
  EXPECT_EQ(timesTable(all).rows()[2][1].text, "–");  // a has no two
}

TEST(Comparison, TellsStepsOfOneNameApart) {
  Report report = card("a", {timedStep("x", "sum", 1), timedStep("x", "sum", 2),
                             timedStep("x", "sum", 3), timedStep("x", "sum", 4)});
  report.steps[1].n = 1024;
  report.steps[2].cache = "warm";
  const std::vector<Report> reports = {report};
  const Comparison all = compareResults(reports, RowOrder::lesson);
  ASSERT_EQ(all.rows.size(), 4u);
  EXPECT_EQ(all.rows[0].name, "sum");
  EXPECT_EQ(all.rows[1].name, "sum, n = 2^10");
  EXPECT_EQ(all.rows[2].name, "sum, warm");
  EXPECT_EQ(all.rows[3].name, "sum (2)");
}

TEST(Comparison, PutsFilesOfOneLabelTogetherAndRanksTheLabels) {
  std::vector<Report> reports = {card("a", {timedStep("x", "sum", 4)}),
                                 card("b", {timedStep("x", "sum", 2)}),
                                 card("c", {timedStep("x", "sum", 3)})};
  reports[0].label = reports[2].label = "Ada";
  reports[1].label = "Bob";
  const Comparison all = compareResults(reports, RowOrder::lesson);
  EXPECT_EQ(all.machines[1]->machine.name, "c");
  const Table labels = labelsTable(all);
  ASSERT_EQ(labels.rows().size(), 3u);
  EXPECT_EQ(labels.rows()[1][0].text, "Bob");
  EXPECT_EQ(labels.rows()[2][0].text, "Ada");
  EXPECT_TRUE(labels.rows()[2][1].text.starts_with("c, "));
}

TEST(Comparison, SaysWhichCountersMoved) {
  const Report report = card(
      "cpu",
      {countedStep("before", "", {.load_requests = 4000, .load_sectors = 8000, .barriers = 1000}),
       countedStep("after", "before",
                   {.load_requests = 1000, .load_sectors = 8000, .shuffles = 2000})});
  EXPECT_EQ(whatMoved(report, report.steps[0], report.steps[1]),
            "barriers → 0, shuffles 0 → 2, load requests ÷ 4");
  EXPECT_EQ(whatMoved(report, report.steps[0], report.steps[0]), "none");
}

TEST(Comparison, JoinsReasonsAndTimes) {
  const std::vector<Report> reports = {readResult(recorded), readResult(counted)};
  const Comparison all = compareResults(reports, RowOrder::lesson);
  ASSERT_EQ(all.counted.size(), 1u);
  const Table table = reasonsTable(all, *all.counted[0]);
  const Table::Row& row = table.rows()[3];
  EXPECT_EQ(row[0].text, "neighbored less");
  EXPECT_EQ(row[1].text, "80.1");                            // 41 load requests per 512 elements
  EXPECT_EQ(row[2].text, "998");                             // 511 sectors
  EXPECT_NEAR(std::stod(row[7].text), 3.334 / 1.784, 0.01);  // times as fast, and why:
  EXPECT_TRUE(contains(row[8].text, "load requests ÷ 4.7"));
}

TEST(Comparison, HasALineForEachStepAndMachineInCsv) {
  Report evil = card("=1+1, \"x\"", {timedStep("02_neighbored", "a, b", 1)});
  evil.file = "f";
  const std::vector<Report> reports = {evil};
  const std::string csv = tidyCsv(compareResults(reports, RowOrder::lesson));
  EXPECT_EQ(csv.substr(csv.find("\r\n") + 2),
            "f,,\"'=1+1, \"\"x\"\"\",gpu,ladder,1000000,512,\"a, b\",1,0.5,2,3,4,1,0.4,yes,no\r\n");
}

// ---- What it reads

TEST(ReadResult, ReadsEveryRecordedFile) {
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RESULTS_DIR)) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    const Report report = readResult(entry.path().string());
    EXPECT_FALSE(report.steps.empty()) << entry.path();
    EXPECT_TRUE(report.allRight()) << entry.path();
    EXPECT_FALSE(report.date.empty()) << entry.path();
    EXPECT_TRUE(contains(report.command, report.program)) << entry.path();
  }
  EXPECT_GE(files, 19u);
}

TEST(ReadResult, ReadsWhatAReportWrites) {
  Report report = card("A GPU", {timedStep("02_neighbored", "neighbored", 3)});
  report.label = "Ada's laptop";
  report.command = "ladder --label 'Ada'\\''s laptop'";
  report.date = utcNow();
  const TemporaryFolder folder;
  {
    const Captured quiet(std::cout);
    ResultFile(folder.path("r.json")).write(report);
  }
  const Report back = readResult(folder.path("r.json"));
  EXPECT_EQ(back.label, report.label);
  EXPECT_EQ(back.command, report.command);
  EXPECT_EQ(back.date, report.date);
  EXPECT_EQ(back.n, report.n);
  EXPECT_EQ(back.steps[0].kernelMs, report.steps[0].kernelMs);
  EXPECT_EQ(back.machine.peakGbps, 1000);
}

TEST(ReadResult, TakesNoControlCharactersOver) {
  json file = aResult();
  file["machine"]["name"] = "a\x1b[2Jb\nc";
  file["label"] = std::string(500, 'x');
  const Report report = parseResult(file.dump(), "f");
  EXPECT_EQ(report.machine.name, "a [2Jb c");
  EXPECT_EQ(report.label.size(), 203u);  // and an ellipsis
}

// ---- What it refuses: one line with file and reason, exit code 2, every output untouched

TEST(Compare, RefusesWhatIsNoResultFile) {
  const std::string good = aResult().dump();
  const auto spoilt = [](const std::function<void(json&)>& spoil) {
    json file = aResult();
    spoil(file);
    return file.dump();
  };
  const auto time = [&](const std::string& text) {  // also what no json library would write
    return std::regex_replace(good, std::regex("\"median\":[0-9.]+"), "\"median\":" + text);
  };
  const auto samples = [&](const json& list) {
    return spoilt([&](json& f) { f["steps"][0]["kernel_ms"]["samples"] = list; });
  };
  const std::vector<std::pair<std::string, std::string>> table = {
      {"", "is empty"},
      {" \n", "is empty"},
      {"notes", "is not JSON (line 1)"},
      {"{\n\"schema\": 1,\n!", "is not JSON (line 3)"},
      {"\xff\xfe", "is not JSON"},
      {std::string("\0\0\0", 3), "is not JSON"},
      {good.substr(0, good.size() / 2), "is cut short"},
      {good.substr(0, good.size() - 1), "is cut short"},
      {good + "}", "is not JSON"},
      {std::string(100000, '['), "is cut short"},
      {std::string(100000, '[') + std::string(100000, ']'), "is not a result file"},
      {"[]", "is not a result file"},
      {"1", "is not a result file"},
      {"null", "is not a result file"},
      {"{}", "is not a result file"},
      {R"({"steps": []})", "schema is missing"},
      {spoilt([](json& f) { f["schema"] = 2; }), "schema is not 1"},
      {spoilt([](json& f) { f["schema"] = "1"; }), "schema is not 1"},
      {spoilt([](json& f) { f.erase("steps"); }), "steps is missing"},
      {spoilt([](json& f) { f["steps"] = 5; }), "steps is not a list"},
      {spoilt([](json& f) { f["steps"][0] = 5; }), "steps[0] is not an object"},
      {spoilt([](json& f) { f["steps"][0].erase("name"); }), "steps[0].name is missing"},
      {spoilt([](json& f) { f["steps"][0]["ok"] = 1; }), "steps[0].ok is neither true nor false"},
      {spoilt([](json& f) { f["steps"][0]["blocks"] = -1; }), "steps[0].blocks is not a count"},
      {spoilt([](json& f) { f["steps"][0]["kernel_ms"] = 1; }), "kernel_ms is not an object"},
      {spoilt([](json& f) { f["machine"] = "H200"; }), "machine is not an object"},
      {spoilt([](json& f) { f["machine"]["name"] = 7; }), "machine.name is not a text"},
      {spoilt([](json& f) { f["machine"]["peak_gbps"] = 0; }), "peak_gbps is not above 0"},
      {spoilt([](json& f) { f["backend"] = "tpu"; }), "backend is neither gpu nor cpu"},
      {spoilt([](json& f) { f["input"]["n"] = -5; }), "input.n is not a count"},
      {spoilt([](json& f) { f["input"]["n"] = 1.5; }), "input.n is not a count"},
      {spoilt([](json& f) { f["input"]["n"] = uint64_t(1) << 63; }), "input.n is not a count"},
      {time("NaN"), "is not JSON"},
      {time("1e999"), "is not JSON (a number is too large)"},
      {time("null"), "median is not a number"},
      {time("\"fast\""), "median is not a number"},
      {time("-3.3"), "median is not above 0"},
      {time("0"), "median is not above 0"},
      {time("0.001"), "median is not what its samples say"},
      {samples({1, -1, 1}), "samples[1] is not above 0"},
      {samples({1, nullptr}), "samples[1] is not a number"},
      {samples(json::array()), "samples is empty"},
      {spoilt([](json& f) {
         f["steps"][0]["counters"] = {{"load_requests", 1}};
       }),
       "is missing"}};
  for (const auto& [text, reason] : table) {
    SCOPED_TRACE(reason + " <- " + text.substr(0, 200));
    const TemporaryFolder folder;
    const std::string bad = folder.path("bad.json"), page = folder.path("page.html");
    writeFile(bad, text);
    writeFile(page, "<meta name=\"generator\" content=\"build/compare\">earlier");
    const Outcome outcome = compare({recorded, bad, "--html", page, "--svg", folder.path("p.svg")});
    EXPECT_EQ(outcome.exitCode, 2) << "signal " << outcome.signal;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("compare: " + bad + ": ")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, reason));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_TRUE(contains(contentsOf(page), "earlier"));
    EXPECT_EQ(folder.names(), (Words{"bad.json", "page.html"}));
  }
}

TEST(Compare, RefusesWhatItCannotRead) {
  const TemporaryFolder folder;
  for (const auto& [path, reason] :
       std::vector<std::pair<std::string, std::string>>{{folder.path("none"), "No such file"},
                                                        {folder.path(), "is a directory"},
                                                        {recorded + "/x", "Not a directory"}}) {
    const Outcome outcome = compare({path});
    EXPECT_EQ(outcome.exitCode, 2);
    EXPECT_TRUE(contains(outcome.err, path + ": "));
    EXPECT_TRUE(contains(outcome.err, reason));
  }
}

TEST(Compare, RefusesBadUsage) {
  const TemporaryFolder folder;
  const std::vector<std::pair<Words, std::string>> table = {
      {{}, "name one result file or more"},
      {{recorded, "--markdown", "--csv"}, "choose one of them"},
      {{recorded, "--sort", "colour"}, "--sort 'colour': expected lesson, name or time"},
      {{recorded, "--sort"}, "--sort"},
      {{recorded, "--html"}, "--html"},
      {{recorded, "--html", ""}, "--html '': expected a file name"},
      {{recorded, "--html", "a", "--html", "b"}, "--html"},
      {{recorded, "--html", "x", "--svg", "x"}, "name two different files"},
      {{recorded, "--html", "/no/such/x.html"}, "--html /no/such/x.html: cannot be written"},
      {{recorded, "--html", folder.path()}, "is a directory"},
      {{recorded, "--html", recorded}, "exists and is not a page of compare"},
      {{recorded, "--svg", recorded}, "exists and is not a picture of compare"},
      {{counted, "--svg", "x.svg"}, "none of the files has times to draw"},
      {{recorded, "--bogus"}, "--bogus"}};
  for (const auto& [arguments, reason] : table) {
    SCOPED_TRACE(reason);
    const Outcome outcome = compare(arguments, {.workingFolder = folder.path()});
    EXPECT_EQ(outcome.exitCode, 2) << "signal " << outcome.signal;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, reason));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_EQ(folder.names(), Words{});
  }
}

TEST(Compare, SaysThatADiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  Outcome outcome = compare({recorded}, {.standardOutput = "/dev/full"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_TRUE(contains(outcome.err, "standard output could not be written"));
  outcome = compare({recorded, "--html", "/dev/full"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_TRUE(contains(outcome.err, "--html /dev/full: could not be written"));
}

// ---- What it prints and draws

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
  const Comparison all = compareResults(reports, RowOrder::lesson);
  for (const std::string& text : {htmlPage(all), ladderSvg(report)}) {
    EXPECT_FALSE(contains(text, "<script"));
    EXPECT_FALSE(contains(text, "\"'&"));
    EXPECT_TRUE(contains(text, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"));
  }
}

TEST(Page, FetchesNothing) {
  const std::vector<Report> reports = {readResult(recorded), readResult(counted)};
  const std::string page = htmlPage(compareResults(reports, RowOrder::lesson));
  for (const std::string part : {"http:", "https:", "src=", "href=", "url(", "@import", "<script"})
    EXPECT_FALSE(contains(page, part));
}

TEST(Page, HasABarForEachTimedStepUnderTheRoof) {
  const std::vector<Report> reports = {readResult(recorded)};
  const std::string page = htmlPage(compareResults(reports, RowOrder::lesson));
  EXPECT_EQ(countOf(page, "<div class=\"bar"), reports[0].steps.size());
  EXPECT_EQ(countOf(page, "class=\"tip\""), reports[0].steps.size());
  EXPECT_TRUE(contains(page, "peak 4814 GB/s"));
  EXPECT_TRUE(contains(page, "median 3.334 ms of 30 samples"));
}

TEST(Picture, IsTheRecordedOne) {
  EXPECT_EQ(ladderSvg(readResult(recorded)), contentsOf(RESULTS_DIR "/h200_ladder.svg"))
      << "draw it again: build/compare common/results/h200_ladder.json "
         "--svg common/results/h200_ladder.svg";
}

// In a real browser, laid out for a phone, a laptop and a projector: nothing sticks out, bars are
// as long as their rates, and what a result file says is text.
TEST(Page, IsLaidOutRightInABrowser) {
  std::string browser;
  for (const std::string path :
       {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"})
    if (browser.empty() && std::filesystem::exists(path)) browser = path;
  if (browser.empty()) GTEST_SKIP() << "no Chromium here (Debian: apt-get install chromium)";

  std::vector<Report> reports = {readResult(recorded), readResult(counted), readResult(recorded)};
  reports[2].machine.name = reports[2].label = "<script>document.title='run'</script>";
  const std::string page = htmlPage(compareResults(reports, RowOrder::lesson));
  std::string quoted;
  for (const char c : page)
    quoted += c == '"' ? std::string("&quot;") : c == '&' ? "&amp;" : std::string(1, c);
  const TemporaryFolder folder;
  writeFile(folder.path("test.html"), R"(<!doctype html><meta charset="utf-8"><body>
<iframe width="360" height="700"></iframe><iframe width="1280" height="700"></iframe>
<iframe width="1920" height="1080"></iframe><div id="page" hidden data-page=")" +
                                          quoted + R"("></div><pre id="out"></pre><script>
const frames = [...document.querySelectorAll('iframe')];
let left = frames.length;
for (const frame of frames) {
  frame.onload = () => {
    const d = frame.contentDocument, w = d.documentElement;
    const roof = d.querySelector('.roof').getBoundingClientRect().width;
    const bars = [...d.querySelectorAll('.panel:first-of-type .bar')].map(
        bar => (100 * bar.getBoundingClientRect().width / roof).toFixed(1));
    out.textContent += `width ${frame.width} over ${w.scrollWidth - w.clientWidth}` +
        ` title ${d.title} scripts ${d.scripts.length} bars ${bars[0]} ${bars[7]}\n`;
    if (--left == 0) document.title = 'measured';
  };
  frame.srcdoc = document.getElementById('page').dataset.page;
}
</script>)");
  const Outcome outcome = run(
      browser,
      {"--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + folder.path("profile"),
       "--virtual-time-budget=10000", "--dump-dom", "file://" + folder.path("test.html")},
      {.workingFolder = folder.path()});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  for (const std::string width : {"360", "1280", "1920"})
    EXPECT_TRUE(
        contains(outcome.out, "width " + width +
                                  " over 0 title Adding up an array: results side by side scripts 0"
                                  " bars 6.7 73.3"));
}
