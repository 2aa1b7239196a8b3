#include "program/options.h"

#include <gtest/gtest.h>

#include <iostream>

#include "test_support/host_testing.h"

// What these words after the program's name ask for; throws what parseOptions throws.
static std::optional<Options> parse(std::vector<std::string> words,
                                    Backend backend = Backend::cpu) {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return parseOptions(int(words.size()), argv.data(),
                      {.program = "program", .backend = backend, .usualN = "2^20"});
}

TEST(Options, HaveDefaults) {
  const auto options = parse({});
  ASSERT_TRUE(options);
  EXPECT_FALSE(options->n);
  EXPECT_EQ(options->block, 512u);
  EXPECT_EQ(options->samples, 30u);
  EXPECT_EQ(options->seed, 1u);
  EXPECT_EQ(options->json, "");
  EXPECT_EQ(options->schedule, "forward");
  EXPECT_FALSE(options->fast);
  EXPECT_FALSE(options->allCounters);
}

TEST(Options, AreRead) {
  const auto options =
      parse({"--n", "2^10", "--block=64", "--samples", "7", "--seed", "5", "--json", "a b.json",
             "--schedule", "random:9", "--fast", "--counters"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->n, 1024u);
  EXPECT_EQ(options->block, 64u);
  EXPECT_EQ(options->samples, 7u);
  EXPECT_EQ(options->seed, 5u);
  EXPECT_EQ(options->json, "a b.json");
  EXPECT_EQ(options->schedule, "random");
  EXPECT_EQ(options->scheduleSeed, 9u);
  EXPECT_TRUE(options->fast);
  EXPECT_TRUE(options->allCounters);
}

TEST(Options, HaveADeviceOnlyOnAGpu) {
  EXPECT_EQ(parse({"--device", "3"}, Backend::gpu)->device, 3);
  EXPECT_TRUE(contains(refusalOf([] { parse({"--device", "3"}); }), "cpu program"));
}

TEST(Options, SetTheExecutorOnlyOnTheCpu) {
  for (const char* word : {"--schedule=reverse", "--fast", "--counters"}) {
    EXPECT_TRUE(parse({word})) << word;
    EXPECT_TRUE(contains(refusalOf([&] { parse({word}, Backend::gpu); }), "cpu programs")) << word;
  }
}

// What is wrong is shown as it was typed, not the part of it that was looked at last.
TEST(Options, ShowTheWholeScheduleTheyRefuse) {
  for (const std::string text : {"random:", "random:x", "random:-1"})
    EXPECT_TRUE(contains(refusalOf([&] { parse({"--schedule", text}); }), "'" + text + "'"));
}

TEST(Options, AreNothingButHelpWhenHelpIsAskedFor) {
  const Captured out(std::cout);
  EXPECT_FALSE(parse({"--help"}));
  EXPECT_TRUE(contains(out.text(), "--block"));
}
