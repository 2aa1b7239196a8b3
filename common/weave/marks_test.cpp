// The readers of pages and of recipes: what they understand, and what they say of anything else.
#include "weave/marks.h"

#include <gtest/gtest.h>

#include "test_support/host_testing.h"
#include "weave/recipes.h"

namespace {

// The problems of a page, each on a line.
std::string problemsOf(const std::string& page) {
  Problems problems;
  readMarks(page, "05/README.md", problems);
  return joined(problems);
}

std::string problemsOfRecipes(const std::string& text, Recipes* recipes = nullptr) {
  Problems problems;
  const Recipes read = readRecipes(text, "05/page.weave", problems);
  if (recipes) *recipes = read;
  return joined(problems);
}

const std::string block = "<!-- weave: a -->\nold\n<!-- end weave -->\n";

}  // namespace

TEST(Marks, CutAPageAndPutItTogetherAgain) {
  Problems problems;
  const std::string text =
      "# A\n\n" + block + "x <!--=b-->1<!--/--> y <!--=c-1-->2<!--/-->\n" + block;
  const MarkedPage page = readMarks(text, "p", problems);
  EXPECT_EQ(joined(problems), "");
  ASSERT_EQ(page.places.size(), 4u);
  ASSERT_EQ(page.parts.size(), 5u);
  const std::string names[] = {"a", "b", "c-1", "a"};
  const size_t lines[] = {3, 6, 6, 7};
  std::string again;
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(page.places[i].name, names[i]);
    EXPECT_EQ(page.places[i].line, lines[i]);
    EXPECT_EQ(page.places[i].isBlock, i == 0 || i == 3);
    again += page.parts[i] + (page.places[i].isBlock ? "old\n" : std::to_string(i));
  }
  EXPECT_EQ(again + page.parts[4], text);
}

TEST(Marks, LeaveTextInBackquotesAlone) {
  EXPECT_EQ(
      problemsOf(
          "write `<!-- weave: NAME -->` … `<!-- end weave -->` or ``<!--=NAME-->value<!--/-->``\n"),
      "");
  EXPECT_EQ(problemsOf("a `code` and <!--=b-->1<!--/--> `more`\n"), "");
  for (const std::string mark : {"<!-- weave: ladder -->", "<!--=speedup-->1<!--/-->"})
    EXPECT_TRUE(contains(problemsOf("\nwrite `" + mark + "`\n"),
                         "05/README.md:2: a mark in backquotes is shown as it is\n"));
}

TEST(Marks, ThatHaveNoEndAreRefused) {
  EXPECT_TRUE(contains(problemsOf("\n<!-- weave: a -->\ntext\n"),
                       "05/README.md:2: the block 'a' has no <!-- end weave -->\n"));
  EXPECT_TRUE(contains(problemsOf("\n<!-- weave: a -->\ntext\n" + block),
                       "05/README.md:2: the block 'a' has no <!-- end weave --> before line 4\n"));
  // The end mark of another block is not taken for its own, however that one begins.
  for (const std::string begin :
       {"  <!-- weave: b -->", "<!--  weave: b -->", "<!-- Weave: b -->", "<!-- weave: b-->",
        "<!-weave: b -->", "- <!-- weave: b -->", "<!--- weave: b --->", "<!-- weave:b -->"})
    EXPECT_TRUE(
        contains(problemsOf("<!-- weave: a -->\n\n" + begin + "\nmine\n<!-- end weave -->\n"),
                 "05/README.md:1: the block 'a' has no <!-- end weave --> before line 3\n"))
        << begin;
}

TEST(Marks, OfFiguresThatHaveNoEndAreRefused) {
  for (const std::string line :
       {"a <!--=b--> c", "a <!--=b c", "<!--=b-->1 and <!--=c-->2<!--/-->", "<!--=b-->1<!-- / -->",
        "<!--=b-->1<!--=c-->2<!--/--><!--/-->", "<!--=b--> <!-- weave: a --> <!--/-->"})
    EXPECT_TRUE(contains(problemsOf("\n\n" + line + "\nmy text\nx <!--=d-->1<!--/-->\n"),
                         "05/README.md:3: a figure ends with <!--/--> on its line\n"))
        << line;
}

TEST(Marks, ThatAreNearlyMarksAreRefused) {
  for (const std::string line : {"  <!-- weave: a -->",
                                 "- <!-- weave: a -->",
                                 "<!--  weave: a -->",
                                 "<!-- weave: a --> ",
                                 "<!--weave: a-->",
                                 "<!-- Weave: a -->",
                                 "<!-- WEAVE: a -->",
                                 "<!-- weave a -->",
                                 "<!-- weave: a b -->",
                                 "<!-- weave: -->",
                                 "<!-- weave:  -->",
                                 "<!-- weave: a",
                                 "weave: a -->",
                                 "<!- weave: a -->",
                                 "<-- weave: a -->",
                                 "<!-- end  weave -->",
                                 " <!-- end weave -->",
                                 "<!-- endweave -->",
                                 "<!-- end weave",
                                 "< !-- end weave -- >",
                                 "<!--/-->",
                                 "x <!-- / --> y",
                                 "<!-- = b -->1<!--/-->",
                                 "<!-- a comment -->",
                                 "text <!-- weave: a --> text",
                                 "<!-- weave: times h200; neighbored -->",
                                 "<!-- weave: a -->\r",
                                 "<!-- weave: ../a -->"})
    EXPECT_TRUE(
        contains(problemsOf("# Page\n" + line + "\n"), "05/README.md:2: this looks like a mark"))
        << line;
  EXPECT_TRUE(contains(problemsOf("\n<!-- end weave -->\n"),
                       "05/README.md:2: there is no block here that this ends\n"));
  for (const std::string name : {"", " b", "b c", "ms(a)", "1", "a/b", "é"})
    EXPECT_TRUE(contains(problemsOf("x <!--=" + name + "-->1<!--/-->\n"), "is no name of a figure"))
        << name;
}

TEST(Marks, AllWrongOnesArePutTogether) {
  EXPECT_EQ(
      linesOf(problemsOf("<!-- a -->\n<!--=b-->\n<!-- end weave -->\n<!-- weave: c -->\n")).size(),
      4u);
}

TEST(Marks, OfNastyPagesNeverCrashTheReader) {
  for (const std::string& text :
       {std::string(), std::string("\n"), std::string("\0<!--=\0-->\0<!--/-->", 20),
        std::string(200000, '<'), std::string(200000, '`'), std::string("<!--="),
        std::string("<!-- weave: "), std::string("<!-- weave:  -->"),
        std::string("\xff\xfe<!--=\xff"),
        std::string("<!-- weave: " + std::string(100000, 'a') + " -->")})
    problemsOf(text);
}

TEST(Recipes, AreReadByName) {
  Recipes recipes;
  EXPECT_EQ(problemsOfRecipes(R"(# A comment
result  r = common/results/r.json
profile p = p.csv
metric  m = a.sum

formula f(a; b) = $a + $b \
                  + 1 % .2f
formula none() = 1
code    k = a.cuh f from "x = y" \
            to "z"
figure  speed-up = f(1; 2)
table   t2
  each step=kernel: a=b
  # a comment
  | $step |\
    [[ $kernel |]]
figure  last = 1
)",
                              &recipes),
            "");
  EXPECT_EQ(recipes.results.at("r"), "common/results/r.json");
  EXPECT_EQ(recipes.profiles.at("p"), "p.csv");
  EXPECT_EQ(recipes.metrics.at("m"), "a.sum");
  EXPECT_EQ(recipes.formulas.at("f").parameters, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(recipes.formulas.at("f").formula, "$a + $b + 1 % .2f");
  EXPECT_TRUE(recipes.formulas.at("none").parameters.empty());
  EXPECT_EQ(recipes.marks.at("k").kind, "code");
  EXPECT_EQ(recipes.marks.at("k").text, R"(a.cuh f from "x = y" to "z")");
  EXPECT_EQ(recipes.marks.at("speed-up").text, "f(1; 2)");
  ASSERT_EQ(recipes.marks.at("t2").rows.size(), 2u);
  EXPECT_EQ(recipes.marks.at("t2").rows[1].text, "| $step |[[ $kernel |]]");
  EXPECT_EQ(recipes.marks.at("t2").rows[1].line, 15u);
  EXPECT_EQ(recipes.marks.size(), 4u);
}

// The examples in weave.h: indented by five, the page's first.
TEST(Recipes, AreUnderstoodAsWeaveHeaderShowsThem) {
  std::string page, recipes;
  for (const std::string& line : linesOf(contentsOf(WEAVE_HEADER))) {
    if (line.starts_with("// Functions of a step")) break;
    if (line.starts_with("//     "))
      (recipes.empty() && !line.starts_with("//     result") ? page : recipes) +=
          line.substr(7) + "\n";
  }
  EXPECT_EQ(problemsOf(page), "");
  Recipes read;
  EXPECT_EQ(problemsOfRecipes(recipes, &read), "");
  EXPECT_GE(read.marks.size(), 11u);
  EXPECT_EQ(read.marks.at("kernels").rows.size(), 5u);
}

TEST(Recipes, ThatMakeNoSenseAreRefusedWithTheirLine) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"dance a = b", "'dance' is no kind of recipe"},
      {"figure a", "expected KIND NAME = …, or table NAME"},
      {"figure", "expected KIND NAME = …, or table NAME"},
      {"figure a =", "nothing stands behind the = of a"},
      {"figure a b = 1", "'a b' is no name"},
      {"figure 1a = 1", "'1a' is no name"},
      {"table", "'' is no name"},
      {"table a = b", "'a = b' is no name"},
      {"result a-b = c.json", "'a-b' is no name"},
      {"formula f = 1", "expected formula NAME(PARAMETER; …) = …"},
      {"formula (a) = 1", "'' is no name"},
      {"formula f(a b) = 1", "'a b' is no name of a parameter"},
      {"  | a |", "only the rows of a table, or of a roofline, are indented"},
      {"figure b = 1\nfigure b = 2", "'b' has a recipe already, in line 2"},
      {"table b\n\n  | a |\ncode b = x y", "'b' has a recipe already, in line 2"},
      {"metric b = 1\nresult b = 2", "'b' has a recipe already, in line 2"}};
  for (const auto& [text, reason] : table) {
    const std::string problems = problemsOfRecipes("# Comment\n" + text + "\n");
    EXPECT_TRUE(contains(problems, reason)) << text;
    EXPECT_TRUE(problems.starts_with("05/page.weave:")) << text;
    EXPECT_EQ(linesOf(problems).size(), 1u) << problems;
  }
  EXPECT_TRUE(contains(problemsOfRecipes("\n\ndance a = b\n"), "05/page.weave:3: "));
}

TEST(Recipes, OfNastyFilesNeverCrashTheReader) {
  for (const std::string& text :
       {std::string(), std::string("\\"), std::string("\\\n\\\n\\"), std::string(200000, '\\'),
        std::string("\0 = \0", 5), std::string("table a\n  \\"), std::string("formula ("),
        std::string("formula )(=1"), std::string(200000, ' '), std::string("figure a = \\\n")})
    problemsOfRecipes(text);
}
