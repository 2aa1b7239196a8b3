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

void checkAlignment(const Thread& self, uintptr_t address, size_t size, Access kind,
                    const void* pc);
// The array is null for shared memory. A read of unwritten memory is reported at the end of the
// launch: if somebody writes it, and nothing orders the two, it is a race.
void checkWritten(const Thread& self, Array* array, uintptr_t address, size_t size, Access kind,
                  const void* pc);
// The same for a whole object, which may have padding.
void checkWrittenRange(const Thread& self, uintptr_t address, size_t size, const void* pc);
void rememberWritten(Array* array, uintptr_t address, size_t size);

}  // namespace simt
