// Texts as lines and words, and the reasons why a page cannot be filled.
#pragma once

#include <string>
#include <vector>

using Lines = std::vector<std::string>;

Lines linesOf(const std::string& text);
std::string joined(const Lines& lines);  // each with its newline
std::string replaced(std::string text, const std::string& from, const std::string& to);

// Words between blanks; "several words" in double quotes are one. Throws Error (exitUsage) for a
// quote without its end.
Lines wordsOf(const std::string& text);

// A name as marks and recipes have them: a letter, then letters, digits and, where allowed, -.
bool isName(const std::string& text, bool hyphens = true);

// Throws Error (exitUsage).
[[noreturn]] void refuse(const std::string& why);

// What is wrong, as "PATH:LINE: reason", in the order in which it was found.
using Problems = std::vector<std::string>;
std::string problemAt(const std::string& path, size_t line, const std::string& why);
