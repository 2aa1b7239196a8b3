// Copies from global to shared memory that a thread begins and later waits for (cp.async): they
// happen when it waits, so that what reads their place before finds what was there.
#pragma once

#include <cstddef>
#include <vector>

namespace simt {

// As many bytes as these, and zeros behind them. Both ends are aligned to pieces of 16, 8 or 4
// bytes, or are copied byte by byte.
void beginCopy(void* to, const void* from, size_t bytes, size_t zeros = 0);
void commitCopies();                 // what was begun since is one group
void waitForCopies(unsigned prior);  // for all groups but the last ones, so many
void waitForAllCopies();             // also for what is in no group yet

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
