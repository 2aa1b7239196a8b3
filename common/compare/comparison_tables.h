// A comparison in tables and lines.
#pragma once

#include <string>
#include <vector>

#include "base/table.h"
#include "compare/comparison.h"

// The times of these machines, from first on: for each the median with its spread, and how it
// compares. Of some of the machines, the table has the steps that they timed.
Table timesTable(const Comparison& comparison, size_t first = 0, size_t count = SIZE_MAX);

// The same in as many tables as it takes for none to be wider than so many columns of a terminal; a
// table has one machine at least, and most machines at most.
std::vector<Table> timesTables(const Comparison& comparison, size_t columns, size_t most);

// What the timing model estimated: a row for each step, and a column for each file and card. Never
// beside a measured time.
Table estimatesTable(const Comparison& comparison);

// One row for each label, or for each machine without one: its fastest step. The fastest first;
// behind them those whose times are all doubted.
struct Ranked {
  size_t machine;
  const ComparedStep* step;
};
std::vector<Ranked> ranking(const Comparison& comparison);
Table rankingTable(const Comparison& comparison);

// What to know before believing the tables, each in a line: wrong results, times that cannot be,
// and in what the machines differ besides their speed.
std::vector<std::string> remarks(const Comparison& comparison);

// One line for each step and machine, for spreadsheets (RFC 4180).
std::string tidyCsv(const Comparison& comparison);
