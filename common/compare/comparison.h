// Result files side by side: which step took how long where, and which counter moved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/table.h"
#include "report/report.h"

// One step on one machine.
struct Cell {
  const StepResult* step = nullptr;          // null: this machine did not time it
  double gbps = 0;                           // 0 where the size of an element is unknown
  std::optional<double> overLesson02 = {};   // times as fast as lesson 02 on this machine
  std::optional<double> percentOfPeak = {};  // of this machine
  bool fastest = false;  // the highest rate of the row, where there is more than one; never a
                         // wrong result
};

struct Row {
  std::string name;         // the step's, and what tells it from others of that name
  std::vector<Cell> cells;  // one for each machine
};

enum class RowOrder { lesson, name, time };

// Steps × machines. The reports have to live as long as it does.
struct Comparison {
  std::vector<const Report*> machines;  // those with times: one for each file
  std::vector<const Report*> counted;   // those with counters
  std::vector<Row> rows;
  bool sameInput = true;  // all machines added up as many elements
};

// Machines in the order of the reports, those of one label together. Rows in the order in which the
// files have them, by name, or the shortest median first.
Comparison compareResults(const std::vector<Report>& reports, RowOrder order);

// "NVIDIA H200, gpu, 2^28 int32, block 512".
std::string describe(const Report& report);

// What a column is headed: its number, where it is not the only one, and its label, if any.
std::string columnName(const Comparison& comparison, size_t machine);
std::string headed(const Comparison& comparison, size_t machine, const std::string& what);

// The times: for each machine the median with its spread, and how it compares.
Table timesTable(const Comparison& comparison);

// One row for each label, or for each machine without one: its fastest step.
Table labelsTable(const Comparison& comparison);

// One row for each step of a report of the executor: its counters per 1,000 elements; for each
// machine that timed steps of these names the time and the speedup over the step it improves on;
// and which counters moved.
Table reasonsTable(const Comparison& comparison, const Report& counted);

// The counters that moved most from one step to another, per element: "load requests ÷ 4.7".
std::string whatMoved(const Report& report, const StepResult& from, const StepResult& to);

// One line for each step and machine, for spreadsheets (RFC 4180).
std::string tidyCsv(const Comparison& comparison);
