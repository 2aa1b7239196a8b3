// Counts, the end of a program, and text.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <new>

#include "base/counts.h"
#include "base/errors.h"
#include "base/machine.h"
#include "base/program_main.h"
#include "base/table.h"
#include "test_support/host_testing.h"

static std::string countRefusal(const std::string& text) {
  return refusalOf([&] { parseCount("--n", text); });
}

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

TEST(Identity, TellsCardsApart) {
  EXPECT_EQ(identityOf("GPU 1"), identityOf("GPU 1"));
  EXPECT_NE(identityOf("GPU 1"), identityOf("GPU 2"));
  EXPECT_NE(identityOf(std::string(16, '\0')), identityOf(std::string(15, '\0')));
  EXPECT_EQ(identityOf("").size(), 8u);
}

TEST(Number, IsTheWholeText) {
  EXPECT_EQ(numberIn("-1.5e3", "a.csv:7"), -1500);
  for (const char* text : {"", "many", "1 2", "1,5", "3x"})
    EXPECT_EQ(refusalOf([&] { numberIn(text, "a.csv:7"); }),
              "a.csv:7: '" + std::string(text) + "' is not a number");
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

TEST(RunProgram, ReturnsWhatTheBodyReturns) {
  EXPECT_EQ(runProgram("program", [] { return int(exitWrong); }), exitWrong);
}

TEST(RunProgram, TurnsAnErrorIntoALineAndItsCode) {
  const Captured err(std::cerr);
  const auto body = []() -> int { throw Error(exitNoDevice, "no usable GPU"); };
  EXPECT_EQ(runProgram("program", body), exitNoDevice);
  EXPECT_EQ(err.text(), "program: no usable GPU\n");
}

// A word of the command line may hold a line break; the line that quotes it may not.
TEST(RunProgram, KeepsAnErrorOnOneLine) {
  const Captured err(std::cerr);
  const auto body = []() -> int { throw Error(exitUsage, "--n 'a\nb\r': no"); };
  EXPECT_EQ(runProgram("program", body), exitUsage);
  EXPECT_EQ(std::ranges::count_if(err.text(), [](char c) { return c == '\n' || c == '\r'; }), 1)
      << err.text();
}

TEST(RunProgram, SaysThatStandardOutputIsLost) {
  const Captured err(std::cerr);
  std::cout.setstate(std::ios::badbit);
  const int code = runProgram("program", [] { return int(exitRight); });
  std::cout.clear();
  EXPECT_EQ(code, exitUsage);
  EXPECT_TRUE(contains(err.text(), "standard output could not be written"));
}

TEST(RunProgram, SaysThatMemoryRanOut) {
  const Captured err(std::cerr);
  const auto body = []() -> int { throw std::bad_alloc(); };
  EXPECT_EQ(runProgram("program", body), exitUsage);
  EXPECT_TRUE(contains(err.text(), "choose a smaller --n"));
}

TEST(Table, CountsCharactersAndNotBytes) {
  Table table;
  table.add({"step", "µs", "sum"});
  table.add({"a", {"10", true}, "7"});
  EXPECT_EQ(table.text(), "step  µs  sum\na     10*   7\n");
}
