// What a launch found wrong, put into words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simt/find/fault_log.h"
#include "simt/hardware/requests.h"
#include "simt/threads/thread_block.h"

namespace simt {

// The fault of these threads of the running block at these instructions.
Fault makeFault(Fault::Kind kind, const std::string& what, std::vector<const Thread*> who,
                std::vector<const void*> where);

// Ends the launch with this fault: from a kernel's thread it does not return.
void raise(Fault fault);

const char* verb(Access kind);  // "reads"

// What the report of an endless loop adds where the thread asks memory that the host may reach,
// too: by loads, or by the last atomic that it made.
std::string remarkOnHost(const Thread& waiting, bool byAtomic);

// The instruction that the thread's path (paths.h) ends with, or null.
const void* lastInstruction(const Thread& thread);

}  // namespace simt
