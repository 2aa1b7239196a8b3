// Recorded times belong to the kernels that were recorded: who changes a kernel has none.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "measure/step.h"

// What was counted of the ladder's steps when their times were recorded: of so many elements.
inline constexpr uint64_t recordedLength = 1 << 14;
inline constexpr unsigned recordedBlock = 512;

// Whether a launch over recordedLength elements in blocks of recordedBlock threads counts what the
// recorded step of this name counted. False where there is none. On the executor only.
bool countsAsRecorded(const std::string& step, const std::function<void()>& launch);

// The same for a step itself.
bool countsAsRecorded(const Step& step);
