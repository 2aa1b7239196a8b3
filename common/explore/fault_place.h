// Where in a recording its fault is.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "explore/explore.h"
#include "explore/page_arrays.h"
#include "explore/page_steps.h"
#include "explore/sources.h"

// The steps of a recording; of one with a fault, as far as both threads have done what they should
// not have.
std::vector<PageStep> stepsUntilFault(const Recording& recording);

// What the terminal says of the fault, the lines concerned, and each thread with its element.
nlohmann::json faultAsJson(const Recording& recording, const Sources& sources,
                           const PageArrays& arrays);

// The last step of a page with this fault.
nlohmann::json faultStep(const nlohmann::json& fault);
