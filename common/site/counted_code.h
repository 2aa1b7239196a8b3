// Code of a lesson with what the executor counted at its lines.
#pragma once

#include <string>
#include <vector>

#include "site/pages.h"

// What an explored page (common/explore/trace_format.md) counts at the lines of its sources.
struct CountedSource {
  std::string about;                        // the launch
  std::vector<std::string> titles, abouts;  // of the columns
  std::vector<std::string> lines;
  std::vector<std::vector<size_t>> counts;  // by line and column
};

// Of the pages of --explore in these texts. Nothing for what is no such page.
std::vector<CountedSource> countedSourcesOf(const std::string& explorePage);

// A block of code as a table of its lines and their counts; empty where none of the sources has
// these lines, or nothing was counted at them.
std::string countedCode(const std::string& code, const std::vector<CountedSource>& sources,
                        const Language& language);
