// A report as tables on standard output, and what is wrong in it on standard error.
#pragma once

#include <functional>

#include "report/report.h"

// Times, GB/s counting each of the n input bytes once, % of peak and speedups.
void printTimes(const Report& report);

// Which tables of counts are shown of the executor's reports.
struct ShownCounts {
  bool all = false;      // every counter; else those that tell the first lessons apart
  bool perBlock = true;  // of programs whose blocks have as many elements each
};

// Counts per block and per 1,000 elements, for reports of the executor.
void printCounters(const Report& report, const ShownCounts& shown = {});

// The counts of whole steps, for programs whose blocks are not alike.
void printWholeCounters(const Report& report, bool all = false);

// What the timing model says of the steps that have an estimate, beside times that were recorded on
// the same card, in columns of their own. recordedMs: of a step, or 0 where none is known. speedup:
// the heading over how it compares with the step that it is based on. Prints nothing where no step
// has an estimate.
void printEstimates(const Report& report,
                    const std::function<double(const StepResult& step)>& recordedMs,
                    const std::string& speedup = "× step before");

// Says on stderr what was wrong in a report. Returns the exit code.
int complain(const Report& report);
