// What the pages name is there: links, files and programs. ROOT is the repository.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "test_support/host_testing.h"
#include "weave/lines.h"
#include "weave/repository.h"
#include "weave/sections.h"
#include "weave/small_repository_test.h"

namespace {

namespace fs = std::filesystem;

// Everything that a regular expression finds in a text: its first group.
Lines all(const std::string& text, const std::string& expression) {
  const std::regex regex(expression);
  Lines found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

// What a page says of files and is wrong.
class Checked {
 public:
  Checked(const std::string& root, const std::string& page) : root_(root), page_(root_ / page) {
    const std::string text = contentsOf(page_.string());
    for (const std::string& link : all(text, "\\]\\(([^)\\s]+)\\)")) checkLink(link);
    const std::string prose = withoutBlocks(text);
    for (const std::string& code : all(prose, "`([^`]+)`"))
      for (const std::string& word : wordsIn(code)) checkName(word);
    // Commands stand in blocks that are indented; what they write is not there yet.
    for (const std::string& line : linesOf(prose))
      if (line.starts_with("    "))
        for (const std::string& word : wordsIn(line)) checkPath(word);
  }
  Lines wrong;

 private:
  // Without code and output, which say what they like.
  static std::string withoutBlocks(const std::string& text) {
    std::string prose;
    bool inside = false;
    for (const std::string& line : linesOf(text)) {
      if (line.starts_with("```")) inside = !inside;
      if (!inside && !line.starts_with("```")) prose += line + "\n";
    }
    return prose;
  }

  static Lines wordsIn(const std::string& text) { return all(text, "([A-Za-z0-9_./*-]+)"); }

  void checkLink(const std::string& link) {
    if (link.starts_with("http://") || link.starts_with("https://")) return;
    const size_t hash = link.find('#');
    const fs::path target = hash == 0 ? page_ : page_.parent_path() / link.substr(0, hash);
    if (!fs::exists(target)) return wrong.push_back(link);
    if (hash == std::string::npos) return;
    const Lines anchors = anchorsOf(contentsOf(target.string()));
    if (std::ranges::find(anchors, link.substr(hash + 1)) == anchors.end()) wrong.push_back(link);
  }

  // A program, or a path from the root. Whether the word is one.
  bool checkPath(const std::string& word) {
    static const std::regex program("build/(?:cpu|gpu)/([A-Za-z0-9_]+)");
    static const std::regex path("(?:\\./)?(?:0[0-9]_[^/]*|common|\\.ci)/.+");
    std::smatch match;
    if (word.find('*') != std::string::npos || word.find("NAME") != std::string::npos) return true;
    if (std::regex_match(word, match, program)) {
      if (!isProgram(match[1])) wrong.push_back(word);
      return true;
    }
    if (!std::regex_match(word, path)) return false;
    if (!fs::exists(root_ / word)) wrong.push_back(word);
    return true;
  }

  // The same, or a file without its folder. A reader's own is called mine.cu.
  void checkName(const std::string& word) {
    static const std::regex file(
        "[A-Za-z0-9][A-Za-z0-9_]*\\.(?:h|cuh|cu|cpp|sh|csv|svg|weave)|h200_[a-z0-9_]*\\.json|"
        "CMakeLists\\.txt");
    if (word == "mine.cu" || checkPath(word)) return;
    if (std::regex_match(word, file) && !isNear(word)) wrong.push_back(word);
  }

  // A program is called like its folder: a lesson, one within a lesson, or one of common.
  bool isProgram(const std::string& name) const {
    if (fs::is_directory(root_ / name)) return true;
    std::vector<fs::path> folders;
    for (const fs::path& folder : {root_, root_ / "common"})
      for (const auto& entry : fs::directory_iterator(folder)) folders.push_back(entry.path());
    return std::ranges::any_of(folders, [&](const fs::path& folder) {
      return !folder.filename().string().starts_with("build") &&
             (fs::is_directory(folder / name) || fs::is_directory(folder / (name + "_program")));
    });
  }

  // A file that is named without its folder is in the page's, in a lesson's or among the results.
  bool isNear(const std::string& name) const {
    std::vector<fs::path> folders = {page_.parent_path(), root_, root_ / "common/results"};
    for (const auto& entry : fs::recursive_directory_iterator(page_.parent_path()))
      if (entry.is_directory() && page_.parent_path() != root_) folders.push_back(entry.path());
    for (const auto& entry : fs::directory_iterator(root_))
      if (std::isdigit(static_cast<unsigned char>(entry.path().filename().string()[0])))
        folders.push_back(entry.path());
    return std::ranges::any_of(folders, [&](const fs::path& f) { return fs::exists(f / name); });
  }

  fs::path root_, page_;
};

const std::string glossary = "common/glossary.md";

// What is wrong in a glossary: terms are headings with a few lines each, which name a lesson.
Lines wrongInGlossary(const std::string& text) {
  Lines terms, wrong;
  bool namesALesson = true;
  const auto endTerm = [&] {
    if (!namesALesson) wrong.push_back(terms.back() + " names no lesson");
  };
  for (const std::string& line : linesOf(text)) {
    if (line.starts_with("## ")) {
      endTerm();
      terms.push_back(line.substr(3));
      namesALesson = false;
    }
    if (std::regex_search(line, std::regex("\\]\\(\\.\\./0[1-9]_[a-z0-9_/]+/README\\.md\\)")))
      namesALesson = true;
  }
  endTerm();
  if (terms.size() > 50) wrong.push_back(std::to_string(terms.size()) + " terms are too many");
  for (Lines anchors = anchorsOf(text); const std::string& anchor : anchors)
    if (std::ranges::count(anchors, anchor) > 1) wrong.push_back(anchor + " is there twice");
  return wrong;
}

Lines wrongIn(const std::string& page) {
  const TemporaryFolder root;
  for (const std::string folder : {"common/simt", "03_less", "03_less/sum"})
    fs::create_directories(root.path(folder));
  for (const std::string file : {"common/simt/a.h", "03_less/main.cu"})
    writeFile(root.path(file), "");
  writeFile(root.path("03_less/README.md"), "# Less is more: 2 × 3\n" + page);
  return Checked(root.path(), "03_less/README.md").wrong;
}

}  // namespace

TEST(Links, OfAllPagesLeadSomewhere) {
  for (const std::string& page : pagesOf({ROOT, ""}))
    EXPECT_EQ(joined(Checked(ROOT, page).wrong), "") << page;
}

TEST(Links, OfPagesThatAreNotWovenLeadSomewhere) {
  for (const std::string& page :
       {glossary, std::string("common/workshop.md"), std::string(".github/CHANGELOG.md"),
        std::string(".github/CONTRIBUTING.md")})
    EXPECT_EQ(joined(Checked(ROOT, page).wrong), "") << page;
}

TEST(Links, OfTranslationsLeadSomewhere) {
  for (const Translation& translation : translationsOf({ROOT, ""}))
    EXPECT_EQ(joined(Checked(ROOT, translation.path).wrong), "") << translation.path;
}

TEST(Glossary, HasAtMostFiftyTermsEachWithItsLesson) {
  EXPECT_EQ(joined(wrongInGlossary(contentsOf(std::string(ROOT) + "/" + glossary))), "");
}

TEST(Glossary, IsLinkedByEveryLessonAndTheFrontPage) {
  for (const std::string& page : pagesOf({ROOT, ""})) {
    const bool isLesson = std::regex_match(page, std::regex("0[1-9]_[^/]+/README\\.md"));
    if (!isLesson && page != "README.md") continue;
    EXPECT_FALSE(all(contentsOf(std::string(ROOT) + "/" + page),
                     "\\]\\(((?:\\.\\./)?common/glossary\\.md#[^)]+)\\)")
                     .empty())
        << page;
  }
}

TEST(Glossary, WithFaultsIsRefused) {
  const std::string term = "## Term\n\n[Lesson 02](../02_neighbored/README.md)\n";
  EXPECT_EQ(wrongInGlossary("# Glossary\n" + term + "## Other\n\nNothing.\n"),
            Lines{"Other names no lesson"});
  EXPECT_EQ(wrongInGlossary(term + term), (Lines{"term is there twice", "term is there twice"}));
  std::string many;
  for (int i = 0; i < 51; ++i) many += "## T" + std::to_string(i) + term.substr(7);
  EXPECT_EQ(wrongInGlossary(many), Lines{"51 terms are too many"});
}

TEST(Links, ThatLeadNowhereAreFound) {
  EXPECT_EQ(joined(wrongIn("[a](../common/simt/a.h) [b](https://x.y) [c](#less-is-more-2--3)\n"
                           "`common/simt/a.h` `main.cu` `build/cpu/03_less --n 3` `build/cpu/sum` "
                           "`b.json` `x.f(y.h)`\n")),
            "y.h\n");
  EXPECT_EQ(wrongIn("[a](gone.md)"), Lines{"gone.md"});
  EXPECT_EQ(wrongIn("[a](#gone)"), Lines{"#gone"});
  EXPECT_EQ(wrongIn("see `common/simt/b.h`"), Lines{"common/simt/b.h"});
  EXPECT_EQ(wrongIn("see `03_less/simt/b.h`"), Lines{"03_less/simt/b.h"});
  EXPECT_EQ(wrongIn("see `goals.h`"), Lines{"goals.h"});
  EXPECT_EQ(wrongIn("run\n\n    build/gpu/04_more --n 3\n"), Lines{"build/gpu/04_more"});
}

TEST_F(WeaveTest, LinksAnAddressOnceThereIsOne) {
  file("address", "\n");
  EXPECT_EQ(woven("link x = address \"Read it\""), "");
  file("address", "https://example.org/course/\n");
  EXPECT_EQ(woven("link x = address \"Read it\""), "[Read it](https://example.org/course/)\n");
  file("address", "javascript:run()");
  EXPECT_TRUE(contains(problem("link x = address \"Read it\""), "is no address https://"));
}
