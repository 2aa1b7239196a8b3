// Whether this process is a copy that runs some blocks of a launch (run/parallel_blocks.h).
#pragma once

namespace simt {

bool isInCopy();
void becomeCopy();
// In such a copy: what others would have to know has happened. It ends, and the blocks run one
// after the other. Elsewhere it does nothing.
void giveUpCopy();

}  // namespace simt
