// What a launch found wrong, put into words.
#pragma once

#include <string>
#include <vector>

#include "simt/executor.h"
#include "simt/thread.h"

namespace simt {

// The fault of these threads of the running block at these instructions.
Fault makeFault(Fault::Kind kind, const std::string& what, std::vector<const Thread*> who,
                std::vector<const void*> where);

// Ends the launch with this fault: from a kernel's thread it does not return.
void raise(Fault fault);

std::string kernelName();                      // as reports call it
std::string threadName(const Thread& thread);  // "thread 7", "thread (7, 1, 0)"

}  // namespace simt
