// A CUDA thread of the block that is running, and what it waits for.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstdint>

#include "simt/primitives.h"
#include "simt/vectors.h"

namespace simt {

constexpr unsigned warpWidth = 32;
constexpr unsigned maxThreads = 1024;  // of a block
constexpr unsigned maxWarps = maxThreads / warpWidth;
constexpr unsigned maxCalls = 32;  // deeper ones are not told apart

struct PathSegment;

enum class State : uint8_t {
  ready,
  atBlockBarrier,
  atWarpOperation,
  atActiveMask,
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
};

// A stack that can be switched to.
struct FiberContext {
  boost::context::fiber handle;  // while another stack runs
  const void* stack = nullptr;
  size_t stackBytes = 0;
  void* fakeStack = nullptr;  // AddressSanitizer's
};

struct alignas(64) Thread {
  // What the hooks touch: where it is in the tree of paths (paths.h), and where the address of its
  // next memory access goes.
  const uint32_t* nextCode = nullptr;
  PathSegment* segment = nullptr;
  uint64_t* nextAddress = nullptr;
  uintptr_t stackBegin = 0;

  FiberContext fiber;
  const void* frame = nullptr;  // on its stack, where it waits
  uint3 index{};
  uint16_t rank = 0;  // within the block
  State state = State::finished;
  bool begun = false;  // in this block

  // Where it waits and for what.
  WarpOp op{};
  int line = 0;  // of the block barrier
  const void* pc = nullptr;
  unsigned mask = 0;     // the lanes the operation names
  int parameter = 0;     // barrier mode, source lane, signedness
  uint64_t operand = 0;  // what this lane brings
  uint64_t result = 0;

  // For races.cpp.
  uint32_t known[warpWidth]{};  // for each lane: its accesses up to this epoch are before ours
  Fence fence;                  // the last one
  RecentLoad recentLoads[4];
  unsigned nextLoad = 0;

  Spin spin;          // for watchdog.cpp
  BadIndex badIndex;  // that its next access may be about

  // The calls that led to where it is: what tells barriers in helper functions apart.
  const void* calls[maxCalls];
  unsigned callDepth = 0;

  unsigned lane() const { return rank % warpWidth; }
  unsigned warp() const { return rank / warpWidth; }
};

}  // namespace simt
