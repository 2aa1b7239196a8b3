// Programs that are given a small stack, as under ulimit -s 64: what they need much of is
// elsewhere.
#include <gtest/gtest.h>

#include "whole_tests/programs_testing.h"

static Outcome runWithSmallStack(const Words& command) {
  Words words = {"-c", "ulimit -s 64; exec \"$0\" \"$@\""};
  words.insert(words.end(), command.begin(), command.end());
  return run("/bin/bash", words);
}

TEST(SmallStack, IsEnoughForTheLessons) {
  for (const std::string program : {"ladder", "03_neighbored_less"})
    for (const Words& options : {Words{}, {"--fast"}, {"--counters"}, {"--where"}}) {
      Words command = {cpuPrograms + "/" + program, "--n", "2^14"};
      command.insert(command.end(), options.begin(), options.end());
      const Outcome outcome = runWithSmallStack(command);
      EXPECT_EQ(outcome.exitCode, 0)
          << program << (options.empty() ? "" : options[0]) << outcome.err;
    }
}

#ifdef OWN_PROGRAM
TEST(SmallStack, IsEnoughForAProgramOfOnesOwn) {
  const Outcome outcome = runWithSmallStack({OWN_PROGRAM});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "Estimated on")) << outcome.err;
}
#endif
