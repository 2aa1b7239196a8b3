// What the program's debugging information says about the types of its thread-local variables.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {

// To what the type of the variable's elements is aligned; the variable is so many bytes behind the
// beginning of the program's thread-local ones. 0 where nothing is known.
size_t alignmentOfThreadLocal(uintptr_t offset);

}  // namespace simt
