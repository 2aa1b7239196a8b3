// How far the running launch has come.
#pragma once

#include <cstdint>

namespace simt {

// How many blocks of the running launch have ended, and how many it has; may be called from another
// OS thread. Both are 0 before the first launch.
struct Position {
  uint64_t ended, blocks;
};
Position position();

}  // namespace simt
