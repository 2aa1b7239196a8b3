// What the kernels of a program would take on a card: the first launch of each, by the timing
// model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "estimate/feed.h"
#include "simt/observe/trace.h"
#include "simtcc/own_programs/options.h"

class LaunchEstimates {
 public:
  // Notes a launch; what some of its blocks do is traced where none like it came before.
  void begin(const std::string& kernel, dim3 grid, dim3 block, bool cooperative);
  void end();
  // Prints them on stderr, from a process of its own: whatever happens there, the program ends as
  // it would have, and after 20 s at the latest.
  void print(const ProgramOptions& options);

 private:
  struct Row {
    std::string kernel;
    dim3 grid, block;
    uint64_t launches = 0;
  };
  std::string tables(const ProgramOptions& options);

  std::vector<Row> rows_;
  bool tracing_ = false;
  bool left_ = false;  // launches that nothing is estimated for, as there were too many kinds
  simt::Trace trace_;
  estimate::Feed feed_;
};
