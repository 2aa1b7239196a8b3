// Whether this process is a worker, forked to run some blocks of a launch (run/parallel_blocks.h).
#pragma once

#include <atomic>

namespace simt {

bool isInWorker();
// Where its blocks must know nothing of each other's order: it notes that they did.
void becomeWorker(std::atomic<bool>* notIndependent = nullptr);
// In such a process: what others would have to know has happened. It ends, and the blocks run one
// after the other. Elsewhere it does nothing.
void giveUpWorker();
// The same of what blocks that must be independent do; nothing, where they need not be.
void giveUpIndependence();

}  // namespace simt
