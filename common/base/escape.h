// Text in the languages that programs write. Names of machines, labels, dates, commands and files
// come from other people: each goes through the function of the language that it is written in.
#pragma once

#include <string>

// For a terminal: one line of UTF-8. Control characters, line breaks, and characters that are not
// seen but move others (bidirectional marks) become blanks; what is not Unicode becomes U+FFFD.
std::string terminalText(const std::string& text);

// For HTML, SVG and XML, between tags and in quoted attributes.
std::string markupText(const std::string& text);

// For Markdown, also at the beginning of a bullet or in a cell of a table.
std::string markdownText(const std::string& text);

// For a field of a CSV file (RFC 4180). A spreadsheet takes it for text or for a number, never for
// a formula, also where it separates fields by semicolons.
std::string csvField(const std::string& text);

// For a command line: one word of a POSIX shell. Control characters are written as $'\n', which
// bash, zsh and ksh know.
std::string shellWord(const std::string& word);
