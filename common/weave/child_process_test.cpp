// Programs run to their end.
#include "weave/child_process.h"

#include <gtest/gtest.h>

#include <thread>

#include "test_support/host_testing.h"

using namespace std::chrono_literals;

TEST(ChildProcess, GivesBackWhatItSaysAndHowItEnded) {
  const Ended ended = runToItsEnd({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"}, "/", 1min);
  EXPECT_EQ(ended.exitCode, 3);
  EXPECT_FALSE(ended.tookTooLong);
  EXPECT_EQ(ended.output, "out\nerr\n");
}

TEST(ChildProcess, TakesWordsAsTheyAreAndTheFolder) {
  EXPECT_EQ(runToItsEnd({"/bin/echo", "$HOME", "a b", "`x`", ";y"}, "/", 1min).output,
            "$HOME a b `x` ;y\n");
  EXPECT_EQ(runToItsEnd({"/bin/sh", "-c", "pwd; cat"}, "/usr", 1min).output, "/usr\n");
}

TEST(ChildProcess, SaysWhyItCouldNotStart) {
  const Ended ended = runToItsEnd({"/no/such/program"}, "/", 1min);
  EXPECT_EQ(ended.exitCode, 127);
  EXPECT_TRUE(contains(ended.output, "No such file"));
  EXPECT_EQ(runToItsEnd({"/bin/echo"}, "/no/such/folder", 1min).exitCode, 127);
}

TEST(ChildProcess, EndsWithItsChildrenAtTheLimit) {
  const TemporaryFolder folder;
  const auto start = std::chrono::steady_clock::now();
  const Ended ended = runToItsEnd({"/bin/sh", "-c", "echo a; (sleep 2; echo b > late) & sleep 600"},
                                  folder.path(), 500ms);
  EXPECT_TRUE(ended.tookTooLong);
  EXPECT_EQ(ended.output, "a\n");
  EXPECT_EQ(ended.exitCode, 128 + 9);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 1min);
  std::this_thread::sleep_for(3s);
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

TEST(ChildProcess, ReadsALotOfOutput) {
  const Ended ended = runToItsEnd({"/bin/sh", "-c", "head -c 3000000 /dev/zero"}, "/", 1min);
  EXPECT_EQ(ended.exitCode, 0);
  EXPECT_EQ(ended.output.size(), 3000000u);
}

TEST(ChildProcess, NamesTheSignalThatEndedIt) {
  EXPECT_EQ(runToItsEnd({"/bin/sh", "-c", "kill -TERM $$"}, "/", 1min).exitCode, 128 + 15);
}
