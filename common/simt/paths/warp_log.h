// What the lanes of a warp have done since they last met, until it is joined to requests.
#pragma once

#include <cstdint>
#include <span>

#include "simt/hardware/requests.h"
#include "simt/paths/paths.h"
#include "simt/threads/thread.h"

namespace simt {

void beginLogs(std::span<Thread> lanes);  // empty paths, for lanes of one warp

// Joins and counts all that the warp did: all its lanes are at the same place, or have returned.
void closeLog(unsigned warp);
// The same as far as is known who goes where, and lets lanes go on that wait for it.
void resumePaused(unsigned warp);
void discardLog(unsigned warp);

void clearPaths();  // while no thread is on one

// Loads of the running block that nobody has looked up, see LoadCalls.
void lookUpLoadsOf(Thread& thread);
void lookUpAllLoads();

// The lanes that a warp has: all 32 but for the last warp of a block.
uint32_t lanesOf(std::span<Thread> warp);

// The path of the running thread, self, goes on in a way that it did not the last time. May pause
// the thread.
void followPath(Thread& self, uint32_t code);
void followAccess(Thread& self, uint32_t code, const void* pc, Access kind);

// Called for the running thread by the hooks.
inline void enterBasicBlock(Thread& self, const void* pc) {
  const uint32_t code = codeOf(pc, CodeTag::basicBlock);
  if (*self.nextCode == code) [[likely]]
    ++self.nextCode;
  else
    followPath(self, code);
}

// The running thread comes to a barrier or a warp operation, or has returned.
inline void meetAt(Thread& self, const void* pc) {
  const uint32_t code = codeOf(pc, CodeTag::meeting);
  if (*self.nextCode == code) [[likely]]
    ++self.nextCode;
  else
    followPath(self, code);
}

}  // namespace simt
