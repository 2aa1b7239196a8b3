// Comparisons to look at: a page and a picture. Both stand alone: no script, nothing fetched.
#pragma once

#include <string>

#include "compare/comparison.h"

// A page with the fastest of each label first, the ladder of each machine as bars under its roof,
// and the tables.
std::string htmlPage(const Comparison& comparison);

// The ladder of one report as bars under the roof, for a page that shows pictures only. At least
// one step was timed.
std::string ladderSvg(const Report& report);

// Whether a text is a page or a picture of ours, of whatever content, and nothing else.
bool isOurPage(const std::string& text);
bool isOurPicture(const std::string& text);
