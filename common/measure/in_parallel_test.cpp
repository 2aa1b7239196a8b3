#include "measure/in_parallel.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>

TEST(InParallel, GivesTheTextsInTheirOrder) {
  const auto texts =
      inParallel(7, [](size_t i, unsigned) { return std::string(100000 * i, char('a' + i)); });
  ASSERT_EQ(texts.size(), 7u);
  for (size_t i = 0; i < 7; ++i) EXPECT_EQ(texts[i], std::string(100000 * i, char('a' + i)));
  EXPECT_TRUE(inParallel(0, [](size_t, unsigned) { return ""; }).empty());
}

// Long enough that a copy begins before this process has taken all items.
static void takeAWhile() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

TEST(InParallel, TakesAProcessForEachCore) {
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) GTEST_SKIP() << "one core";
  std::set<std::string> processes;
  const auto texts = inParallel(40, [](size_t, unsigned) {
    takeAWhile();
    return std::to_string(getpid());
  });
  for (const std::string& text : texts) processes.insert(text);
  EXPECT_GT(processes.size(), 1u);
}

TEST(InParallel, DoesHereWhatACopyDiesOf) {
  const pid_t here = getpid();
  const auto texts = inParallel(20, [here](size_t i, unsigned) {
    if (getpid() != here) _exit(1);
    takeAWhile();
    return std::to_string(i);
  });
  ASSERT_EQ(texts.size(), 20u);
  for (size_t i = 0; i < 20; ++i) EXPECT_EQ(texts[i], std::to_string(i));
}

// The cores are taken by the items: none spreads its blocks over them as well, but the one that
// this process does at the end by itself.
TEST(InParallel, GivesTheExecutorOneCoreWhileOthersWork) {
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) GTEST_SKIP() << "one core";
  const pid_t here = getpid();
  const auto texts = inParallel(20, [here](size_t, unsigned workers) {
    if (getpid() != here) _exit(1);
    takeAWhile();
    return std::to_string(workers);
  });
  EXPECT_GT(std::ranges::count(texts, "1"), 0);
  EXPECT_GT(std::ranges::count(texts, "0"), 0);
  EXPECT_EQ(std::ranges::count(texts, "1") + std::ranges::count(texts, "0"), 20);
}

TEST(InParallel, ThrowsWhatTheBodyThrows) {
  for (const size_t thrower : {0, 1})
    EXPECT_THROW(inParallel(3,
                            [thrower](size_t i, unsigned) -> std::string {
                              if (i == thrower) throw std::runtime_error("wrong");
                              return "";
                            }),
                 std::runtime_error);
}
