// What every launch begins and ends with, whether its blocks run one after the other or side by
// side.
#pragma once

#include "simt/find/traps.h"
#include "simt/run/block.h"

namespace simt {

// While one lives, this OS thread runs that launch: its shared memory, its grid. Invalid sizes
// throw std::invalid_argument.
class LaunchScope {
 public:
  explicit LaunchScope(const KernelCall& call);
  ~LaunchScope();
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;

 private:
  ThreadBlock* const before_;
  const WithTicks ticks_;
};

// What was called for this grid: threads are counted, and nothing is checked yet.
KernelCall kernelCall(dim3 grid, dim3 block, const void* kernel, void (*call)(void*),
                      void* arguments, size_t argumentBytes);

void noteEnded(uint64_t blocks);  // so many blocks of the launch have ended, for position()

}  // namespace simt
