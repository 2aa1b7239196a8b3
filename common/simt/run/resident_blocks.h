// Blocks of a launch that are resident at the same time: each has threads and fibers of its own,
// and they take turns. Shared memory is one and the same for all of them, so what a block has there
// is put aside while it is not its turn.
#pragma once

#include <boost/context/fiber.hpp>
#include <memory>
#include <span>
#include <vector>

#include "simt/run/running_launch.h"

namespace simt {

struct ResidentBlock {
  ResidentBlock(Launch& launch_, uint64_t number);
  ~ResidentBlock();
  ResidentBlock(const ResidentBlock&) = delete;
  ResidentBlock& operator=(const ResidentBlock&) = delete;

  Launch& launch;
  Block& block;
  static constexpr size_t stackBytes = 512 * 1024;
  struct KeptStack {
    char* begin;
    boost::context::stack_context allocate() const;
    void deallocate(boost::context::stack_context&) const {}
  };
  const std::unique_ptr<char[]> stack{new char[stackBytes]};
  boost::context::fiber inside, outside;  // where the block is, and who gave it its turn
  bool isWaiting = false;                 // at a barrier of the grid
  unsigned barriersOf[maxThreads] = {};   // that each thread came to
  unsigned barriersLeft = 0;              // that the block left its turn at
  bool spins = false;                     // and leaves its turn to others until something changes

  // Lets the block go on, to where it gives away its turn or ends.
  void takeTurn();
  // Called in its turn: ends it, and returns in the next one.
  void giveTurnAway();
};

// What is in shared memory, put aside for a block that is not running, and put back.
void putSharedMemoryAside(Block& block);
void putSharedMemoryBack(Block& block);
// Where there it keeps what is at an address of shared memory.
size_t placeAside(uintptr_t address);

}  // namespace simt
