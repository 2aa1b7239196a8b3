// A CUDA thread of the block that is running, and what it waits for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/device/primitives.h"
#include "simt/device/vectors.h"
#include "simt/hardware/memory_units.h"
#include "simt/threads/stack_switch.h"

namespace simt {

constexpr unsigned maxThreads = 1024;  // of a block
constexpr unsigned maxWarps = maxThreads / warpWidth;
constexpr unsigned maxCalls = 32;  // deeper ones are not told apart
constexpr uint32_t hashFactor = 0x9e3779b1, inverseHashFactor = 0xe8b2f51;
static_assert(hashFactor * inverseHashFactor == 1);

struct PathSegment;

enum class State : uint8_t {
  ready,
  atBlockBarrier,
  atWarpOperation,
  atActiveMask,
  atPart,  // a barrier of some threads of the block
  paused,  // its log is full: goes on when the other lanes of its warp have caught up
  finished
};
enum class WarpOp : uint8_t {
  barrier,
  shuffle,
  vote,
  reduceAdd,
  reduceMin,
  reduceMax,
  reduceAnd,
  reduceOr,
  reduceXor
};

// A __threadfence: what it covers, in the words of races.h.
struct Fence {
  uint32_t epoch = 0;  // 0: none yet
  uint32_t barrierEpoch = 0;
  uint32_t known[warpWidth]{};
  Scope scope = Scope::block;
};
// What a relaxed atomic has seen: a fence after it acquires that.
struct RelaxedLoad {
  const void* address = nullptr;
  size_t releases = 0;  // of the address, by then
  uint32_t epoch = 0;
  Scope scope = Scope::block;
};
struct RecentLoad {
  uintptr_t address = 0;
  const void* pc = nullptr;
};
// An index that the type of its array does not allow.
struct BadIndex {
  const char* arrayType = nullptr;  // "'int [8]'"
  long long index = 0;
  const void* pc = nullptr;
};
// The atomic that a thread repeats, without a change.
struct Spin {
  const void* pc = nullptr;
  const void* address = nullptr;
  unsigned turns = 0;
  bool yielded = false;       // to others, since its log was full the last time
  bool polls = false;         // something was asked for that another block may change, since then
  bool asks = false;          // the atomic was made, since then
  bool asksInWindow = false;  // or since a window of repetition.h was opened
};

// What is asked for seldom: kept apart, so that the threads of a block fit the nearest caches.
struct ThreadHistory {
  // For races.cpp.
  RecentLoad recentLoads[4];
  unsigned nextLoad = 0;
  uint32_t loadsOf = 0;         // the epoch with which their block began
  uint32_t known[warpWidth]{};  // for each lane: its accesses up to this epoch are before ours
  Fence fence;                  // the last one
  RelaxedLoad relaxedLoads[4];  // since then, of different addresses
  unsigned nextRelaxedLoad = 0;

  Spin spin;           // for watchdog.cpp
  uint64_t stop = 0;   // for repetition.cpp: what it had in its registers and on its stack, or 0
  BadIndex badIndex;   // that the thread's next access may be about, where hasBadIndex
  bool carry = false;  // that PTX has left

  // The calls that led to where it is: what tells barriers in helper functions apart.
  const void* calls[maxCalls];
};

// threadIdx, in 6 bytes: a block has 1024 threads at most.
struct ThreadIndex {
  uint16_t x = 0, y = 0, z = 0;
  ThreadIndex() = default;
  ThreadIndex(uint3 index) : x(uint16_t(index.x)), y(uint16_t(index.y)), z(uint16_t(index.z)) {}
  operator uint3() const { return {x, y, z}; }
};

struct alignas(64) Thread {
  // The first 64 bytes are all that a kernel without memory accesses touches.
  // Where it is in the tree of paths (paths.h), and where the address of its next access goes.
  const uint32_t* nextCode = nullptr;
  PathSegment* segment = nullptr;
  uint64_t* nextAddress = nullptr;

  Stack stack;

  // Where it waits.
  const void* pc = nullptr;
  int place = 0;          // of the block barrier
  uint32_t callHash = 0;  // of the calls that led there
  uint16_t rank = 0;      // within the block
  State state = State::finished;
  uint8_t barrierMode = 0;
  ThreadIndex index;
  bool begun = false;        // in this block
  uint16_t checkedRows = 0;  // of its log, whose loads deferred_loads.h has looked up

  uintptr_t stackBegin = 0;
  ThreadHistory* history = nullptr;
  unsigned callDepth = 0;
  bool hasBadIndex = false;

  // What it waits for, or brings to others.
  WarpOp op{};
  unsigned mask = 0;     // the lanes the operation names
  int parameter = 0;     // source lane, signedness
  uint64_t operand = 0;  // what this lane brings
  uint64_t result = 0;

  void enterFunction(const void* caller);
  void leaveFunction();
  unsigned lane() const { return rank % warpWidth; }
  unsigned warp() const { return rank / warpWidth; }
};
#ifndef SIMT_BOOST_SWITCH
static_assert(sizeof(Thread) == 128 && offsetof(Thread, stackBegin) <= 64 &&
              offsetof(Thread, nextCode) == 0);
#endif

// The first call is the executor's, which may have several places: it is not in the hash.
inline void Thread::enterFunction(const void* caller) {
  const unsigned depth = callDepth++;
  if (depth >= maxCalls) return;
  history->calls[depth] = caller;
  if (depth > 0) callHash = (callHash + uint32_t(reinterpret_cast<uintptr_t>(caller))) * hashFactor;
}
inline void Thread::leaveFunction() {
  if (callDepth == 0) return;
  const unsigned depth = --callDepth;
  if (depth == 0 || depth >= maxCalls) return;
  const auto caller = uint32_t(reinterpret_cast<uintptr_t>(history->calls[depth]));
  callHash = callHash * inverseHashFactor - caller;
}

}  // namespace simt
