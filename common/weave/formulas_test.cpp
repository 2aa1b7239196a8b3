// Arithmetic in recipes.
#include "weave/formulas.h"

#include <gtest/gtest.h>

#include "test_support/host_testing.h"

namespace {

// Functions of the tests: twice(X), and what their arguments add up to.
double numberOf(const Call& call) {
  if (call.name == "twice") return 2 * std::stod(call.arguments.at(0));
  double sum = 0;
  for (const std::string& argument : call.arguments) sum += std::stod(argument);
  return sum;
}

double value(const std::string& formula) { return calculate(formula, numberOf); }

std::string refusal(const std::string& formula) {
  return refusalOf([&] { value(formula); });
}

}  // namespace

TEST(Formulas, AreCalculated) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3 - 4 / 2 / 2"), 8);
  EXPECT_EQ(value("1.25*4"), 5);
  EXPECT_EQ(value("twice(4) / sum(1; 2; 5)"), 1);
  EXPECT_EQ(value("sum()"), 0);
  EXPECT_EQ(value("  ( ( 7 ) ) "), 7);
}

TEST(Formulas, ThatMakeNoSenseAreRefused) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"", "is no number and no function"},
      {"1 +", "is no number and no function"},
      {"* 2", "is no number and no function"},
      {"-1", "is no number and no function"},
      {"(1", "a ')' is missing"},
      {"sum(1", "a ')' is missing"},
      {"sum(1; (2))", "a ')' is missing"},
      {"sum", "a '(' is missing"},
      {"1 1", "does not belong in a formula"},
      {"1)", "does not belong in a formula"},
      {"0x10", "does not belong in a formula"},
      {"1.2.3", "'1.2.3' is no number"},
      {"1 / 0", "divides by zero"},
      {"0 / (1 - 1)", "divides by zero"},
      {"1 / 0.0", "divides by zero"},
      {std::string(400, '9'), "is not a finite number"},
      {std::string(300, '9') + " * " + std::string(300, '9'), "is not a finite number"},
      {"`rm -rf /`", "is no number and no function"},
      {std::string("1\0", 2), "'"}};
  for (const auto& [formula, reason] : table)
    EXPECT_TRUE(contains(refusal(formula), reason)) << formula;
}

TEST(Formulas, AreRefusedBeforeTheyAreTooDeep) {
  EXPECT_EQ(value(std::string(100, '(') + "1" + std::string(100, ')')), 1);
  EXPECT_EQ(refusal(std::string(200000, '(')), "more than 100 parentheses in each other");
  EXPECT_EQ(refusal(std::string(200000, '(') + "1" + std::string(200000, ')')),
            "more than 100 parentheses in each other");
  std::string sideBySide = "(1)";
  for (int i = 0; i < 1000; ++i) sideBySide += "+(1)";
  EXPECT_EQ(value(sideBySide), 1001);
}

TEST(Formulas, KnowACallThatStandsAlone) {
  EXPECT_EQ(onlyCallIn("f(a; b)").name, "f");
  EXPECT_EQ(onlyCallIn(" f ( a ) ").arguments, std::vector<std::string>{"a"});
  for (const std::string text :
       {"", "f", "f(a) + 1", "(f(a))", "1 + f(a)", "f(a)(b)", "f(a", "1(2)"})
    EXPECT_EQ(onlyCallIn(text).name, "") << text;
}

TEST(Formulas, AreShownInTheirFormat) {
  EXPECT_EQ(formatted(7, "g"), "7");
  EXPECT_EQ(formatted(2.5, "g"), "2.5");
  EXPECT_EQ(formatted(1234567, ","), "1,234,567");
  EXPECT_EQ(formatted(-123456, ","), "-123,456");
  EXPECT_EQ(formatted(123, ","), "123");
  EXPECT_EQ(formatted(2.0 / 3, ".3f"), "0.667");
  EXPECT_EQ(formatted(-0.04, ".1f"), "0.0");
  EXPECT_EQ(formatted(-0.06, ".1f"), "-0.1");
  EXPECT_EQ(formatted(-0.4, ".0f"), "0");
  for (const std::string format : {"", "x", "f", ".f", ".10f", "..f", ".2g", ",,", "n", "{}"})
    EXPECT_TRUE(contains(refusalOf([&] { formatted(1, format); }), "is no format")) << format;
  EXPECT_EQ(splitFormat("1 + 2 % .2f").format, ".2f");
  EXPECT_EQ(splitFormat("1 + 2").format, "");
  EXPECT_TRUE(contains(refusalOf([] { splitFormat("1 %"); }), "no format behind the %"));
}
