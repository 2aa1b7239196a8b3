// What the programs refuse: exit code 2, one line on stderr, no file.
#include <gtest/gtest.h>

#include <string>

#include "whole_tests/programs_testing.h"

TEST(Programs, RefuseACountThatIsNoNumber) {
  for (const std::string n : {"-5", "abc", "", "2^", "^3", "1.5", "0x10", " 5", "2^3^4"})
    expectRefusal({"--n", n}, "--n '" + n + "'");
  expectRefusal({"--n", "\xff"}, "--n '\uFFFD'");  // no character: shown as the mark for that
}

TEST(Programs, RefuseACountThatDoesNotFitIn63Bits) {
  for (const std::string n : {"99999999999999999999", "2^63", "2^99"})
    expectRefusal({"--n", n}, "--n '" + n + "': too large");
}

TEST(Programs, RefuseACountThatDoesNotFitInMemory) {
  for (const std::string n : {"2^45", "2^60", "2^62"}) {
    expectRefusal({"--n", n}, "--n " + n + " needs ");
    expectRefusal({"--n", n}, " fits");
  }
}

TEST(Programs, SayHowMuchMemoryALargeCountNeeds) {
  for (const std::string n : {"2^45", "2^60", "2^62"}) {
    const std::string err = runCpu("ladder", {"--n", n}).err;
    EXPECT_FALSE(contains(err, "needs 0 MiB"));
  }
}

TEST(Programs, RefuseABlockThatIsNoPowerOfTwo) {
  for (const std::string block : {"100", "33", "1023"})
    expectRefusal({"--block", block}, "--block " + block + ": expected 32, 64");
}

TEST(Programs, RefuseABlockBelow32OrAbove1024) {
  for (const std::string block : {"0", "1", "16", "2048", "2^32"})
    expectRefusal({"--block", block}, "--block " + block + ": expected 32, 64");
}

TEST(Programs, RefuseABlockThatIsNoNumber) {
  for (const std::string block : {"-32", "", "x"})
    expectRefusal({"--block", block}, "--block '" + block + "'");
}

TEST(Programs, RefuseToTakeNoSamples) {
  expectRefusal({"--samples", "0"}, "--samples 0: expected 1 to");
  for (const std::string samples : {"x", "-1", ""})
    expectRefusal({"--samples", samples}, "--samples '" + samples + "'");
}

TEST(Programs, RefuseASeedThatIsNoNumber) {
  for (const std::string seed : {"-1", "x", "", "99999999999999999999"})
    expectRefusal({"--seed", seed}, "--seed '" + seed + "'");
}

TEST(Programs, RefuseAScheduleTheyDoNotKnow) {
  for (const std::string schedule :
       {"sideways", "random:", "random:x", "random:-1", "forward:3", "reverse:", "", "RANDOM"})
    expectRefusal({"--schedule", schedule}, "--schedule '" + schedule + "'");
}

TEST(Programs, RefuseADeviceOnTheCpu) {
  for (const Words& arguments : {Words{"--device", "0"}, Words{"--device=0"}, Words{"--device"}})
    expectRefusal(arguments, "--device chooses a GPU");
}

TEST(Programs, RefuseAnOptionTheyDoNotKnow) {
  for (const std::string option : {"--bogus", "--he", "-x", "-5"}) expectRefusal({option}, option);
}

TEST(Programs, RefuseAWordThatBelongsToNoOption) {
  expectRefusal({"stray"}, "stray");
  expectRefusal({"--n", "5", "6"}, "6");
  expectRefusal({""}, "not expected");
}

TEST(Programs, RefuseAnOptionWithoutItsValue) {
  for (const std::string option : {"--n", "--block", "--samples", "--seed", "--schedule", "--json"})
    expectRefusal({option}, option);
}

TEST(Programs, RefuseAnOptionGivenTwice) {
  expectRefusal({"--n", "5", "--n", "5"}, "--n");
  expectRefusal({"--json", "a", "--json", "b"}, "--json");
}

// The line that quotes the command line must stay one.
TEST(Programs, RefuseALineBreakOnOneLine) {
  expectRefusal({"--n", "5\n6"}, "expected a count");
  expectRefusal({"--schedule", "side\nways"}, "expected forward");
  expectRefusal({"--json", "/no/such\nfolder/x"}, "cannot be written");
  expectRefusal({"stray\nword"}, "not expected");
}
