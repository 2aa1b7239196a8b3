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

// What a launch found becomes known to takeFaults(). Throws the first of it that is not mild.
void settleFaults(FaultLog& found);

const char* verb(Access kind);  // "reads"

// What the report of an endless loop at this instruction adds where the thread asks memory that the
// host may reach, too.
std::string remarkOnHost(const Thread& waiting, const void* pc);

// The instruction that the thread's path (paths.h) ends with, or null.
const void* lastPlace(const Thread& thread);

}  // namespace simt
