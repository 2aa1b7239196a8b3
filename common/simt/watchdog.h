// Threads that wait in a loop: others get their turn, and a loop that can never end is found.
#pragma once

#include <cstdint>

#include "simt/thread.h"

namespace simt {

// Something has changed that another thread may be waiting for.
void noteProgress();

// An atomic at this instruction is done. A thread that repeats one without effect ends its turn.
void noteAtomic(const void* pc, const void* address, bool changed);

// A thread entered another basic block. One that does so for long ends its turn.
void endLongTurn(Thread& thread, const void* pc);
constexpr uint64_t longTurn = 4096;  // basic blocks

inline void noteBasicBlock(Thread& thread, const void* pc) {
  if (++thread.spin.basicBlocks >= longTurn) endLongTurn(thread, pc);
}

}  // namespace simt
