// Pages in other languages.
#include "weave/sections.h"

#include "weave/small_repository_test.h"

namespace {

const std::string english = R"(# A page

First, see [the executor](common/simt/README.md#run), or [中文](common/site/README.zh.md).

## What it is

<!-- weave: code -->
old
<!-- end weave -->

## What it takes

It takes <!--=ms-->?<!--/--> ms.
)";

const std::string chinese = R"(# 一页

先看[执行器](../simt/README.md#run)，或 [English](../../README.md)。

## 是什么

<!-- weave: code -->
<!-- end weave -->

## 要多久

要 <!--=ms-->?<!--/--> 毫秒。
)";

class TranslationTest : public WeaveTest {
 protected:
  TranslationTest() {
    file("README.md", english);
    file("common/site/README.zh.md", chinese);
    file("common/simt/README.zh.md", "# 执行器\n");
    file(
        "common/weave/front_page.weave",
        "result r = common/results/r.json\ncode code = kernel.cuh twice from \"if (t\" to \"  }\"\n"
        "figure ms = ms(r; neighbored) % ms\n");
  }
  Outcome weave(const Words& arguments) {
    Words words = arguments;
    for (const std::string& word : Words{"--root", root_.path(), "--programs", root_.path()})
      words.push_back(word);
    return ::run(WEAVE, words);
  }
  void seen() {
    for (const std::string page : {"common/site/README.zh.md", "common/simt/README.zh.md"})
      EXPECT_EQ(weave({"--seen", page}).exitCode, 0);
    EXPECT_EQ(weave({"--write"}).exitCode, 0);
  }
  void change(const std::string& path, const std::string& from, const std::string& to) {
    const std::string before = text(path), after = replaced(before, from, to);
    EXPECT_NE(before, after);
    file(path, after);
  }
};

}  // namespace

TEST_F(TranslationTest, IsWovenFromTheSameRecipes) {
  seen();
  const std::string page = text("common/site/README.zh.md"),
                    block = "<!-- weave: code -->\n```cpp\nif (t > 0) {";
  EXPECT_TRUE(contains(replaced(text("README.md"), "  if", "if"), block));
  EXPECT_TRUE(contains(replaced(page, "  if", "if"), block));
  EXPECT_TRUE(contains(page, "要 <!--=ms-->0.5000<!--/--> 毫秒。"));
  EXPECT_TRUE(contains(page, "[执行器](../simt/README.zh.md#run)，或 [English](../../README.md)"));
  EXPECT_TRUE(contains(page, "--><a id=\"what-it-takes\"></a>\n## 要多久\n"));
  const Outcome check = weave({"--check"});
  EXPECT_EQ(check.exitCode, 0);
  EXPECT_TRUE(contains(check.out, "up to date"));
  EXPECT_FALSE(contains(check.out, "common/site/README.zh.md"));
}

TEST_F(TranslationTest, NamesASectionUntilSomebodyHasSeenWhatChanged) {
  seen();
  change("README.md", "It takes", "All in all it takes");
  const Outcome behind = weave({"--check"});
  EXPECT_EQ(behind.exitCode, 0);
  EXPECT_TRUE(contains(behind.out, "common/site/README.zh.md: 'what-it-takes' is behind"));
  EXPECT_FALSE(contains(behind.out, "'what-it-is'"));
  EXPECT_EQ(weave({"--seen", "common/site/README.zh.md#what-it-takes"}).exitCode, 0);
  EXPECT_FALSE(contains(weave({"--check"}).out, "behind"));
}

TEST_F(TranslationTest, IsNotBehindWhereOnlyLinesOrFiguresChanged) {
  seen();
  change("README.md", "It takes", "It\ntakes");
  file("common/results/r.json", replaced(text("common/results/r.json"), "0.5", "0.25"));
  EXPECT_EQ(weave({"--write"}).exitCode, 0);
  EXPECT_FALSE(contains(weave({"--check"}).out, "common/site/README.zh.md"));
}

TEST_F(TranslationTest, MayLackWhatWasAddedToTheEnglishPage) {
  seen();
  change("README.md", "## What it takes",
         "## More\n\nNew: <!--=ms-->?<!--/-->.\n\n## What it takes");
  EXPECT_EQ(weave({"--write"}).exitCode, 0);
  const Outcome check = weave({"--check"});
  EXPECT_EQ(check.exitCode, 0);
  EXPECT_TRUE(contains(check.out, "common/site/README.zh.md: 'more' is not translated"));
}

TEST_F(TranslationTest, MayNotLeaveOutWhatItsSectionHas) {
  seen();
  change("common/site/README.zh.md", "[执行器](../simt/README.zh.md#run)", "执行器");
  change("common/site/README.zh.md", "要 <!--=ms-->0.5000<!--/--> 毫秒", "半毫秒");
  const Outcome check = weave({"--check"});
  EXPECT_EQ(check.exitCode, 2);
  EXPECT_TRUE(contains(check.err,
                       "has other links than the English one: README.md; there: "
                       "README.md, common/simt/README.md#run"));
  EXPECT_TRUE(contains(check.err, "has other figures than the English one: none; there: ms"));
}

TEST_F(TranslationTest, HasWordsOfItsOwnForPictures) {
  file("README.md", "# P\n<!-- weave: bars -->\n<!-- end weave -->\n");
  file("common/site/README.zh.md",
       "# 图\n<!-- weave: bars \"每步的速度\" -->\n<!-- end weave -->\n");
  file("common/weave/front_page.weave",
       "result r = common/results/r.json\npicture bars = r \"The speed of each step\"\n");
  seen();
  EXPECT_TRUE(contains(text("common/site/README.zh.md"), "![每步的速度](../results/r.svg)\n"));
  EXPECT_EQ(weave({"--check"}).exitCode, 0);
}

TEST_F(TranslationTest, IsCheckedWithoutAProgram) {
  seen();
  EXPECT_EQ(weave({"--translations"}).exitCode, 0);
  change("common/site/README.zh.md", "if (t > 0)", "if (t > 1)");
  const Outcome stale = weave({"--translations"});
  EXPECT_EQ(stale.exitCode, 1);
  EXPECT_TRUE(contains(stale.out, "common/site/README.zh.md is stale"));
  EXPECT_EQ(weave({"--translations", "--write"}).exitCode, 0);
  EXPECT_EQ(weave({"--translations", "--check"}).exitCode, 0);
}

TEST_F(TranslationTest, IsRefusedWhereItsHeadingsAreNotThoseOfThePage) {
  change("common/site/README.zh.md", "## 要多久", "### 要多久");
  const Outcome refused = weave({"--seen", "common/site/README.zh.md"});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_TRUE(contains(refused.err, "number and levels have to be the same"));
  EXPECT_EQ(weave({"--seen", "README.md"}).exitCode, 2);
  EXPECT_EQ(weave({"--seen", "common/site/README.zh.md", "--check"}).exitCode, 2);
}

TEST(Sections, HaveTheAnchorsThatGitHubGives) {
  EXPECT_EQ(anchorsOf("# Less is more: 2 × 3\n\n<a id=\"own\"></a>\n## `A_b` c\n"),
            (Lines{"own", "less-is-more-2--3", "a_b-c"}));
}
