// Blocks of a launch that run side by side: each has threads and fibers of its own, and they take
// turns. Shared memory is one and the same for all of them, so what a block has there is put aside
// while it is not its turn.
#pragma once

#include <boost/context/fiber.hpp>
#include <vector>

#include "simt/memory/arrays.h"
#include "simt/run/block.h"

namespace simt {

struct Participant {
  Block block;
  boost::context::fiber inside, outside;  // where the block is, and who gave it its turn
  bool isWaiting = false;                 // at a barrier of the grid
  unsigned barriersOf[maxThreads] = {};   // that each thread came to
  unsigned barriersLeft = 0;              // that the block left its turn at
  bool spins = false;                     // and leaves its turn to others until something changes
  bool cooperative = false;               // may come to barriers of the grid
  std::vector<char> sharedMemory;
  SharedWrites sharedWrites;
};

// There are as many as are asked for, kept for the next launch.
Participant& participantNumber(size_t i);
// Whose turn it is: null where a block runs by itself.
Participant* participantNow();

void start(Participant& participant, const KernelCall& call, uint64_t number);
// Lets the block go on, to where it gives away its turn or ends. What the launch has found so far
// goes with it.
void takeTurn(Participant& participant, FaultLog& found);
// Called in the participant's turn: ends it, and returns in the next one.
void giveTurnAway(Participant& participant);
// Their fibers are left in the middle of the kernel: to unwind them would run more of it.
void abandon(const std::vector<Participant*>& all);

// What is in shared memory, put aside for a block that is not running, and put back.
void putSharedMemoryAside(std::vector<char>& memory, SharedWrites& writes);
void putSharedMemoryBack(std::vector<char>& memory, SharedWrites& writes);

}  // namespace simt
