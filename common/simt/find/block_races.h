// Races between blocks: what a block did to global memory, held against what others did.
#pragma once

#include <cstdint>

namespace simt {

void beginLaunchAccesses();
// A kernel has freed these addresses: what comes there next has nothing to do with it.
void forgetAccesses(uintptr_t begin, uintptr_t end);
// The running block has ended, has come to a barrier of the grid, or lets others go on. Where what
// it did is forgotten afterwards, its records are taken over as they are.
void checkAgainstOtherBlocks(bool forgotten);
// This is a copy of the process, which makes records of its own.
void leaveRecordsToOthers();
// Every block has come there: what they did comes before all that follows.
void orderAllBlocks();

// Where there are too many records, the block's so far are held against other blocks and forgotten.
void keepRoom();
// Whether launches since the last call touched more memory than Settings leave room to keep records
// of: then races between blocks, or between two barriers that are far apart, may have been missed.
bool someForgotten();
void noteForgotten();  // that they did: here, or in another process

}  // namespace simt
