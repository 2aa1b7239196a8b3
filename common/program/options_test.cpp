#include "program/options.h"

#include <gtest/gtest.h>

#include <iostream>

#include "test_support/host_testing.h"

// What these words after the program's name ask for; throws what parseOptions throws.
static std::optional<Options> parse(std::vector<std::string> words, Backend backend = Backend::cpu,
                                    const std::vector<Mode>& modes = {}) {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return parseOptions(int(words.size()), argv.data(),
                      {.program = "program",
                       .backend = backend,
                       .usualN = "2^20",
                       .modes = modes,
                       .explores = true});
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
  EXPECT_TRUE(options->estimate);
  EXPECT_EQ(options->card, "h200");
  EXPECT_FALSE(options->where);
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

TEST(Options, SayWhatIsEstimated) {
  const auto options = parse({"--card", "my card.json", "--where"});
  EXPECT_EQ(options->card, "my card.json");
  EXPECT_TRUE(options->where);
  EXPECT_FALSE(parse({"--no-estimate"})->estimate);
}

TEST(Options, HaveADeviceOnlyOnAGpu) {
  EXPECT_EQ(parse({"--device", "3"}, Backend::gpu)->device, 3);
  EXPECT_TRUE(contains(refusalOf([] { parse({"--device", "3"}); }), "cpu program"));
}

TEST(Options, SetTheExecutorOnlyOnTheCpu) {
  for (const char* word :
       {"--schedule=reverse", "--fast", "--counters", "--card=h100", "--where", "--no-estimate"}) {
    EXPECT_TRUE(parse({word})) << word;
    EXPECT_TRUE(contains(refusalOf([&] { parse({word}, Backend::gpu); }), "cpu programs")) << word;
  }
}

// What is wrong is shown as it was typed, not the part of it that was looked at last.
TEST(Options, RecordOneSmallLaunch) {
  const auto options = parse({"--explore", "a.html", "--step", "one", "--step", "two"});
  EXPECT_EQ(options->explore, "a.html");
  EXPECT_EQ(options->named, (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(contains(refusalOf([] { parse({"--step", "one"}); }), "only with --explore"));
  EXPECT_TRUE(contains(refusalOf([] { parse({"--explore", ""}); }), "expected a file name"));
  EXPECT_TRUE(contains(refusalOf([] {
                         parse({"--explore", "a.html", "--json", "b.json"});
                       }),
                       "--json: not with --explore"));
  EXPECT_TRUE(
      contains(refusalOf([] {
                 parse({"--explore", "a.html", "--step", "1", "--step", "2", "--step", "3"});
               }),
               "at most two"));
  EXPECT_TRUE(contains(refusalOf([] {
                         parse({"--explore", "a.html"}, Backend::gpu);
                       }),
                       "--explore is for the cpu programs"));
}

TEST(Options, ShowTheWholeScheduleTheyRefuse) {
  for (const std::string text : {"random:", "random:x", "random:-1"})
    EXPECT_TRUE(contains(refusalOf([&] { parse({"--schedule", text}); }), "'" + text + "'"));
}

TEST(Options, AreNothingButHelpWhenHelpIsAskedFor) {
  const Captured out(std::cout);
  EXPECT_FALSE(parse({"--help"}));
  EXPECT_TRUE(contains(out.text(), "--block"));
}

// ---- Modes

static std::string modeRefusal(const std::vector<std::string>& words) {
  Mode drawing{.flag = "--draw", .help = "", .run = {}, .takesFile = true};
  drawing.leaveOut = {{"--n", "draws one small block"}};
  const Mode showing{.flag = "--show", .help = "", .run = {}};
  const Mode timing{.flag = "--time", .help = "", .run = {}, .only = Backend::gpu};
  return refusalOf([&] { parse(words, Backend::cpu, {drawing, showing, timing}); });
}

TEST(Modes, MayHaveANumber) {
  const Mode numbered{.flag = "--exercise", .help = "", .run = {}, .numbers = 3};
  const auto given = [&](const std::vector<std::string>& words) {
    return parse(words, Backend::cpu, {numbered});
  };
  EXPECT_EQ(given({"--exercise"})->number, 0u);
  EXPECT_EQ(given({"--exercise", "--fast"})->number, 0u);
  EXPECT_EQ(given({"--exercise", "2"})->number, 2u);
  EXPECT_EQ(given({"--fast", "--exercise=3"})->mode, "--exercise");
  for (const std::string wrong : {"0", "4", "-1", "two", "1 2", "99999999999"})
    EXPECT_TRUE(contains(refusalOf([&] { given({"--exercise=" + wrong}); }),
                         "--exercise '" + wrong + "': expected 1 to 3, or no number"));
}

TEST(Modes, AreOneAtATime) {
  EXPECT_EQ(modeRefusal({"--show"}), "");
  EXPECT_EQ(modeRefusal({"--draw", "a.svg"}), "");
  EXPECT_EQ(modeRefusal({"--draw", "a.svg", "--show"}), "--draw and --show: choose one of them");
}

TEST(Modes, MayTakeTheFileOfAnother) {
  Mode drawing{.flag = "--draw", .help = "", .run = {}, .takesFile = true};
  drawing.leaveOut = {{"--n", "draws one small block"}};
  Mode grading{.flag = "--grade", .help = "", .run = {}};
  grading.takesFileOf = {"--draw"};
  grading.explore = true;
  const std::vector<Mode> modes = {drawing, grading};
  for (const auto& words : {std::vector<std::string>{"--grade", "--draw", "a.svg"},
                            std::vector<std::string>{"--draw", "a.svg", "--grade"}}) {
    const auto options = parse(words, Backend::cpu, modes);
    EXPECT_EQ(options->mode, "--grade");
    EXPECT_EQ(options->modeFile, "a.svg");
    EXPECT_EQ(options->modeFileOf, "--draw");
  }
  const auto refusal = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"--grade", "--draw", "a.svg"};
    words.insert(words.end(), more.begin(), more.end());
    return refusalOf([&] { parse(words, Backend::cpu, modes); });
  };
  EXPECT_EQ(refusal({"--n", "5"}), "--n: not with --draw, which draws one small block");
  EXPECT_EQ(refusal({"--explore", "a.html"}), "--draw and --explore: choose one of them");
}

TEST(Modes, MayShowOneStep) {
  Mode drawing{.flag = "--draw", .help = "", .run = {}, .takesFile = true};
  drawing.step = true;
  const Mode showing{.flag = "--show", .help = "", .run = {}};
  const auto refusal = [&](const std::vector<std::string>& words) {
    return refusalOf([&] { parse(words, Backend::cpu, {drawing, showing}); });
  };
  EXPECT_EQ(refusal({"--draw", "a.svg", "--step", "one"}), "");
  EXPECT_EQ(refusal({"--draw", "a.svg", "--step", "one", "--step", "two"}),
            "--step: one with --draw");
  EXPECT_EQ(refusal({"--show", "--step", "one"}), "--step: only with --explore or --draw");
  EXPECT_EQ(refusal({"--step", "one"}), "--step: only with --explore or --draw");
}

TEST(Modes, SayWhatDoesNotGoWithThem) {
  EXPECT_EQ(modeRefusal({"--draw", "a.svg", "--block", "64"}), "");
  EXPECT_EQ(modeRefusal({"--draw", "a.svg", "--n", "5"}),
            "--n: not with --draw, which draws one small block");
}

TEST(Modes, TakeAFileThatHasAName) {
  EXPECT_EQ(modeRefusal({"--draw", ""}), "--draw '': expected a file name");
}

TEST(Modes, TakeANumberOfGpus) {
  const Mode sharing{.flag = "--gpus", .help = "", .run = {}, .takesGpus = true};
  const auto gpus = [&](const std::string& text) {
    return parse({"--gpus", text}, Backend::gpu, {sharing})->gpus;
  };
  EXPECT_EQ(gpus("1"), 1u);
  EXPECT_EQ(gpus("64"), 64u);
  EXPECT_EQ(gpus("all"), 0u);
  for (const std::string text :
       {"0", "65", "5000000000", "2^2", "", "-1", "1.5", "2 ", "All", "two"})
    EXPECT_EQ(refusalOf([&] { gpus(text); }), "--gpus '" + text + "': expected 1 to 64, or all");
}

TEST(Modes, AreThoseOfThisBackend) {
  EXPECT_TRUE(contains(modeRefusal({"--time"}), "--time needs a GPU"));
}

TEST(Options, TakeBlocksThatAPowerOfTwoAllows) {
  for (const std::string block : {"32", "64", "128", "256", "512", "1024"})
    EXPECT_EQ(std::to_string(parse({"--block", block})->block), block);
  for (const std::string block : {"0", "16", "33", "100", "1023", "2048"})
    EXPECT_TRUE(contains(refusalOf([&] {
                           parse({"--block", block});
                         }),
                         "expected 32, 64"))
        << block;
}
