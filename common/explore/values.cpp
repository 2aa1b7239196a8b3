#include "explore/values.h"

#include <fmt/core.h>

#include <bit>
#include <cmath>

namespace {

double asFloat(uint64_t bits, unsigned bytes) {
  return bytes == 8 ? std::bit_cast<double>(bits) : double(std::bit_cast<float>(uint32_t(bits)));
}

int64_t asInteger(uint64_t bits, unsigned bytes) {
  const unsigned unused = 64 - 8 * bytes;
  return int64_t(bits << unused) >> unused;
}

}  // namespace

void TypeGuess::see(uint64_t bits, unsigned bytes) {
  if (bytes != 4 && bytes != 8) return;
  const int64_t integer = asInteger(bits, bytes);
  if (integer == 0) return;
  const double number = std::fabs(asFloat(bits, bytes));
  const bool floating = std::isinf(number) || (number > 1e-12 && number < 1e15);
  const bool small = integer > -(1 << 23) && integer < (1 << 23);
  if (floating && !small)
    ++floats_;
  else
    ++integers_;
}

ValueType TypeGuess::type() const {
  return floats_ > 9 * integers_ ? ValueType::floatingPoint : ValueType::integer;
}

nlohmann::json valueAsJson(uint64_t bits, unsigned bytes, ValueType type) {
  if (bytes == 0 || bytes > 8) return nullptr;
  if (type == ValueType::floatingPoint && bytes == 8)
    return fmt::format("{}", std::bit_cast<double>(bits));
  if (type == ValueType::floatingPoint && bytes == 4)
    return fmt::format("{}", std::bit_cast<float>(uint32_t(bits)));
  constexpr int64_t exact = int64_t(1) << 53;
  if (type == ValueType::natural) {
    const uint64_t value = bits << (64 - 8 * bytes) >> (64 - 8 * bytes);
    return value > uint64_t(exact) ? nlohmann::json(std::to_string(value)) : nlohmann::json(value);
  }
  const int64_t value = asInteger(bits, bytes);
  if (value > exact || value < -exact) return std::to_string(value);
  return value;
}
