// What compare reads, and what it refuses: one line with file and reason, exit code 2, every output
// untouched.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "compare/compare_testing.h"
#include "test_support/sanitizer.h"

TEST(ReadResult, ReadsEveryRecordedFile) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(RESULTS_DIR))
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  EXPECT_GE(files.size(), 19u);
  for (const std::string& file : thinned(files)) {
    const Report report = readResult(file);
    EXPECT_FALSE(report.steps.empty()) << file;
    EXPECT_TRUE(report.allRight()) << file;
    EXPECT_FALSE(report.date.empty()) << file;
    EXPECT_TRUE(contains(report.command, report.program)) << file;
    const std::string text = resultText(file);
    EXPECT_EQ(rewritten(text, ""), text) << "build/compare --rewrite " << file;
  }
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
      {spoilt([](json& f) { f["machine"]["peak_gbps"] = 1e-300; }),
       "is not between 0.001 and 1e+09"},
      {spoilt([](json& f) { f["machine"]["peak_gbps"] = 1e300; }),
       "is not between 0.001 and 1e+09"},
      {samples({1e-300}), "samples[0] is not between 1e-09 and 1e+09"},
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

// A page, a picture or a result that holds our mark somewhere, or ours with something of theirs.
TEST(Compare, ReplacesOnlyWhatItWroteItself) {
  const TemporaryFolder folder;
  const std::string page = folder.path("p.html"), picture = folder.path("p.svg");
  EXPECT_EQ(compare({recorded, "--html", page, "--svg", picture}).exitCode, 0);
  const std::string ourPage = contentsOf(page), ourPicture = contentsOf(picture);
  const std::string head = ourPage.substr(0, ourPage.find("<meta name=\"viewport\""));
  const std::string mark = "<!-- drawn by build/compare -->";
  const std::vector<std::pair<std::string, std::string>> theirs = {
      {"--html", "int main() { return find(\"" + head + "\"); }"},
      {"--html", "<!doctype html>\n<html><body>my blog" + ourPage + "</body></html>\n"},
      {"--html", ourPage + "my notes\n"},
      {"--html", ourPage + ourPage},
      {"--html", " " + ourPage},
      {"--html", ourPage.substr(0, ourPage.size() / 2)},
      {"--html", head + "<body>my notes"},
      {"--html", head + "</main></body>\n</html>\n"},
      {"--svg", "<!doctype html>\n<html><body>" + ourPicture + "</body></html>\n"},
      {"--svg", "<svg>\n<p>my drawing</p>" + mark + "\n</svg>\n"},
      {"--svg", "<svg>\n" + mark + "\n</svg>\n<p>mine</p>"},
      {"--svg", ourPicture.substr(0, ourPicture.size() / 2)},
      {"--svg", ourPicture + ourPicture},
      {"--svg", R"({"schema": 1, "label": ")" + mark + R"(", "steps": []})"}};
  for (const auto& [option, text] : theirs) {
    const std::string path = folder.path("theirs");
    writeFile(path, text);
    const Outcome outcome = compare({recorded, option, path});
    EXPECT_EQ(outcome.exitCode, 2) << text.substr(0, 300);
    EXPECT_TRUE(contains(outcome.err, "exists and is not a p"));
    EXPECT_EQ(contentsOf(path), text);
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
      {{recorded, "--html", "x", "--svg", "./x"}, "name two different files"},
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

TEST(Compare, SaysThatItsOutputMayNotGrow) {
  const TemporaryFolder folder;
  // What it says goes through a pipe, as no file may grow.
  const Outcome outcome =
      run("/bin/sh", {"-c", "(ulimit -f 0; \"$0\" \"$1\" > \"$2\"; echo code $? >&2) 2>&1 | cat",
                      COMPARE, recorded, folder.path("out")});
  EXPECT_EQ(outcome.out, "compare: standard output could not be written\ncode 2\n");
}

TEST(Compare, RewritesEarlierFilesAsProgramsWriteThemToday) {
  const TemporaryFolder folder;
  const std::string path = folder.path("r.json"), today = contentsOf(recorded);
  writeFile(path, json::parse(today).dump(2));
  const std::string other = folder.path("other.json");
  writeFile(other, "{}");
  EXPECT_EQ(compare({"--rewrite", path, other}).exitCode, 2);
  EXPECT_NE(contentsOf(path), today);  // nothing is written where a file is refused
  EXPECT_EQ(compare({"--rewrite", path}).out, "replaced " + path + "\n");
  EXPECT_EQ(contentsOf(path), today);
  EXPECT_EQ(compare({"--rewrite", path}).out, "");
  EXPECT_EQ(compare({"--rewrite", "--csv", path}).exitCode, 2);
}
