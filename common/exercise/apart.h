// A run in a process of its own: whatever a kernel does to it, who asked for the run is still there
// to say so. For the executor's backend only.
#pragma once

#include <functional>

// Returns what body returned, or throws the Error that it threw, in a copy of this process whose
// standard output goes through this one. Where the copy ends without either, throws an Error that
// says how. What else body leaves in memory is lost.
int runApart(const std::function<int()>& body);
