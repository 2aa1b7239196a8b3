// Result files side by side: which step took how long on which machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/report.h"

// One step on one machine.
struct StepOnMachine {
  const StepResult* step = nullptr;          // null: this machine did not time it
  double gbps = 0;                           // 0 where the size of an element is unknown
  std::optional<double> overLesson02 = {};   // times as fast as lesson 02 on this machine
  std::optional<double> percentOfPeak = {};  // of this machine
  bool doubted = false;  // more than the peak of the memory, and not said to come from a cache
  bool fastest = false;  // the highest rate among the machines that did alike, where there is more
                         // than one; never a wrong or doubted result

  bool counts() const { return step && step->isRight() && gbps > 0 && !doubted; }
};

// One step on all machines.
struct ComparedStep {
  std::string name;  // and what tells it from others of that name
  std::vector<StepOnMachine> onMachine;
};

enum class StepOrder { lesson, name, time };

// Steps × machines. The reports have to live as long as it does.
struct Comparison {
  std::vector<const Report*> machines;   // those with times: one for each file
  std::vector<const Report*> counted;    // those with counters
  std::vector<const Report*> estimated;  // those with estimates
  std::vector<ComparedStep> steps;
  bool sameInput = true;  // all machines added up as many elements
};

// Machines in the order of the reports, those of one label together. Steps in the order in which
// the files have them, by name, or the shortest median first.
Comparison compareResults(const std::vector<Report>& reports, StepOrder order);

// The step's name, and what differs from the rest of the report: "sum, n = 2^10".
std::string distinctName(const Report& report, const StepResult& step);

// What must be equal for two times to compete: the elements' type and the state of the cache.
std::string kindOf(const Report& report, const StepResult& step);

// "NVIDIA H200, 2^28 int32, block 512"; of several GPUs "4 × NVIDIA H200, …".
std::string describe(const Report& report);

// What a column is headed: its number, where it is not the only one, and its label, if any.
std::string columnName(const Comparison& comparison, size_t machine);
std::string headed(const Comparison& comparison, size_t machine, const std::string& what);

// "94.5", "111.8?" where it is doubted, "–" where there is none.
std::string percentText(const StepOnMachine& cell);
