// What the executor knows of a launch, in this folder's terms: the one place that asks it.
#pragma once

#include <string>

#include "estimate/gpu_code/launched.h"
#include "simt/run/executor.h"

namespace estimate::gpu_code {

// name: for people; empty for that of the kernel's code.
Asked askedOf(const simt::LaunchCall& call, const std::string& name = "");

}  // namespace estimate::gpu_code
