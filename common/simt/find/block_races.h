// Races between blocks: what a block did to global memory, held against what others did.
#pragma once

#include <cstdint>

namespace simt {

struct SearchedLaunch;

// A kernel has freed these addresses: what comes there next has nothing to do with it.
void forgetAccesses(uintptr_t begin, uintptr_t end);
// The running block has ended, has come to a barrier of the grid, or lets others go on. Where what
// it did is forgotten afterwards, its records are taken over as they are.
void checkAgainstOtherBlocks(bool forgotten);
// Whether processes that are forked have the records: they do, where nothing else is said.
void takeRecordsAlong(bool inForks);
// This is a worker process, which makes records of its own.
void leaveRecordsToOthers();
// Every block has come there: what they did comes before all that follows.
void orderAllBlocks(SearchedLaunch& launch);

// Where there are too many records, the block's so far are held against other blocks and forgotten.
void keepRoom();

}  // namespace simt
