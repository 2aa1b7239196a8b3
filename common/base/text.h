// Small things with text that the standard library lacks.
#pragma once

#include <string>
#include <vector>

// A number with so many digits behind the point.
std::string fixed(double value, int digits);

// Without blanks, tabs and newlines at both ends.
std::string trimmed(const std::string& text);

// The parts between separators, trimmed.
std::vector<std::string> split(const std::string& text, const std::string& separator);
