// For who wants to know more of a program of its own than the counts at its end.
#pragma once

#include <string>
#include <vector>

#include "simt/hardware/counters.h"
#include "simt/run/executor.h"

namespace simt {

struct ObservedLaunch {
  std::string kernel;
  dim3 grid, block;
  bool cooperative = false;
  size_t dynamicShared = 0;  // bytes
  uint64_t arguments = 0;    // a hash of them
  LaunchCall call;           // as run() is about to get it
};

// Is told of every launch, on the thread that launches. May have it traced (recordTrace()), or have
// none run (Settings::instead).
class ProgramObserver {
 public:
  virtual ~ProgramObserver() = default;
  virtual void launchBegins(const ObservedLaunch& launch) = 0;
  // faults: all that the launch found; the program goes on where every one is mild.
  virtual void launchEnds(const Counters& counted, const std::vector<Fault>& faults) = 0;
  // After the counts were printed; not where SIMT_QUIET is set, or SIMT_STRICT ended the program.
  virtual void programEnds() = 0;
  // The very last, however the program has come to its end: 0, or what its exit code becomes, which
  // has been told.
  virtual int exitCode() = 0;
};

// One at a time; it must live until the program has ended. Null: none.
void observeProgram(ProgramObserver* observer);
ProgramObserver* programObserver();

}  // namespace simt
