// UTF-8 text as characters and as columns of a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The code point that begins at a byte, and behind the byte where it ends. Where no valid UTF-8
// begins: U+FFFD, and one byte further.
char32_t codePointAt(const std::string& text, size_t& at);

// The columns that a terminal with a fixed-width font takes for a text: two for most Chinese,
// Japanese and Korean characters and emoji, none for combining ones. What the C library knows of
// Unicode decides.
size_t columnsOf(const std::string& text);

// The text where it has no more bytes than that; else its beginning, without half a character, and
// an ellipsis. A letter keeps its accents, an emoji its parts.
std::string cutToBytes(const std::string& text, size_t most);

// The same by columns of a terminal, and without an ellipsis.
std::string cutToColumns(const std::string& text, size_t most);

// The text in lines of at most so many columns, broken at blanks, or only at those behind after;
// what is longer between two of them has its own line.
std::vector<std::string> brokenToLines(const std::string& text, size_t most,
                                       const std::string& after = {});
