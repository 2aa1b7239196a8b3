// The launch of a program that --explore shows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explore/explore.h"
#include "simt/observe/trace.h"
#include "simtcc/own_programs/made_apart.h"
#include "simtcc/own_programs/options.h"
#include "simtcc/runtime/program_observer.h"

class ExploredLaunch {
 public:
  explicit ExploredLaunch(const ProgramOptions& options) : options_(options) {}

  // Has two blocks of the launch that is about to begin traced, and estimates it in a process of
  // its own: where anything happens there, the page does without.
  void begin(const simt::ObservedLaunch& launch);
  void end(const simt::Counters& counted, const std::vector<simt::Fault>& faults);

  // After end().
  std::string page();

 private:
  const ProgramOptions& options_;
  std::vector<uint64_t> shown_;  // numbers of blocks
  dim3 grid_;
  Recording recording_;
  std::unique_ptr<MakingApart> estimate_;
};
