// The terminal that a program writes to.
#pragma once

#include <cstddef>
#include <string>

// The columns of the terminal at a file descriptor; otherwise where it is none.
size_t terminalColumns(int descriptor, size_t otherwise);

// The columns that a table on standard output may take: those of the terminal, of at least 40; or
// 100 where it goes to a file, a pipe or a page.
size_t tableColumns();

// A sentence for standard output, with a newline: broken at blanks where a terminal shows it, and
// one line elsewhere.
std::string sentence(const std::string& text);
