// What a warp does or waits for, at every moment from its block's start to its end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace estimate {

enum class Wait : uint8_t {
  issuing,        // an instruction of its own is issued
  issueSlot,      // it could go on, but its scheduler issues for another warp
  arithmetic,     // for the result of its own instruction before
  memory,         // for a load from memory
  l2,             // … from L2
  l1,             // … from L1
  pipe,           // for room in the load/store pipe's queue
  constants,      // for a constant that all its lanes read
  sharedMemory,   // for shared memory, as it would be without bank conflicts
  bankConflicts,  // … for what bank conflicts add
  shuffle,        // for a shuffle, a vote or a reduction
  atomic,         // for an atomic's result
  fence,          // until all would see what it stored before a fence
  barrier,        // for the other warps of its block
  noWork,         // it has ended, and others of its block go on: nothing is left for it to do
  startAndTail    // its place is empty: a block is starting, has ended, or no other is left
};
constexpr size_t waitCount = size_t(Wait::startAndTail) + 1;

// As it is said to people: "memory", "bank conflicts".
const char* waitName(Wait wait);

// Cycles of warps, or shares of their time, by what they were for.
using WaitTimes = std::array<double, waitCount>;

}  // namespace estimate
