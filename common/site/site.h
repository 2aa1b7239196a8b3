// The pages of the repository as a site: files that a browser opens without a server.
#pragma once

#include <map>
#include <string>

#include "weave/repository.h"

// Paths below the site's folder, and what the files hold. The same repository gives the same bytes.
using SiteFiles = std::map<std::string, std::string>;

// compareScript: build/compare.js, or empty where it could not be built: then results are compared
// by a command only. Throws Error (exitUsage) for a link on a page that leads to no file of the
// repository.
SiteFiles siteOf(const Repository& repository, const std::string& compareScript = "");
