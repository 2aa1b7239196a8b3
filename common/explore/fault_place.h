// Where in a recording its fault is.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "explore/explore.h"
#include "explore/page_arrays.h"
#include "explore/page_steps.h"
#include "explore/sources.h"

// The steps of a recording; where a fault is not mild, up to the last place of a fault. Each fault
// stands where both threads have done what they should not have, or at the end where that is not
// known.
struct StepsWithFaults {
  std::vector<PageStep> steps;
  std::vector<size_t> places;  // by fault: how many steps come before it
};
StepsWithFaults stepsWithFaults(const Recording& recording);

// What the terminal says of a fault, the lines concerned, and each thread with its element.
nlohmann::json faultAsJson(const simt::Fault& fault, const Recording& recording,
                           const Sources& sources, const PageArrays& arrays);

// The step of a page at which the fault of this number is shown.
nlohmann::json faultStep(const nlohmann::json& fault, size_t number);
