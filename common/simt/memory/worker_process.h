// Whether this process is a worker, forked to run some blocks of a launch (run/parallel_blocks.h).
#pragma once

namespace simt {

bool isInWorker();
void becomeWorker();
// In such a process: what others would have to know has happened. It ends, and the blocks run one
// after the other. Elsewhere it does nothing.
void giveUpWorker();

}  // namespace simt
