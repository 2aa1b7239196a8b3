// The recorded results: which there are, and build/compare's page of those of each program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/report.h"
#include "weave/repository.h"

struct Results {
  std::map<std::string, std::vector<Report>> byMachine;  // file: the path from the root
  std::map<std::string, std::string> pages;              // by program: a page of the site
};

// Of all records in common/results that have times, but those of kernels that the timing model must
// not know (frozen), and those of hundreds of lengths, which have pages of their own.
Results resultsOf(const Repository& repository);

// Where the page of a program stands in the site.
std::string resultPageOf(const std::string& program);
