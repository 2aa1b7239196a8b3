// For who wants to know more of a program of its own than the counts at its end.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simt/hardware/counters.h"
#include "simt/run/executor.h"
#include "simtcc/runtime/managed_pages.h"

namespace simt {

struct ObservedLaunch {
  std::string kernel;
  dim3 grid, block;
  bool cooperative = false;
  size_t dynamicShared = 0;  // bytes
  uint64_t arguments = 0;    // a hash of them
  LaunchCall call;           // as run() is about to get it
  std::vector<PagesWithHost> withHost = {};
};

// What all launches of a kernel did.
struct KernelTotals {
  std::string kernel;
  uint64_t launches = 0, threads = 0, blocks = 0, plainBlocks = 0;  // plain: not counted
  Counters counters;
  const char* whyNonePlain = nullptr;  // where some launch took long, and yet none ran plain
};
// Of the program, when it ends: kernels in the order of their first launches, the texts of faults
// in the order in which they came, and what else is to be kept in mind.
struct ProgramSummary {
  std::vector<KernelTotals> kernels;
  std::vector<std::string> faults, mildFaults, notes;
};

// Is told of every launch, on the thread that launches. May have it traced (recordTrace()), or have
// none run (Settings::instead).
class ProgramObserver {
 public:
  virtual ~ProgramObserver() = default;
  virtual void launchBegins(const ObservedLaunch& launch) = 0;
  // faults: all that the launch found; the program goes on where every one is mild.
  virtual void launchEnds(const Counters& counted, const std::vector<Fault>& faults) = 0;
  // How many launches have begun; what those from one number to before another take on a card, in
  // ms, and what all of each kernel do: where that is known.
  virtual uint64_t launches() = 0;
  virtual std::optional<double> estimatedMs(uint64_t from, uint64_t to) = 0;
  virtual std::map<std::string, double> estimatedMsOfKernels() = 0;
  // After the counts were printed, or, where it is quiet, nothing; not where SIMT_STRICT ended the
  // program.
  virtual void programEnds(const ProgramSummary& summary, bool isQuiet) = 0;
  // The very last, however the program has come to its end: 0, or what its exit code becomes, which
  // has been told.
  virtual int exitCode() = 0;
};

// One at a time; it must live until the program has ended. Null: none.
void observeProgram(ProgramObserver* observer);
ProgramObserver* programObserver();

}  // namespace simt
