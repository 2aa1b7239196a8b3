// The tables of pages, from recorded results: the two that many pages have, and those that a recipe
// spells out.
#pragma once

#include <string>

#include "compare/roofline_picture.h"
#include "weave/figures.h"

// RESULT; STEP; STEP …, or all steps: times, and what they are compared with. Throws Error
// (exitUsage), as all here.
std::string timesTable(const std::string& recipe, Figures& figures);

// RESULT; PROFILE; PART; STEP=KERNEL; …: what the executor counted and what the profiler did, where
// PART is "per block" or "per 1000" elements. Rows that are 0 everywhere are left out.
std::string countsTable(const std::string& recipe, Figures& figures);

// A table row by row, as weave.h explains. Adds to the problems, by line, what cannot be filled.
std::string filledTable(const Recipe& recipe, Figures& figures, const std::string& path,
                        Problems& problems);

// A roofline from rows that are made like those of a table: first "| bandwidth | GB/s | WORDS |"
// and
// "| ceiling | GFLOP/s | WORDS |", then "| NAME | OPERATIONS PER BYTE | GFLOP/s |" for each point.
Roofline rooflineOf(const std::string& rows, const std::string& title);
