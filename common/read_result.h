// Reads what ResultFile wrote, and trusts nothing in it.
#pragma once

#include "report.h"

// The report in a result file of schema 1; a step's median, minimum and maximum are taken from its
// samples. Throws Error (exitUsage) with one line, "FILE: reason", for a file that cannot be read,
// is not JSON, is cut short, is of another schema, or holds what no program can have measured.
// Control characters in names become blanks.
Report readResult(const std::string& path);

// The same from a text; path is for the message only.
Report parseResult(const std::string& text, const std::string& path);
