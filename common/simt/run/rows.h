// The threads of a plain block run one behind the other on one stack, and only current tells them
// apart, until one of them waits: most kernels have none that does.
#pragma once

#include <span>

#include "simt/run/block.h"

namespace simt {

void beginThreads(std::span<Thread> threads);  // none has begun

// To be called by a thread that is about to wait, or to look at others: those before it have
// ended, and those behind it begin later, each on its own stack.
void endRow();
inline void endRowOf(const Block& block) {
  if (block.inARow) [[unlikely]]
    endRow();
}

}  // namespace simt
