// The terminal that a program writes to.
#pragma once

#include <cstddef>

// The columns of the terminal at a file descriptor; otherwise where it is none.
size_t terminalColumns(int descriptor, size_t otherwise);
