// The command line, and the input that --n and --seed ask for.
#include "options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>

#include "check.h"
#include "host_testing.h"
#include "input.h"

namespace {

// The line that a function refuses with, empty when it does not.
template <typename F>
std::string refusalOf(const F& function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.code, exitUsage) << error.what();
    return error.what();
  }
  return "";
}

std::string countRefusal(const std::string& text) {
  return refusalOf([&] { parseCount("--n", text); });
}

// What these words after the program's name ask for; throws what parseOptions throws.
std::optional<Options> parse(std::vector<std::string> words, Backend backend = Backend::cpu) {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return parseOptions(int(words.size()), argv.data(), "program", backend, "2^20");
}

}  // namespace

TEST(Count, IsANumber) {
  EXPECT_EQ(parseCount("--n", "0"), 0u);
  EXPECT_EQ(parseCount("--n", "1000003"), 1000003u);
  EXPECT_EQ(parseCount("--n", "007"), 7u);
}

TEST(Count, IsAPower) {
  EXPECT_EQ(parseCount("--n", "2^0"), 1u);
  EXPECT_EQ(parseCount("--n", "2^28"), 268435456u);
  EXPECT_EQ(parseCount("--n", "10^9"), 1000000000u);
  EXPECT_EQ(parseCount("--n", "0^5"), 0u);
}

// One to a huge power would take forever to multiply out.
TEST(Count, IsAPowerOfOneAtOnce) { EXPECT_EQ(parseCount("--n", "1^9000000000000000000"), 1u); }

TEST(Count, FitsIn63Bits) {
  EXPECT_EQ(parseCount("--n", "9223372036854775807"), uint64_t(INT64_MAX));
  EXPECT_EQ(parseCount("--n", "2^62"), uint64_t(1) << 62);
  EXPECT_EQ(parseCount("--n", "3^39"), 4052555153018976267u);
  for (const char* text : {"9223372036854775808", "18446744073709551616", "99999999999999999999",
                           "2^63", "2^64", "2^99", "3^40", "2^99999999999999999999"})
    EXPECT_TRUE(contains(countRefusal(text), "too large")) << text;
}

TEST(Count, IsNothingElse) {
  for (const char* text : {"", "abc", "-5", "+5", " 5", "5 ", "1.5", "1e6", "0x10", "2^", "^3", "^",
                           "2^-1", "2^3^4", "2**3", "1'000", "1,000", "\xff"})
    EXPECT_TRUE(contains(countRefusal(text), "expected a count such as")) << text;
}

TEST(Count, IsRefusedByTheNameOfItsOption) {
  EXPECT_EQ(countRefusal("abc"), "--n 'abc': expected a count such as 1000003 or 2^28");
}

TEST(CountName, ShowsPowersOfTwo) {
  EXPECT_EQ(countName(1024), "2^10");
  EXPECT_EQ(countName(268435456), "2^28");
  EXPECT_EQ(countName(uint64_t(1) << 62), "2^62");
}

TEST(CountName, ShowsWhatIsLittleMoreThanAPowerOfTwo) {
  EXPECT_EQ(countName(1025), "2^10 + 1");
  EXPECT_EQ(countName(268435469), "2^28 + 13");
  EXPECT_EQ(countName((1 << 20) + 65535), "2^20 + 65535");
}

TEST(CountName, ShowsOtherNumbersInDigits) {
  for (const uint64_t n : {0, 1, 33, 1023, 1500, 1000003, (1 << 20) + 65536, (1 << 20) - 1})
    EXPECT_EQ(countName(n), std::to_string(n));
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

TEST(RunProgram, ReturnsWhatTheBodyReturns) {
  EXPECT_EQ(runProgram(
                "program", [](int, char**) { return int(exitWrong); }, 0, nullptr),
            exitWrong);
}

TEST(RunProgram, TurnsAnErrorIntoALineAndItsCode) {
  const Captured err(std::cerr);
  const auto body = [](int, char**) -> int { throw Error(exitNoDevice, "no usable GPU"); };
  EXPECT_EQ(runProgram("program", body, 0, nullptr), exitNoDevice);
  EXPECT_EQ(err.text(), "program: no usable GPU\n");
}

// A word of the command line may hold a line break; the line that quotes it may not.
TEST(RunProgram, KeepsAnErrorOnOneLine) {
  const Captured err(std::cerr);
  const auto body = [](int, char**) -> int { throw Error(exitUsage, "--n 'a\nb\r': no"); };
  EXPECT_EQ(runProgram("program", body, 0, nullptr), exitUsage);
  EXPECT_EQ(std::ranges::count_if(err.text(), [](char c) { return c == '\n' || c == '\r'; }), 1)
      << err.text();
}

TEST(RunProgram, SaysThatMemoryRanOut) {
  const Captured err(std::cerr);
  const auto body = [](int, char**) -> int { throw std::bad_alloc(); };
  EXPECT_EQ(runProgram("program", body, 0, nullptr), exitUsage);
  EXPECT_TRUE(contains(err.text(), "choose a smaller --n"));
}

TEST(Input, HasValuesFrom0To255) {
  const Input input = makeInput(100000, 1);
  const auto [least, most] = std::minmax_element(input.values.get(), input.values.get() + input.n);
  EXPECT_EQ(*least, 0);
  EXPECT_EQ(*most, 255);
}

TEST(Input, HasItsSum) {
  for (const size_t n : {0, 1, 7, 8, 9, 100003}) {
    const Input input = makeInput(n, 3);
    EXPECT_EQ(input.n, n);
    EXPECT_EQ(input.sum, std::accumulate(input.values.get(), input.values.get() + n, int64_t(0)))
        << n;
  }
}

TEST(Input, IsTheBeginningOfALongerOne) {
  const Input whole = makeInput(100003, 1);
  for (const size_t n : {1, 7, 8, 9, 31, 1000, 100002}) {
    const Input part = makeInput(n, 1);
    EXPECT_TRUE(std::equal(part.values.get(), part.values.get() + n, whole.values.get())) << n;
  }
}

TEST(Input, IsAnotherForAnotherSeed) {
  std::vector<std::vector<int>> beginnings;
  for (const uint64_t seed : {uint64_t(0), uint64_t(1), uint64_t(2), uint64_t(INT64_MAX)}) {
    const Input input = makeInput(16, seed);
    beginnings.emplace_back(input.values.get(), input.values.get() + 16);
  }
  std::ranges::sort(beginnings);
  EXPECT_EQ(std::ranges::adjacent_find(beginnings), beginnings.end());
}

TEST(Input, IsTheSameAgain) {
  const Input once = makeInput(1000, 5), again = makeInput(1000, 5);
  EXPECT_TRUE(std::equal(once.values.get(), once.values.get() + 1000, again.values.get()));
}
