// --explore: a page to step through what a kernel did, forwards and backwards, in a browser.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "explore/estimated.h"
#include "simt/observe/trace.h"
#include "simt/run/executor.h"

// What a launch did, as the executor saw it.
struct Recording {
  std::string title;  // of the page, such as the name of a step
  std::string about;  // in addition to kernel, grid and block
  simt::Trace trace;
  simt::Counters counted = {};                // over all blocks of all launches
  std::vector<simt::Fault> faults = {};       // what was found, mild ones included
  std::optional<PageEstimate> estimate = {};  // of a launch like it

  // The first that is not mild, or null.
  const simt::Fault* fault() const;
};

// Runs launch, which launches kernels, and records its first blocks; where others have faults, it
// runs launch again and records those. Faults are kept in the recording, not thrown.
Recording recordLaunch(const std::string& title, const std::string& about,
                       const std::function<void()>& launch);

// Whether two recordings are of the same source and count the same.
bool isSameKernel(const Recording& one, const Recording& other);

// The page, which needs nothing else: of one recording, or of two side by side. What
// trace_format.md says stands in it. Long recordings are cut off, and the page says so. Estimates
// stand apart from the rest: compilers differ in them.
std::string explorePage(const std::vector<Recording>& recordings);

// Whether a file's contents are such a page.
bool isExplorePage(const std::string& contents);
