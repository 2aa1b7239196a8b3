#include "weave/formulas.h"

#include <fmt/core.h>

#include <cctype>
#include <cmath>
#include <cstdlib>

#include "base/text.h"
#include "report/statistics.h"
#include "weave/lines.h"

namespace {

// One formula, from left to right.
class Parser {
 public:
  Parser(const std::string& text, const std::function<double(const Call&)>& numberOf)
      : text_(text), numberOf_(numberOf) {}

  double all() {
    const double value = sum();
    if (!atEnd()) refuse("'" + text_.substr(at_) + "' does not belong in a formula");
    return value;
  }

  // NAME(…), and nothing of a name where there is none.
  Call call() {
    Call call;
    skip();
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])))
      call.name += text_[at_++];
    if (call.name.empty()) return call;
    if (!take('(')) refuse("a '(' is missing in '" + text_ + "'");
    const size_t close = text_.find_first_of("()", at_);
    if (close == std::string::npos || text_[close] == '(')
      refuse("a ')' is missing in '" + text_ + "'");
    const std::string inside = text_.substr(at_, close - at_);
    if (!trimmed(inside).empty()) call.arguments = split(inside, ";");
    at_ = close + 1;
    return call;
  }

  bool atEnd() {
    skip();
    return at_ == text_.size();
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  double sum() {
    double value = product();
    for (;;) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        return finite(value);
    }
  }
  double product() {
    double value = factor();
    for (;;) {
      if (take('*'))
        value *= factor();
      else if (take('/'))
        value = divided(value, factor());
      else
        return finite(value);
    }
  }
  double factor() {
    if (take('(')) {
      if (++depth_ > 100) refuse("more than 100 parentheses in each other");
      const double value = sum();
      if (!take(')')) refuse("a ')' is missing in '" + text_ + "'");
      --depth_;
      return value;
    }
    skip();
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) return number();
    const Call call = this->call();
    if (call.name.empty()) refuse("'" + text_.substr(at_) + "' is no number and no function");
    return numberOf_(call);
  }
  double number() {
    const size_t end = std::min(text_.find_first_not_of("0123456789.", at_), text_.size());
    const std::string digits = text_.substr(at_, end - at_);
    if (digits.find('.') != digits.rfind('.')) refuse("'" + digits + "' is no number");
    at_ = end;
    return finite(std::strtod(digits.c_str(), nullptr));
  }

  double divided(double value, double by) const {
    if (by == 0) refuse("'" + text_ + "' divides by zero");
    return value / by;
  }
  double finite(double value) const {
    if (!std::isfinite(value)) refuse("'" + text_ + "' is not a finite number");
    return value;
  }

  const std::string text_;
  const std::function<double(const Call&)>& numberOf_;
  size_t at_ = 0;
  int depth_ = 0;
};

std::string withThousands(double value) {
  std::string digits = fixed(value, 0);
  const size_t first = digits.starts_with('-');
  for (size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

}  // namespace

Call onlyCallIn(const std::string& text) {
  const size_t open = text.find('(');
  if (open == std::string::npos || !isName(trimmed(text.substr(0, open)), false) ||
      text.find_first_of("()", open + 1) != text.find_last_not_of(" "))
    return {};
  return Parser(text, {}).call();
}

double calculate(const std::string& formula, const std::function<double(const Call&)>& numberOf) {
  return Parser(formula, numberOf).all();
}

std::string formatted(double value, const std::string& format) {
  if (format == ",") return withThousands(value);
  if (format == "g") return fixed(value, std::abs(value - std::round(value)) < 1e-9 ? 0 : 1);
  if (format == "ms") return milliseconds(value);
  if (format.size() == 3 && format[0] == '.' && format[2] == 'f' && format[1] >= '0' &&
      format[1] <= '9') {
    const std::string digits = fixed(value, format[1] - '0');
    // A little below zero is not "-0.0".
    return digits.starts_with('-') && digits.find_first_of("123456789") == std::string::npos
               ? digits.substr(1)
               : digits;
  }
  refuse("'" + format + "' is no format");
}

Formatted splitFormat(const std::string& text) {
  const size_t percent = text.rfind('%');
  if (percent == std::string::npos) return {trimmed(text), ""};
  const std::string format = trimmed(text.substr(percent + 1));
  if (format.empty()) refuse("no format behind the % of '" + text + "'");
  return {trimmed(text.substr(0, percent)), format};
}
