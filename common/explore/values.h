// Values as a trace has them, which are bytes, and as a reader wants them, which are numbers.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

// What the bytes are. A trace does not say it; natural: without a sign.
enum class ValueType { integer, natural, floatingPoint };

// Whether some values are floating-point numbers or integers, as far as their bits tell: small
// integers would be floating-point numbers next to zero, and the other way round integers near the
// end of their range.
class TypeGuess {
 public:
  void see(uint64_t bits, unsigned bytes);
  ValueType type() const;

 private:
  unsigned integers_ = 0, floats_ = 0;
};

// As a number, or as text where JavaScript has no such number.
nlohmann::json valueAsJson(uint64_t bits, unsigned bytes, ValueType type);
