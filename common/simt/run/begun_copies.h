// Copies to shared memory that the threads of a block have begun (device/primitives.h).
#pragma once

#include <cstddef>
#include <vector>

namespace simt {

struct AsyncCopy {
  void* to;
  const void* from;
  size_t bytes, zeros;
  const void* pc;
  unsigned group;
};
// Of the threads of a block, by their ranks.
struct AsyncCopies {
  struct OfThread {
    std::vector<AsyncCopy> begun;
    unsigned groups = 0;  // that are complete
  };
  std::vector<OfThread> threads;
};

}  // namespace simt
