// Recorded times belong to the kernels that were recorded: who changes a kernel has none.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "measure/step.h"
#include "report/report.h"

// What was counted of the ladder's steps when their times were recorded: of so many elements.
inline constexpr uint64_t recordedLength = 1 << 14;
inline constexpr unsigned recordedBlock = 512;

// A result file of common/results; nothing where it is not there, or cannot be read.
std::optional<Report> recordNamed(const std::string& file);

// What a launch counts; nothing where it ends with a fault. On the executor only.
std::optional<Counters> countsOf(const std::function<void()>& launch);

// Whether a launch over recordedLength elements in blocks of recordedBlock threads counts what the
// recorded step of this name counted. False where there is none. On the executor only.
bool countsAsRecorded(const std::string& step, const std::function<void()>& launch);

// The same for a step itself.
bool countsAsRecorded(const Step& step);
