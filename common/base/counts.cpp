#include "base/counts.h"

#include <fmt/core.h>

#include <bit>

#include "base/errors.h"

uint64_t parseCount(const std::string& option, const std::string& text) {
  const auto fail = [&](const std::string& why) -> uint64_t {
    throw Error(exitUsage, option + " '" + text + "': " + why);
  };
  const auto number = [&](const std::string& digits) {
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
      fail("expected a count such as 1000003 or 2^28");
    uint64_t value = 0;
    for (const char digit : digits) {
      const auto next = uint64_t(digit - '0');
      if (value > (uint64_t(INT64_MAX) - next) / 10) fail("too large");
      value = value * 10 + next;
    }
    return value;
  };
  const size_t caret = text.find('^');
  if (caret == std::string::npos) return number(text);
  const uint64_t base = number(text.substr(0, caret));
  const uint64_t exponent = number(text.substr(caret + 1));
  uint64_t value = 1;
  for (uint64_t i = 0; i < exponent && value > 0 && base != 1; ++i) {
    if (base != 0 && value > uint64_t(INT64_MAX) / base) fail("too large");
    value *= base;
  }
  return value;
}

double numberIn(const std::string& text, const std::string& where) {
  size_t end = 0;
  double value = 0;
  try {
    value = std::stod(text, &end);
  } catch (const std::exception&) {
  }
  if (end == 0 || end != text.size())
    throw Error(exitUsage, fmt::format("{}: '{}' is not a number", where, text));
  return value;
}

std::string countName(uint64_t n) {
  if (n < 1024) return fmt::format("{}", n);
  const int exponent = std::bit_width(n) - 1;
  const uint64_t rest = n - (uint64_t(1) << exponent);
  if (rest >= 1 << 16 || rest > n / 8) return fmt::format("{}", n);
  return rest == 0 ? fmt::format("2^{}", exponent) : fmt::format("2^{} + {}", exponent, rest);
}
