// For who wants to know more of a program of its own than the counts at its end.
#pragma once

#include <string>
#include <vector>

#include "simt/observe/counters.h"
#include "simt/run/executor.h"

namespace simt {

// Is told of every launch, on the thread that launches. May have it traced (recordTrace()).
class ProgramObserver {
 public:
  virtual ~ProgramObserver() = default;
  virtual void launchBegins(const std::string& kernel, dim3 grid, dim3 block, bool cooperative) = 0;
  // faults: all that the launch found; the program goes on where every one is mild.
  virtual void launchEnds(const Counters& counted, const std::vector<Fault>& faults) = 0;
  // After the counts were printed; not when a fault ended the program, or SIMT_QUIET is set.
  virtual void programEnds() = 0;
};

// One at a time; it must live until the program has ended. Null: none.
void observeProgram(ProgramObserver* observer);
ProgramObserver* programObserver();

}  // namespace simt
