// What other people call their machines, labels, steps and files, in every language that compare
// writes: shown as text, and doing nothing.
#include <gtest/gtest.h>

#include "base/text.h"
#include "base/unicode.h"
#include "compare/compare_testing.h"
#include "compare/comparison_tables.h"
#include "compare/result_pages.h"
#include "test_support/sanitizer.h"

namespace {

const Words nasty = {"<script>alert(1)</script>",
                     "<img src=x onerror=alert(1)>",
                     "![x](http://example.org/x.png)",
                     "[x](javascript:alert(1))",
                     "\" onload=\"alert(1)",
                     "]]>&lt;--></style></svg>",
                     "# heading",
                     "1. item",
                     "> quotation",
                     "a | b `c` *d* _e_ ~~f~~ $g$",
                     "=HYPERLINK(\"http://example.org\")",
                     "+1",
                     "-1",
                     "@SUM(A1)",
                     "\t=1+1",
                     "a;=1+1",
                     "a,\"b\";c",
                     "two\nlines\r\nof text\r",
                     "\x1b[2J\x1b]0;title\x07\x1b\\",
                     "\u009b2J\u0085\u009d",
                     "\u202egpj.exe\u2066\u200f\u061c",
                     "\u2028\u2029\u200b\ufeff",
                     "\x9b\xff\xfe not UTF-8 \xe2\x82",
                     "\uffff\ufdd0",
                     "宽 한국 😀 👩‍👩‍👧 e\u0301",
                     "'; touch owned; '",
                     "%s%n{}{0}",
                     ".",
                     " "};

// Whether a line breaks where a line may, and nothing else in it acts on a terminal.
testing::AssertionResult isPlain(const std::string& text, const std::string& ends = "\n") {
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const char32_t point = codePointAt(text, at);
    const bool control = point < 0x20 || (point >= 0x7f && point < 0xa0);
    const bool moves = point == 0x61c || (point >= 0x200e && point <= 0x200f) ||
                       (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
    const bool bad = point == 0xfffd && text.substr(begin, 3) != "\ufffd";
    if ((control && ends.find(text[begin]) == std::string::npos) || moves || bad)
      return testing::AssertionFailure() << "U+" << std::hex << unsigned(point) << " in " << text;
  }
  return testing::AssertionSuccess();
}

// A result that is called so wherever it can be.
std::string resultOf(const std::string& name) {
  json file = aResult();
  file["machine"]["name"] = file["machine"]["driver"] = file["machine"]["cuda"] = name;
  file["label"] = file["date"] = file["command"] = file["program"] = name;
  file["input"]["type"] = file["input"]["cache"] = name;
  file["steps"][0]["type"] = "int32";
  file["steps"][0]["name"] = file["steps"][0]["lesson"] = file["steps"][0]["cache"] = name;
  file["steps"][0]["based_on"] = name;
  file["steps"][0]["counters"] = json::parse(contentsOf(counted))["steps"][0]["counters"];
  return file.dump(2, ' ', false, json::error_handler_t::ignore);
}

// The fields of the records of a CSV file.
std::vector<Words> recordsOf(const std::string& csv) {
  std::vector<Words> records(1, Words(1));
  bool quoted = false;
  for (size_t i = 0; i < csv.size(); ++i) {
    std::string& field = records.back().back();
    if (csv[i] == '"' && quoted && csv.substr(i, 2) == "\"\"")
      field += csv[i++];
    else if (csv[i] == '"')
      quoted = !quoted;
    else if (csv[i] == ',' && !quoted)
      records.back().emplace_back();
    else if (csv.substr(i, 2) == "\r\n" && !quoted)
      records.emplace_back(1), ++i;
    else
      field += csv[i];
  }
  records.pop_back();
  return records;
}

bool isFormula(const std::string& field) {
  const size_t first = field.find_first_not_of(" \t\r\n\"");
  return first != std::string::npos && std::string("=+-@").find(field[first]) != std::string::npos;
}

class NastyStrings : public testing::TestWithParam<std::string> {
 protected:
  Outcome shown(const Words& options = {}) const {
    const TemporaryFolder folder;
    writeFile(folder.path("r.json"), resultOf(GetParam()));
    Words words = {folder.path("r.json"), folder.path("r.json"), "--sort", "name"};
    words.insert(words.end(), options.begin(), options.end());
    return compare(words);
  }
};

}  // namespace

INSTANTIATE_TEST_SUITE_P(Everywhere, NastyStrings, testing::ValuesIn(thinned(nasty)));

TEST_P(NastyStrings, AreLinesOfText) {
  const Outcome outcome = shown();
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_TRUE(isPlain(outcome.out));
  const Words lines = split(outcome.out, "\n");
  EXPECT_TRUE(lines[0].starts_with("[1] ")) << outcome.out;
  EXPECT_TRUE(lines[1].starts_with("[2] ")) << outcome.out;
  EXPECT_EQ(lines[2], "");
}

TEST_P(NastyStrings, AreTextInMarkdown) {
  const Outcome outcome = shown({"--markdown"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_TRUE(isPlain(outcome.out));
  EXPECT_EQ(countOf(outcome.out, "\n"), 30u);
  for (const std::string part : {"<", "![", "[x](", "- #", "- 1. ", "- >"})
    EXPECT_FALSE(contains(outcome.out, part)) << outcome.out;
}

TEST_P(NastyStrings, AreFieldsAndNoFormulasInCsv) {
  const Outcome outcome = shown({"--csv"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_TRUE(isPlain(outcome.out, "\r\n"));
  const std::vector<Words> records = recordsOf(outcome.out);
  EXPECT_EQ(records.size(), 3u);
  for (const Words& record : records) {
    EXPECT_EQ(record.size(), 17u) << outcome.out;
    for (const std::string& field : record) EXPECT_FALSE(isFormula(field)) << field;
  }
  // Where semicolons separate fields, whatever quotes there are.
  for (size_t at = outcome.out.find(';'); at != std::string::npos;
       at = outcome.out.find(';', at + 1))
    EXPECT_FALSE(isFormula(outcome.out.substr(at + 1))) << outcome.out;
}

TEST_P(NastyStrings, AreTextOnAPageAndInAPicture) {
  const std::vector<Report> reports = {parseResult(resultOf(GetParam()), GetParam()),
                                       parseResult(resultOf(GetParam()), GetParam())};
  const std::string page = htmlPage(compareResults(reports, StepOrder::lesson));
  const std::string picture = ladderSvg(reports[0]);
  EXPECT_TRUE(isOurPage(page));
  EXPECT_TRUE(isOurPicture(picture));
  for (const std::string& text : {page, picture}) {
    EXPECT_TRUE(isPlain(text));
    for (const std::string part : {"<script", "<img", "\" onload", "]]>"})
      EXPECT_FALSE(contains(text, part));
  }
}

// File names reach the terminal in errors, and in what was written.
TEST_P(NastyStrings, AreOneLineAsNamesOfFiles) {
  const TemporaryFolder folder;
  std::string name = GetParam();
  std::ranges::replace(name, '/', '_');
  const std::string path = folder.path("f" + name);
  const Outcome missing = compare({path});
  EXPECT_EQ(missing.exitCode, 2);
  EXPECT_TRUE(isPlain(missing.err));
  EXPECT_EQ(countOf(missing.err, "\n"), 1u) << missing.err;
  const Outcome page = compare({recorded, "--html", path});
  EXPECT_EQ(page.exitCode, 0) << page.err;
  EXPECT_TRUE(isPlain(page.out));
  writeFile(path, resultOf(GetParam()));
  for (const char* option : {"--markdown", "--csv"})
    EXPECT_TRUE(isPlain(compare({path, option}).out, "\r\n"));
  const Outcome usage = compare({recorded, "--sort", GetParam(), "--" + GetParam()});
  EXPECT_EQ(usage.exitCode, 2);
  EXPECT_EQ(countOf(usage.err, "\n"), 1u) << usage.err;
  EXPECT_TRUE(isPlain(usage.err));
}
