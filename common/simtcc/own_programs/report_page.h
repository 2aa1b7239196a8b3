// --report: a page with all that is known of a program that has ended.
#pragma once

#include <string>
#include <vector>

#include "simtcc/runtime/program_observer.h"

// Launches that are alike, as LaunchEstimates shows them. ms is NaN where there is no estimate;
// then waits says why.
struct EstimatedLaunches {
  std::string kernel, grid, block;
  size_t dynamicShared = 0;
  unsigned firstArguments = 1, lastArguments = 1;  // their numbers
  uint64_t launches = 0;
  double ms = 0;
  std::string waits;
};
std::string argumentsOf(const EstimatedLaunches& launches);  // "3", or "4 to 7"

struct ReportPage {
  std::string program, path;  // and where this page will be
  simt::ProgramSummary summary;
  std::string card = {}, compiler = {};  // of the estimates, where there are some
  std::vector<EstimatedLaunches> estimates = {};
  std::string exploredKernel = {}, exploredPage = {};  // of --explore; or empty
};

// Self-contained, and nothing that came from the program is taken for markup. Tables are sorted by
// a click on the head of a column.
std::string reportPage(const ReportPage& page);

// Whether a file's contents are such a page.
bool isReportPage(const std::string& contents);
