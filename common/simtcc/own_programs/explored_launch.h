// The launch of a program that --explore shows.
#pragma once

#include <string>
#include <vector>

#include "estimate/feed.h"
#include "explore/explore.h"
#include "simt/observe/trace.h"
#include "simtcc/own_programs/options.h"

class ExploredLaunch {
 public:
  explicit ExploredLaunch(const ProgramOptions& options) : options_(options) {}

  // Has the launch that is about to begin traced: two blocks for the page, and those that stand for
  // all of them in its estimate.
  void begin(const std::string& kernel, dim3 grid, dim3 block, bool cooperative);
  void end(const simt::Counters& counted, const std::vector<simt::Fault>& faults);

  // After end(). The estimate is made in a process of its own: where anything happens there, or it
  // takes more than 20 s, the page does without.
  std::string page();

 private:
  void take();
  void keepShown();
  std::string pageWithEstimate();

  const ProgramOptions& options_;
  std::vector<uint64_t> shown_, sampled_;  // numbers of blocks
  dim3 grid_;
  std::string task_;
  simt::Trace trace_;
  estimate::Feed feed_;
  Recording recording_;
};
