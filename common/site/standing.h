// How far a translation is behind its English page.
#pragma once

#include <string>

#include "site/pages.h"

// The markup of a page in a language, with a line at each section that is behind, and at the end
// those that are not translated.
std::string withStanding(std::string body, const Page& page, const Language& language);
