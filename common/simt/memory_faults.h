// Faults of single accesses: outside every array, misaligned, of memory that nobody has written.
#pragma once

#include <string>
#include <vector>

#include "simt/access.h"
#include "simt/arrays.h"
#include "simt/executor.h"
#include "simt/thread.h"

namespace simt {

const char* verb(Access kind);  // "reads"

// Raises a fault at a place of these threads at these instructions.
void report(Fault::Kind kind, const std::string& what, const Place& place,
            std::vector<const Thread*> who, std::vector<const void*> where);
void reportOutside(const Thread& self, uintptr_t address, size_t size, Access kind, const void* pc);

// Alignment, reads of unwritten memory, races. Also remembers what is written.
void checkAccess(const Thread& self, uintptr_t address, size_t size, Access kind, const void* pc);

}  // namespace simt
