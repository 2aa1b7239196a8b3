// The place on the page of results where a reader drops files, and what they are compared with.
#pragma once

#include <string>

#include "site/pages.h"
#include "site/results.h"

// html: where the page stands. It works by drop.js.
std::string dropPlace(const Language& language, const std::string& html, const Results& results);

// records.js: of each machine the records that are called after their programs, whole.
std::string recordsScript(const Repository& repository, const Results& results);
