// Faults of single accesses: outside every array, misaligned, of memory that nobody has written.
#pragma once

#include <string>
#include <vector>

#include "simt/find/fault.h"
#include "simt/hardware/requests.h"
#include "simt/memory/arrays.h"
#include "simt/threads/thread.h"

namespace simt {

// Raises a fault at a place of these threads at these instructions.
void report(Fault::Kind kind, const std::string& what, const ArrayElement& place,
            std::vector<const Thread*> who, std::vector<const void*> where);
void reportOutside(const Thread& self, uintptr_t address, size_t size, Access kind, const void* pc);
// It writes a variable that only the host may.
void reportConstant(const Thread& self, uintptr_t address, size_t size, Access kind,
                    const void* pc);

// The thread has computed its badIndex and goes on to access something that exists.
void reportIndex(Thread& self, uintptr_t address, size_t size, const void* pc);

// Alignment, reads of unwritten memory, races, of the array or (for null) of shared memory;
// remembers what is written. A read of unwritten memory is reported at the end of the launch: if
// somebody writes it, and nothing orders the two, it is a race. What may be unwritten is padding, a
// piece of a whole object, or what an atomic replaces without a look at it.
void checkAccess(Thread& self, uintptr_t address, size_t size, Access kind, const void* pc,
                 Scope scope, bool mayBeUnwritten, Array* array);
// A read of a whole object.
void checkWrittenRange(const Thread& self, uintptr_t address, size_t size, const void* pc);

}  // namespace simt
