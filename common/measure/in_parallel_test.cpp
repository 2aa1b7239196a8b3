#include "measure/in_parallel.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <thread>

TEST(InParallel, GivesTheTextsInTheirOrder) {
  const auto texts = inParallel(7, [](size_t i) { return std::string(100000 * i, char('a' + i)); });
  ASSERT_EQ(texts.size(), 7u);
  for (size_t i = 0; i < 7; ++i) EXPECT_EQ(texts[i], std::string(100000 * i, char('a' + i)));
  EXPECT_TRUE(inParallel(0, [](size_t) { return ""; }).empty());
}

// Long enough that a copy begins before this process has taken all items.
static void takeAWhile() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

TEST(InParallel, TakesAProcessForEachCore) {
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) GTEST_SKIP() << "one core";
  std::set<std::string> processes;
  const auto texts = inParallel(40, [](size_t) {
    takeAWhile();
    return std::to_string(getpid());
  });
  for (const std::string& text : texts) processes.insert(text);
  EXPECT_GT(processes.size(), 1u);
}

TEST(InParallel, DoesHereWhatACopyDiesOf) {
  const pid_t here = getpid();
  const auto texts = inParallel(20, [here](size_t i) {
    if (getpid() != here) _exit(1);
    takeAWhile();
    return std::to_string(i);
  });
  ASSERT_EQ(texts.size(), 20u);
  for (size_t i = 0; i < 20; ++i) EXPECT_EQ(texts[i], std::to_string(i));
}

// The cores are taken by the items: none spreads its blocks over them as well. What was asked for
// holds again afterwards.
TEST(InParallel, GivesTheExecutorOneCore) {
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) GTEST_SKIP() << "one core";
  const auto workers = [](size_t) {
    const char* const asked = std::getenv("SIMT_WORKERS");
    return std::string(asked ? asked : "none");
  };
  for (const char* asked : {"", "3"}) {
    *asked ? setenv("SIMT_WORKERS", asked, 1) : unsetenv("SIMT_WORKERS");
    for (const std::string& text : inParallel(4, workers)) EXPECT_EQ(text, "1");
    EXPECT_EQ(workers(0), *asked ? asked : "none");
  }
  unsetenv("SIMT_WORKERS");
}

TEST(InParallel, ThrowsWhatTheBodyThrows) {
  for (const size_t thrower : {0, 1})
    EXPECT_THROW(inParallel(3,
                            [thrower](size_t i) -> std::string {
                              if (i == thrower) throw std::runtime_error("wrong");
                              return "";
                            }),
                 std::runtime_error);
}
