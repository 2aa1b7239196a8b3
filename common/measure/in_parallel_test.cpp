#include "measure/in_parallel.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <set>
#include <stdexcept>

TEST(InParallel, GivesTheTextsInTheirOrder) {
  const auto texts = inParallel(7, [](size_t i) { return std::string(100000 * i, char('a' + i)); });
  ASSERT_EQ(texts.size(), 7u);
  for (size_t i = 0; i < 7; ++i) EXPECT_EQ(texts[i], std::string(100000 * i, char('a' + i)));
  EXPECT_TRUE(inParallel(0, [](size_t) { return ""; }).empty());
}

TEST(InParallel, TakesAProcessForEachCore) {
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) GTEST_SKIP() << "one core";
  std::set<std::string> processes;
  for (const std::string& text : inParallel(4, [](size_t) { return std::to_string(getpid()); }))
    processes.insert(text);
  EXPECT_GT(processes.size(), 1u);
}

TEST(InParallel, DoesHereWhatACopyDiesOf) {
  const pid_t here = getpid();
  const auto texts = inParallel(4, [here](size_t i) {
    if (getpid() != here && i == 1) _exit(1);
    return std::to_string(i);
  });
  EXPECT_EQ(texts, (std::vector<std::string>{"0", "1", "2", "3"}));
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
