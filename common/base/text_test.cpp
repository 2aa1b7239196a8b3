// Text: its characters and columns, the languages that it is written in, and tables.
#include <gtest/gtest.h>

#include <iostream>

#include "base/errors.h"
#include "base/escape.h"
#include "base/markup.h"
#include "base/program_main.h"
#include "base/table.h"
#include "base/unicode.h"
#include "test_support/host_testing.h"
#include "test_support/program_testing.h"

namespace {

std::vector<char32_t> codePointsOf(const std::string& text) {
  std::vector<char32_t> points;
  for (size_t at = 0; at < text.size();) points.push_back(codePointAt(text, at));
  return points;
}

using Points = std::vector<char32_t>;

const std::string family = "👩‍👩‍👧", flag = "🇩🇪", accented = "e\u0301";

}  // namespace

TEST(CodePoint, IsReadFromUtf8) {
  EXPECT_EQ(codePointsOf("aé–😀"), (Points{'a', 0xe9, 0x2013, 0x1f600}));
  EXPECT_EQ(codePointsOf("\U0010ffff"), Points{0x10ffff});
}

TEST(CodePoint, IsReplacedWhereNoneIs) {
  const Points one = {0xfffd}, two = {0xfffd, 0xfffd}, three = {0xfffd, 0xfffd, 0xfffd};
  EXPECT_EQ(codePointsOf("\xff"), one);
  EXPECT_EQ(codePointsOf("\x80"), one);
  EXPECT_EQ(codePointsOf("\xc0\x80"), two);                // longer than needed
  EXPECT_EQ(codePointsOf("\xe0\x80\x80"), three);          // likewise
  EXPECT_EQ(codePointsOf("\xed\xa0\x80"), three);          // a surrogate
  EXPECT_EQ(codePointsOf("\xe2\x82"), two);                // cut off
  EXPECT_EQ(codePointsOf("\xf4\x90\x80\x80").size(), 4u);  // beyond U+10FFFF
}

TEST(Columns, AreWhatATerminalTakes) {
  EXPECT_EQ(columnsOf("abc"), 3u);
  EXPECT_EQ(columnsOf("× ö –"), 5u);
  EXPECT_EQ(columnsOf("宽"), 2u);
  EXPECT_EQ(columnsOf("한국"), 4u);
  EXPECT_EQ(columnsOf("😀"), 2u);
  EXPECT_EQ(columnsOf(accented), 1u);
  EXPECT_EQ(columnsOf(""), 0u);
}

TEST(Cut, LeavesWholeCharacters) {
  EXPECT_EQ(cutToBytes("abc", 3), "abc");
  EXPECT_EQ(cutToBytes("abcd", 3), "abc…");
  EXPECT_EQ(cutToBytes("aé", 2), "a…");
  EXPECT_EQ(cutToBytes("a" + accented + "b", 3), "a…");
  EXPECT_EQ(cutToBytes("a" + family, 10), "a…");
  EXPECT_EQ(cutToBytes("a" + flag + flag, 12), "a" + flag + "…");
  EXPECT_EQ(cutToBytes(family, 5), "👩…");  // longer by itself
  EXPECT_EQ(cutToBytes("宽", 2), "…");
}

TEST(Cut, LeavesNoMoreThanFits) {
  EXPECT_EQ(cutToColumns("abc", 2), "ab");
  EXPECT_EQ(cutToColumns("a宽b", 2), "a");
  EXPECT_EQ(cutToColumns("a宽b", 3), "a宽");
  EXPECT_EQ(cutToColumns("a" + accented + "b", 2), "a" + accented);
}

TEST(TerminalText, IsOneLineWithoutControlCharacters) {
  EXPECT_EQ(terminalText("a\nb\r\tc"), "a b  c");
  EXPECT_EQ(terminalText("\x1b]0;title\x07\x7f"), " ]0;title  ");
  EXPECT_EQ(terminalText("a\u009b2Jb\u0085"), "a 2Jb ");         // C1
  EXPECT_EQ(terminalText("a\u202eb\u2066c\u061cd"), "a b c d");  // bidirectional marks
  EXPECT_EQ(terminalText("a\u2028b"), "a b");
  EXPECT_EQ(terminalText("a\u200bb\ufeff"), "a b ");
  EXPECT_EQ(terminalText("\x9b\xff"), "\ufffd\ufffd");
  EXPECT_EQ(terminalText("\uffff"), "\ufffd");
  EXPECT_EQ(terminalText("Ünï çödé 宽 " + family + accented), "Ünï çödé 宽 " + family + accented);
}

TEST(MarkupText, IsNoMarkup) {
  EXPECT_EQ(markupText("<b>&\"'"), "&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(markupText("a\x1b\x01"), "a  ");
}

TEST(MarkdownText, IsNoMarkdown) {
  EXPECT_EQ(markdownText("<img onerror=x> &lt;"), "&lt;img onerror=x> &amp;lt;");
  EXPECT_EQ(markdownText("![x](http://y)"), "!\\[x\\](http://y)");
  EXPECT_EQ(markdownText("a|b*c`d~e$f\\"), "a\\|b\\*c\\`d\\~e\\$f\\\\");
  EXPECT_EQ(markdownText("_a_ h200_ladder.json"), "\\_a\\_ h200_ladder.json");
  EXPECT_EQ(markdownText("a\n# b"), "a # b");
}

TEST(MarkdownText, BeginsNoBlock) {
  EXPECT_EQ(markdownText("# a"), "\\# a");
  EXPECT_EQ(markdownText("> a"), "\\> a");
  EXPECT_EQ(markdownText("- a"), "\\- a");
  EXPECT_EQ(markdownText("  + a"), "  \\+ a");
  EXPECT_EQ(markdownText("12. a"), "12\\. a");
  EXPECT_EQ(markdownText("1) a"), "1\\) a");
  EXPECT_EQ(markdownText("---"), "\\---");
  EXPECT_EQ(markdownText("==="), "\\===");
  EXPECT_EQ(markdownText("1.784 (1.782–1.787)"), "1.784 (1.782–1.787)");
  EXPECT_EQ(markdownText("-5"), "-5");
}

TEST(CsvField, IsQuotedWhereItMustBe) {
  EXPECT_EQ(csvField("plain"), "plain");
  EXPECT_EQ(csvField("a, b"), "\"a, b\"");
  EXPECT_EQ(csvField("a;b"), "\"a;b\"");
  EXPECT_EQ(csvField("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csvField("a\rb\nc"), "a b c");
}

TEST(CsvField, IsNoFormula) {
  for (const std::string text : {"=1+1", "+1", "-1", "@x"}) {
    EXPECT_EQ(csvField(text), "'" + text);
    EXPECT_EQ(csvField(" " + text), " '" + text);
    EXPECT_EQ(csvField("\t" + text), " '" + text);
    EXPECT_EQ(csvField("\r" + text), " '" + text);
    EXPECT_EQ(csvField("a;" + text), "\"a;'" + text + "\"");
    EXPECT_EQ(csvField("a;\"" + text), "\"a;\"\"'" + text + "\"");
  }
  EXPECT_EQ(csvField("a=1-2"), "a=1-2");
}

// What the shell makes of it again.
TEST(ShellWord, IsTakenApartByTheShell) {
  for (const std::string word : {"plain", "", "two words", "it's", "$HOME", "`x`", "a\nb",
                                 "a\tb'c\\d\x1b", "-n", "*", "宽", "a;b", "\\", "!", "~", "#"}) {
    const Outcome outcome = run("/bin/bash", {"-c", "printf %s " + shellWord(word)});
    EXPECT_EQ(outcome.out, word) << shellWord(word);
    for (const unsigned char c : shellWord(word)) EXPECT_TRUE(c >= 32 && c != 127);
  }
  EXPECT_EQ(shellWord("--n=2^20"), "--n=2^20");
}

TEST(Table, LinesUpWideAndCombiningCharacters) {
  Table table;
  table.add({"n", "x"});
  for (const std::string name : {"宽", accented.c_str(), "😀", "ab"}) table.add({name, "1"});
  EXPECT_EQ(table.text(), "n   x\n宽  1\n" + accented + "   1\n😀  1\nab  1\n");
  EXPECT_EQ(table.columns(), 5u);
}

TEST(Table, HoldsEachCellOnItsLine) {
  Table table;
  table.add({"a", "b"});
  table.add({"x\ny\x1b[1A", "|"});
  EXPECT_EQ(table.text(), "a        b\nx y [1A  |\n");
  EXPECT_EQ(table.markdown(), "| a | b |\n|---|---:|\n| x y \\[1A | \\| |\n");
}

namespace {

Table wideTable() {
  Table table;
  table.alignLeft(3);
  table.add({"step", "load requests", "barriers", "what it waits for"});
  table.add({"neighbored", {"373.0", true}, "17.6", "memory 60 %, barriers 15 %, L2 9 %"});
  table.add({"neighbored less, shared", "80.1", "9", "bank conflicts"});
  return table;
}

size_t widest(const std::string& text) {
  size_t widest = 0;
  for (const std::string& line : split(text, "\n")) widest = std::max(widest, columnsOf(line));
  return widest;
}

}  // namespace

TEST(Table, IsAsItIsWhereThereIsRoom) {
  const Table table = wideTable();
  EXPECT_EQ(table.fitted(table.columns()), table.text());
}

TEST(Table, BreaksHeadingsWhereThereIsLessRoom) {
  const Table table = wideTable();
  EXPECT_EQ(table.fitted(table.columns() - 1),
            "                             load\n"
            "step                     requests  barriers  what it waits for\n"
            "neighbored                  373.0*     17.6  memory 60 %, barriers 15 %, L2 9 %\n"
            "neighbored less, shared      80.1         9  bank conflicts\n");
}

TEST(Table, LeavesOutWhatItMayAndSaysSo) {
  Table table = wideTable();
  table.mayLeaveOut(2);
  table.mayLeaveOut(1);
  EXPECT_EQ(table.fitted(72),
            "                             load\n"
            "step                     requests  what it waits for\n"
            "neighbored                  373.0* memory 60 %, barriers 15 %, L2 9 %\n"
            "neighbored less, shared      80.1  bank conflicts\n"
            "Left out, as there are 72 columns: barriers.\n");
}

TEST(Table, BreaksTextsThatAreTooWide) {
  EXPECT_EQ(wideTable().fitted(72),
            "                             load\n"
            "step                     requests  barriers  what it waits for\n"
            "neighbored                  373.0*     17.6  memory 60 %, barriers 15 %,\n"
            "                                             L2 9 %\n"
            "neighbored less, shared      80.1         9  bank conflicts\n");
}

TEST(Table, GoesOnBelowWhereNothingElseHelps) {
  EXPECT_EQ(wideTable().fitted(50),
            "                             load\n"
            "step                     requests  barriers\n"
            "neighbored                  373.0*     17.6\n"
            "neighbored less, shared      80.1         9\n"
            "\n"
            "step                     what it waits for\n"
            "neighbored               memory 60 %,\n"
            "                         barriers 15 %, L2 9 %\n"
            "neighbored less, shared  bank conflicts\n");
}

TEST(Table, IsNeverTooWide) {
  Table table = wideTable();
  table.add({std::string(200, 'x'), std::string(90, '7'), "宽宽宽宽宽宽宽宽宽宽宽宽",
             std::string(300, 'y')});
  table.mayLeaveOut(3);
  for (size_t columns = 20; columns < 720; ++columns)
    EXPECT_LE(widest(table.fitted(columns)), columns) << table.fitted(columns);
}

TEST(Lines, AreBrokenAtBlanks) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(brokenToLines("", 5), Lines{""});
  EXPECT_EQ(brokenToLines("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(brokenToLines("one two three", 20), Lines{"one two three"});
  EXPECT_EQ(brokenToLines("宽宽 宽宽 longer-than-that", 5),
            (Lines{"宽宽", "宽宽", "longer-than-that"}));
}

TEST(Markup, IsOneElement) {
  for (const char* text : {"<svg></svg>", "<svg a=\"b\">\n<!-- <p> --><g><g/></g></svg>\n",
                           "<!doctype html>\n<svg><br></svg>"})
    EXPECT_TRUE(isOneElement(text, "svg")) << text;
}

TEST(Markup, IsNotOneElement) {
  for (const char* text : {"", "svg", "<svg/>", "<svg>", "<svg></svg><p></p>", "<svg></svg> more",
                           "<p><svg></svg></p>", "<svg><g></svg></g>", "<svg><g></p></svg>",
                           "<svg><g></svg>", "</svg>", " <svg></svg>", "<svgs></svgs>",
                           "<svg><!-- </svg>", "<svg><></svg>", "<svg", "text <svg></svg>"})
    EXPECT_FALSE(isOneElement(text, "svg")) << text;
}

TEST(RunProgram, ShowsNoControlCharactersInAnError) {
  const Captured err(std::cerr);
  runProgram("program", []() -> int { throw Error(exitUsage, "'\x1b]0;x\x07\u202e\u009b\xff'"); });
  EXPECT_EQ(err.text(), "program: ' ]0;x   \ufffd'\n");
}
