// What the kernels of a program would take on a card: the first launch of each, by the timing
// model.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "estimate/feed.h"
#include "simt/observe/trace.h"
#include "simtcc/own_programs/options.h"
#include "simtcc/runtime/program_observer.h"

class LaunchEstimates {
 public:
  // Notes a launch; what some of its blocks do is traced where none like it came before.
  void begin(const simt::ObservedLaunch& launch);
  void end();
  // Prints them on stderr, from a process of its own: whatever happens there, the program ends as
  // it would have, and after 20 s at the latest.
  void print(const ProgramOptions& options);

 private:
  // Launches that are alike.
  struct Row {
    simt::ObservedLaunch launch;
    uint64_t launches = 0;
    unsigned arguments =
        1;                // the number of these arguments, of launches that are alike but for them
    bool cutOff = false;  // its blocks did more than is recorded of one
  };
  std::string tables(const ProgramOptions& options);
  std::string remarks() const;
  void take();

  std::vector<Row> rows_;
  bool tracing_ = false;
  // Kinds of launches that have no row, as there are too many, by their hash; and these launches.
  std::unordered_set<uint64_t> leftOut_;
  uint64_t launchesLeftOut_ = 0;
  simt::Trace trace_;
  estimate::Feed feed_;
};
