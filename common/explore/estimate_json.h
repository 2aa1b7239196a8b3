// An estimate as the page has it; trace_format.md says what stands in it.
#pragma once

#include <nlohmann/json.hpp>

#include "explore/estimated.h"
#include "explore/sources.h"

// Its timeline takes at most so many bytes: cells are as many cycles as that needs.
nlohmann::json estimateAsJson(const PageEstimate& estimate, const Sources& sources,
                              size_t mostBytes);
