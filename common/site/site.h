// The pages of the repository as a site: files that a browser opens without a server.
#pragma once

#include <map>
#include <string>

#include "weave/repository.h"

// Paths below the site's folder, and what the files hold. The same repository gives the same bytes.
using SiteFiles = std::map<std::string, std::string>;

// Throws Error (exitUsage) for a link on a page that leads to no file of the repository.
SiteFiles siteOf(const Repository& repository);
