// What the kernels of a program would take on a card: the first launch of each kind, by the timing
// model, fed with what a GPU compiler's code of it does.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "estimate/warp_program.h"
#include "simtcc/own_programs/made_apart.h"
#include "simtcc/own_programs/options.h"
#include "simtcc/own_programs/report_page.h"
#include "simtcc/runtime/program_observer.h"

// What a launch would do on a GPU, of the blocks that stand for all; ptx as for gpu_code::listed(),
// whose exceptions it throws.
estimate::Launch listedLaunch(const simt::ObservedLaunch& launch, std::string* ptx = nullptr);

class LaunchEstimates {
 public:
  explicit LaunchEstimates(const ProgramOptions& options) : options_(options) {}
  // Notes a launch. Where none like it came before, a process of its own begins to estimate it,
  // with memory as it is now: whatever happens there, the program goes on. All together take as
  // long as the program does, and 10 s; where nothing else is done, 60 s.
  void begin(const simt::ObservedLaunch& launch);
  uint64_t launches() const { return history_.size(); }
  // These wait for them. Of the launches from one number to before another, in ms, where each has
  // an estimate.
  std::optional<double> msBetween(uint64_t from, uint64_t to);
  // Those that take longest in all first.
  std::vector<EstimatedLaunches> inAll();
  void print();  // on stderr
  void stop() { known_.clear(), shapes_.clear(), history_.clear(), rows_.clear(); }

 private:
  // Launches that are alike: of the arguments with these numbers, of all that its kernel had with
  // such a grid, block and shared memory. The first of them is estimated, if there is time.
  struct Row {
    simt::ObservedLaunch launch;
    uint64_t launches = 0;
    unsigned firstArguments = 1, lastArguments = 1;
    std::unique_ptr<MakingApart> estimate;
    const MadeApart& made();
  };
  struct Shape {
    unsigned arguments = 0;
    Row* last = nullptr;
  };
  void waitForLast();
  Row& begun(const simt::ObservedLaunch& launch, unsigned number);
  double secondsLeft() const;
  // With the lines that stand below the table.
  std::vector<std::pair<EstimatedLaunches, std::string>> sorted();

  const ProgramOptions& options_;
  std::list<Row> rows_;
  std::vector<Row*> history_;  // the row of each launch
  std::unordered_map<uint64_t, Shape> shapes_;
  std::unordered_map<uint64_t, Row*> known_;  // by the hash of shape and arguments
  std::chrono::steady_clock::duration waited_{};
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};
