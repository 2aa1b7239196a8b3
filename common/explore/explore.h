// --explore: a page to step through what a kernel did, forwards and backwards, in a browser.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simt/executor.h"
#include "simt/trace.h"

// Where an estimated time goes: of source lines ("file.cuh:12"), their shares of it, and what it is
// the time of.
struct LineShares {
  std::string about;
  std::vector<std::pair<std::string, double>> ofLines;
};

// What a launch did, as the executor saw it.
struct Recording {
  std::string title;  // of the page, such as the name of a step
  std::string about;  // in addition to kernel, grid and block
  simt::Trace trace;
  simt::Counters counted = {};            // over all blocks of all launches
  std::optional<simt::Fault> fault = {};  // what ended it
  std::optional<LineShares> time = {};    // shown beside the lines
};

// Runs launch, which launches kernels, and records its first blocks; where another one has a fault,
// it runs launch again and records that one. A fault is kept in the recording, not thrown.
Recording recordLaunch(const std::string& title, const std::string& about,
                       const std::function<void()>& launch);

// The page, which needs nothing else: of one recording, or of two side by side. What
// trace_format.md says stands in it. Long recordings are cut off, and the page says so.
std::string explorePage(const std::vector<Recording>& recordings);

// Whether a file's contents are such a page.
bool isExplorePage(const std::string& contents);
