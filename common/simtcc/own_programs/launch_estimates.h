// What the kernels of a program would take on a card: the first launch of each kind, by the timing
// model, fed with what a GPU compiler's code of it does.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
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
  // with memory as it is now: whatever happens there, the program goes on.
  void begin(const simt::ObservedLaunch& launch);
  uint64_t launches() const { return history_.size(); }
  // All together take as long as the program did, and 10 s; these wait for them.
  // Of the launches from one number to before another, in ms, where each has an estimate.
  std::optional<double> msBetween(uint64_t from, uint64_t to);
  // Those that take longest in all first.
  std::vector<EstimatedLaunches> inAll();
  void print();  // on stderr
  void stop() { history_.clear(), rows_.clear(); }

 private:
  // Launches that are alike.
  struct Row {
    simt::ObservedLaunch launch;
    uint64_t launches = 0;
    unsigned arguments =
        1;  // the number of these arguments, of launches that are alike but for them
    std::unique_ptr<MakingApart> estimate;
  };
  unsigned secondsLeft();
  // With the lines that stand below the table.
  std::vector<std::pair<EstimatedLaunches, std::string>> sorted();

  const ProgramOptions& options_;
  std::list<Row> rows_;
  std::vector<Row*> history_;  // the row of each launch, or null
  // Kinds of launches that have no row, as there are too many, by their hash; and these launches.
  std::unordered_set<uint64_t> leftOut_;
  uint64_t launchesLeftOut_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};
