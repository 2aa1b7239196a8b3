// Counts as people write them: 1000003 or 2^28.
#pragma once

#include <cstdint>
#include <string>

// Reads a count such as 1000003 or 2^28. Throws Error (exitUsage) with one line, which begins with
// the option, for anything else and for what does not fit in 63 bits.
uint64_t parseCount(const std::string& option, const std::string& text);

// The whole text as a number. Throws Error (exitUsage) with one line, which begins with where, for
// anything else.
double numberIn(const std::string& text, const std::string& where);

// 268435456 as "2^28", 268435469 as "2^28 + 13", other numbers in digits.
std::string countName(uint64_t n);
