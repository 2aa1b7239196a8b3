// Arithmetic in recipes: numbers, + - * / and parentheses, and functions of texts.
#pragma once

#include <functional>
#include <string>
#include <vector>

// NAME(ARGUMENT; ARGUMENT …). Arguments are texts without parentheses and semicolons.
struct Call {
  std::string name;
  std::vector<std::string> arguments;
};

// The call that a text consists of; no name where it is anything else.
Call onlyCallIn(const std::string& text);

// The value of a formula; numberOf says what a function of it is. Throws Error (exitUsage) for what
// is no formula, for one of more than 100 nested parentheses, and for what is not a finite number.
double calculate(const std::string& formula, const std::function<double(const Call&)>& numberOf);

// A number as a page shows it: .2f so many digits, "," separators of thousands, ms as times are
// shown, g whole numbers as they are and others with a digit behind the point. Throws Error
// (exitUsage) for another format.
std::string formatted(double value, const std::string& format);

// A formula and the format behind its last %; none is g.
struct Formatted {
  std::string formula, format;
};
Formatted splitFormat(const std::string& text);
