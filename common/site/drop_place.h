// Where a reader drops files on the page of results, and what they are compared with.
#pragma once

#include <string>

#include "site/pages.h"
#include "site/results.h"

// The section of the page, which stands at html: the place, which works by drop.js, where files can
// be compared in the browser, and the command that compares them anywhere.
std::string yoursBesideThem(const Language& language, const std::string& html,
                            const Results& results, bool inBrowser);

// records.js: of each machine the records that are called after their programs, whole.
std::string recordsScript(const Repository& repository, const Results& results);
