// A recording as the page has it; trace_format.md says what stands in it.
#pragma once

#include <nlohmann/json.hpp>

#include "explore/explore.h"

// At most so many bytes of steps; what is left out is said under "cut".
nlohmann::json traceAsJson(const Recording& recording, size_t mostBytes);
