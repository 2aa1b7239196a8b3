// How launches run, and what is looked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "simt/device/vectors.h"
#include "simt/threads/schedule.h"

namespace simt {

// A launch as it was asked for. The arguments are those of run().
struct LaunchCall {
  const void* kernel = nullptr;
  void (*call)(void*) = nullptr;
  const void* arguments = nullptr;
  dim3 grid, block;
  bool cooperative = false;
};

struct Settings {
  Schedule schedule = {};
  bool findFaults = true;           // races, unwritten memory, alignment; bounds are checked always
  bool benignRacesFail = false;     // and missing fences; or are a mild fault, like
  bool missedBarriersFail = false;  // these: hardware forgives all of them
  // How many processes run blocks of a launch, where that cannot show. 0: as many as the process
  // has cores, once the launch has taken longer than that costs; or what the environment's
  // SIMT_WORKERS says.
  unsigned workers = 0;
  unsigned multiprocessors = 4;  // what kernels that fill the GPU are told it has
  // How many basic blocks a block's threads may execute, none of them changing anything that
  // another thread sees, before one that loops counts as looping for ever.
  uint64_t patience = uint64_t(1) << 28;
  // Where a thread goes on by itself for that long, without an atomic, it may be a long
  // computation: then it also takes so many seconds of this process's own time. SIMT_PATIENCE in
  // the environment is for all launches.
  double longestComputation = 300;
  // How often a block may go on, whatever changes, before it counts as looping for ever: each warp
  // that passes a block barrier counts once, and some 500 basic blocks of a thread four times.
  uint64_t mostTurns = UINT64_MAX;
  size_t roomForRecords = size_t(576) << 20;  // bytes, of what was done to memory: to find races
  // Seconds of this process's own time for which a launch of one shape (kernel, grid, block) is
  // counted and searched. Where it takes longer, the blocks that are left run plain, but for the
  // last one and some by chance; where blocks wait for others, or a fault was found, none does.
  double searchSeconds = std::numeric_limits<double>::infinity();
  // Runs of a grid of so many blocks these alone. What is allocated under it begins as zeros, takes
  // memory only where it is touched, and nobody knows what has been written. Not for cooperative
  // launches.
  std::vector<uint64_t> (*sample)(uint64_t blocks) = nullptr;
  // Is given each launch, which then does not run. What is allocated under it begins as zeros,
  // takes memory only where it is touched, and nobody knows what has been written.
  std::function<void(const LaunchCall&)> instead = {};
};
// Those of the next launch.
const Settings& settings();

// Launches have these settings until the end of the scope, and then those from before.
class WithSettings {
 public:
  explicit WithSettings(const Settings& settings);
  ~WithSettings();
  WithSettings(const WithSettings&) = delete;
  WithSettings& operator=(const WithSettings&) = delete;

 private:
  Settings before_;
};

// What the kernel of the next launches is called in reports; "" for the name of the function at its
// address.
void setKernelName(const std::string& name);
const std::string& givenKernelName();

}  // namespace simt
