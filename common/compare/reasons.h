// Why a step is faster: which counter moved.
#pragma once

#include <string>

#include "base/table.h"
#include "compare/comparison.h"

// What the table has, and how many of the counters that moved at most.
struct ReasonColumns {
  bool counters = true;
  size_t mostMoves = 4;
};

// One row for each step of a report of the executor: its counters per 1,000 elements; for the first
// machines that timed steps of these names the time and the speedup over the step it improves on;
// and which counters moved.
Table reasonsTable(const Comparison& comparison, const Report& counted,
                   const ReasonColumns& columns = {});

// The counters that moved most from one step to another, per element: "load requests ÷ 4.7".
std::string whatMoved(const Report& report, const StepResult& from, const StepResult& to,
                      size_t most = 4);
