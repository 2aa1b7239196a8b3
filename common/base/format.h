// fmt::format, for both compilers: nvcc cannot evaluate fmt's checks of format strings while it
// compiles, so there they are made when the program runs.
#pragma once

#ifdef __CUDACC__
#define FMT_CONSTEVAL
#define FMT_USE_CONSTEVAL 0
#endif
#include <fmt/core.h>
