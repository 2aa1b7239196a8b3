// The block that is running: the one object that holds all that changes while it runs.
#pragma once

#include "simt/find/searched_block.h"
#include "simt/run/begun_copies.h"

namespace simt {

// The threads that wait for a block barrier, and the one for which the first of them waits.
struct Arrivals {
  unsigned count = 0;
  bool differ = false;  // not all of them wait for the same one
  int mode = 0, line = 0;
  uint32_t callHash = 0;
  const void* pc = nullptr;
  const Thread* first = nullptr;
};

struct Block : SearchedBlock {
  Arrivals atBarrier;
  std::vector<Thread*> passing;  // those that passed the last one
  Thread* arrived = nullptr;     // a thread with which a warp operation may be complete
  AsyncCopies asyncCopies;
};
inline Block& runningBlock() { return static_cast<Block&>(runningThreads()); }

// Makes the block ready to run blocks of the launch, with a fiber for each thread.
void prepare(Block& block, const KernelCall& call);

}  // namespace simt
