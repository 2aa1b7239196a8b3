// How long the pages are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

#include "test_support/host_testing.h"
#include "weave/lines.h"
#include "weave/repository.h"

namespace {

size_t wordsOfLine(const std::string& line) {
  std::istringstream words(line);
  size_t count = 0;
  for (std::string word; words >> word;) ++count;
  return count;
}

// Words that a reader meets without unfolding anything, code, commands, drawings and exercises
// included: only tables and marks are left out.
size_t wordsToRead(const std::string& page) {
  size_t count = 0;
  int folds = 0;
  for (const std::string& line : linesOf(page)) {
    if (contains(line, "<details>")) ++folds;
    const size_t first = line.find_first_not_of(' ');
    const bool isRead =
        first != std::string::npos && line[0] != '|' && !line.substr(first).starts_with("```") &&
        !line.substr(first).starts_with("<!-- ") && !line.substr(first).starts_with("</");
    if (folds == 0 && isRead) count += wordsOfLine(line);
    if (contains(line, "</details>")) --folds;
  }
  return count;
}

size_t wordsIn(const std::string& page) {
  const Lines lines = linesOf(page);
  size_t count = 0;
  for (const std::string& line : lines) count += wordsOfLine(line);
  return count;
}

std::string textOf(const std::string& page) { return contentsOf(std::string(ROOT) + "/" + page); }

}  // namespace

TEST(Pages, OfTheFirstSevenLessonsAreReadInSixMinutesWithoutWhatIsFolded) {
  for (const std::string& page : pagesOf({ROOT, ""}))
    if (std::regex_match(page, std::regex("0[1-7]_[^/]+/README\\.md"))) {
      EXPECT_LE(wordsToRead(textOf(page)), 1200u) << page;
    }
}

// Rows such as "| 02 | 1,190 | 6 | …".
TEST(Pages, TakeAsLongToReadAsTheWorkshopSays) {
  const std::string plans = textOf("common/workshop.md");
  for (const std::string& page : pagesOf({ROOT, ""})) {
    if (!std::regex_match(page, std::regex("0[1-7]_[^/]+/README\\.md"))) continue;
    std::smatch row;
    ASSERT_TRUE(std::regex_search(
        plans, row, std::regex("\\| " + page.substr(0, 2) + " \\| (\\d*),?(\\d+) \\| (\\d+) \\|")))
        << page;
    const double said = std::stod(row[1].str() + row[2].str());
    EXPECT_NEAR(said, double(wordsToRead(textOf(page))), 60) << page;
    EXPECT_EQ(std::stoi(row[3]), int(std::ceil(said / 200))) << page;
  }
}

TEST(Pages, ThatBeginACourseOrARoomAreShort) {
  EXPECT_LE(wordsIn(textOf("README.md")), 1200u);
  EXPECT_LE(wordsToRead(textOf("common/estimate/README.md")), 1060u);
}

TEST(Pages, HaveNoEndlessLines) {
  for (const std::string& page : pagesOf({ROOT, ""}))
    for (const std::string& line : linesOf(textOf(page)))
      EXPECT_LE(line.size(), 400u) << page << ": " << line.substr(0, 60);
}
